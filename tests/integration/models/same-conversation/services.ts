import { onTestFinished } from 'vitest';
import { AnthropicProvider } from '../../../../src-main/models/anthropic/anthropic-provider.ts';
import { OpenAiProvider, type OpenAiProviderOptions } from '../../../../src-main/models/openai/openai-provider.ts';
import { startMessagesApi } from '../../../fixtures/messages-api/server.ts';
import type { OpenAiServerOptions } from '../../../fixtures/openai/script.ts';
import { startOpenAiApi } from '../../../fixtures/openai/server.ts';
import { gemini, ollama } from './other-services.ts';
import { AT_ONCE, type StartService } from './service.ts';

const apiKey = async () => 'sk-test-0123456789abcdef';

const anthropic: StartService = async (answer) => {
  const server = await startMessagesApi({ answer });
  onTestFinished(() => server.close());
  const provider = new AnthropicProvider({ name: 'claude', apiKey, baseUrl: server.url, ...AT_ONCE });
  const bodies = () => server.requests.map(({ body }) => body);
  return { name: 'claude', model: 'claude-sonnet-5-5', provider, bodies };
};

function openAi(
  name: string,
  model: string,
  options: Partial<OpenAiProviderOptions>,
  serverOptions: OpenAiServerOptions = {},
): StartService {
  return async (answer) => {
    const server = await startOpenAiApi({ ...serverOptions, answer });
    onTestFinished(() => server.close());
    const baseUrl = `${server.url}${options.apiVersion === undefined ? '/v1' : ''}`;
    const provider = new OpenAiProvider({ name, apiKey, baseUrl, needsKey: true, ...AT_ONCE, ...options });
    return { name, model, provider, bodies: () => server.requests.map(({ body }) => body) };
  };
}

export const SERVICES: Readonly<Record<string, StartService>> = {
  anthropic,
  responses: openAi('openai', 'gpt-6.2-sol', {}),
  azure: openAi('work', 'gpt-5.4', { apiVersion: '2025-04-01-preview' }, { deployments: ['gpt-5.4'] }),
  compatible: openAi('local', 'qwen3-vl', { needsKey: false }, { reasoningField: 'reasoning_content' }),
  gemini,
  ollama,
};
