import { onTestFinished } from 'vitest';
import { GeminiProvider } from '../../../../src-main/models/gemini/gemini-provider.ts';
import { OllamaProvider } from '../../../../src-main/models/ollama/ollama-provider.ts';
import { geminiTurn } from '../../../fixtures/gemini/scripted-answer.ts';
import { startGemini } from '../../../fixtures/gemini/server.ts';
import { ollamaTurn } from '../../../fixtures/ollama/scripted-answer.ts';
import { startOllama } from '../../../fixtures/ollama/server.ts';
import { AT_ONCE, type StartService } from './service.ts';

export const gemini: StartService = async (answer) => {
  const server = await startGemini({ answer: () => geminiTurn(answer()) });
  onTestFinished(() => server.close());
  const options = { name: 'gemini', apiKey: async () => 'AIzaTest0123456789', needsKey: true, baseUrl: server.url };
  const provider = new GeminiProvider({ ...options, ...AT_ONCE });
  return { name: 'gemini', model: 'gemini-3.8-flash', provider, bodies: () => server.requests.map(({ body }) => body) };
};

/** Thoughts go back as they are, without a signature. */
export const ollama: StartService = async (answer) => {
  const server = await startOllama({ answer: () => ollamaTurn(answer()) });
  onTestFinished(() => server.close());
  const options = { name: 'ollama', apiKey: async () => undefined, needsKey: false, baseUrl: server.url };
  const provider = new OllamaProvider({ ...options, ...AT_ONCE });
  const bodies = () => server.requests.map(({ body }) => body);
  return { name: 'ollama', model: 'qwen3:8b', provider, bodies, neverRefuses: true };
};
