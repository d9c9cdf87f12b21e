import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { AnthropicProvider } from '../../src-main/models/anthropic/anthropic-provider.ts';
import { requestBody } from '../../src-main/models/anthropic/request-body.ts';
import { geminiModel } from '../../src-main/models/gemini/catalogue.ts';
import { GeminiProvider } from '../../src-main/models/gemini/gemini-provider.ts';
import { requestBody as geminiBody } from '../../src-main/models/gemini/request-body.ts';
import { geminiService } from '../../src-main/models/gemini/service.ts';
import type { Message } from '../../src-main/models/messages.ts';
import { chatRequest as ollamaRequest } from '../../src-main/models/ollama/chat-request.ts';
import { jsonLines } from '../../src-main/models/ollama/json-lines.ts';
import { factsOf } from '../../src-main/models/ollama/model-facts.ts';
import { OllamaProvider } from '../../src-main/models/ollama/ollama-provider.ts';
import { openAiModel } from '../../src-main/models/openai/catalogue.ts';
import { chatRequest } from '../../src-main/models/openai/chat-request.ts';
import { OpenAiProvider } from '../../src-main/models/openai/openai-provider.ts';
import { responsesRequest } from '../../src-main/models/openai/responses-request.ts';
import type { ModelProvider, ModelRequest } from '../../src-main/models/provider.ts';
import { answerEvents } from '../../src-main/models/transport/event-stream.ts';
import { RefusedParts } from '../../src-main/models/transport/refused-parts.ts';
import type { ScriptedTurn } from '../fixtures/messages-api/script.ts';
import { bareEnvironment } from '../fixtures/running-assistant.ts';
import type { Bench } from './bench.ts';
import { startServer } from './child-processes.ts';
import { comparison } from './report.ts';
import { interleaved } from './sampling.ts';

const KEY = 'sk-bench-0123456789';
/** Nearer than any service is. */
const ANSWER: ScriptedTurn = { text: 'Hello. '.repeat(20), delayMs: 20 };
const TOOLS = 60;
const ROUNDS_BEFORE = 20;

/** A conversation in the middle of its work. */
function requestFor(model: string): ModelRequest {
  const messages: Message[] = Array.from({ length: ROUNDS_BEFORE }).flatMap((_, index): Message[] => {
    const id = `call_${index}`;
    const content = `line ${index}\n`.repeat(200);
    return [
      { role: 'user', content: [{ type: 'text', text: `Read file ${index}.` }] },
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'tool_1', input: { path: `f${index}` } }] },
      { role: 'user', content: [{ type: 'tool_result', toolUseId: id, content, isError: false }] },
      { role: 'assistant', content: [{ type: 'text', text: 'I read it.' }] },
    ];
  });
  const inputSchema = { type: 'object', properties: { path: { type: 'string', description: 'A file' } } };
  return {
    model,
    system: 'You are a bench. '.repeat(100),
    signal: new AbortController().signal,
    messages: [...messages, { role: 'user', content: [{ type: 'text', text: 'And now?' }] }],
    tools: Array.from({ length: TOOLS }, (_, index) => ({
      name: `tool_${index}`,
      description: 'Does it.',
      inputSchema,
    })),
  };
}

/** Milliseconds to the first piece of text. `isText` recognises it among the events of the side that is measured. */
async function firstText<E>(events: AsyncIterable<E> | Promise<AsyncIterable<E>>, isText: (event: E) => boolean) {
  const startedAt = performance.now();
  let ms: number | undefined;
  for await (const event of await events) if (isText(event)) ms ??= performance.now() - startedAt;
  if (ms === undefined) throw new Error('No text arrived');
  return { ms };
}

interface Sides {
  readonly name: string;
  readonly ours: () => Promise<{ ms: number }>;
  readonly bare: () => Promise<{ ms: number }>;
}

function ours(provider: ModelProvider, request: ModelRequest): Sides['ours'] {
  return () => firstText(provider.stream(request), ({ type }) => type === 'text');
}

function claude(baseURL: string): Sides {
  const request = requestFor('claude-sonnet-5-5');
  const body = requestBody(request, {
    refusedThinking: new Set(),
    withoutThinkingParameter: false,
    withoutDeferral: false,
  });
  const client = new Anthropic({ apiKey: KEY, baseURL, maxRetries: 0 });
  return {
    name: 'Claude',
    ours: ours(new AnthropicProvider({ apiKey: async () => KEY, baseUrl: baseURL }), request),
    bare: () => firstText(client.messages.create(body), ({ type }) => type === 'content_block_delta'),
  };
}

function openAi(url: string): readonly Sides[] {
  const baseURL = `${url}/v1`;
  const client = new OpenAI({ apiKey: KEY, baseURL, maxRetries: 0 });
  const provider = new OpenAiProvider({ name: 'openai', apiKey: async () => KEY, needsKey: true, baseUrl: baseURL });
  const chat = requestFor('gpt-4.1');
  const responses = requestFor('gpt-6.2-sol');
  const optionsFor = (model: string) =>
    ({ model: openAiModel(model), dialect: 'openai', refused: new RefusedParts() }) as const;
  const chatBody = chatRequest(chat, optionsFor(chat.model));
  const responsesBody = responsesRequest(responses, optionsFor(responses.model));
  return [
    {
      name: 'Chat Completions',
      ours: ours(provider, chat),
      bare: () =>
        firstText(client.chat.completions.create(chatBody), ({ choices }) => Boolean(choices[0]?.delta.content)),
    },
    {
      name: 'Responses',
      ours: ours(provider, responses),
      bare: () =>
        firstText(client.responses.create(responsesBody), ({ type }) => type === 'response.output_text.delta'),
    },
  ];
}

/** Steward has no SDK for it: the bare side is `fetch`. */
function gemini(baseUrl: string): Sides {
  const request = requestFor('gemini-3.8-flash');
  const options = { model: geminiModel(request.model), refused: new RefusedParts() };
  const body = JSON.stringify(geminiBody(request, options));
  const url = `${baseUrl}/v1beta/models/${request.model}:streamGenerateContent?alt=sse`;
  const reading = { service: geminiService('127.0.0.1'), eventsOf: () => [] };
  const post = async () =>
    answerEvents(await fetch(url, { method: 'POST', body, headers: { 'x-goog-api-key': KEY } }), reading);
  const provider = new GeminiProvider({ name: 'gemini', apiKey: async () => KEY, needsKey: true, baseUrl });
  return {
    name: 'Gemini',
    ours: ours(provider, request),
    bare: () => firstText(post(), (chunk) => JSON.stringify(chunk).includes('"text":"H')),
  };
}

/** The bare side is `fetch`, as for Gemini. */
function ollama(baseUrl: string): Sides {
  const request = requestFor('qwen3:8b');
  const facts = factsOf({ capabilities: ['completion', 'tools'] });
  const contextTokens = 100_000;
  const options = { facts, contextTokens, hasTools: true, canThink: false };
  const body = JSON.stringify(ollamaRequest(request, options));
  const noKey = async () => undefined;
  const provider = new OllamaProvider({ name: 'ollama', apiKey: noKey, needsKey: false, baseUrl, contextTokens });
  const post = async () => {
    const { body: answer } = await fetch(`${baseUrl}/api/chat`, { method: 'POST', body });
    if (answer === null) throw new Error('No answer');
    return jsonLines(answer);
  };
  return {
    name: 'Ollama',
    ours: ours(provider, request),
    bare: () => firstText(post(), (line) => JSON.stringify(line).includes('"content":"H')),
  };
}

/**
 * The first piece of an answer, history and tools made ready included, against each vendor's SDK or `fetch` with a
 * request that is ready.
 */
export const firstToken: Bench = {
  name: 'first token',
  meaning:
    'What Steward adds between a message and the first word of each vendor’s answer, late in a long conversation.',
  run: async ({ isQuick, temporaryFolder }) => {
    const script = join(temporaryFolder, 'first-token-script.json');
    await writeFile(script, JSON.stringify({ turns: [ANSWER], afterLast: 'repeat' }));
    const serve = (vendor: string) =>
      startServer({
        program: process.execPath,
        args: [join(import.meta.dirname, '../fixtures/serve-model.ts'), vendor, script],
        cwd: temporaryFolder,
        env: bareEnvironment(temporaryFolder),
      });
    const vendors = ['messages-api', 'openai', 'gemini', 'ollama'] as const;
    const servers = await Promise.all(vendors.map(serve));
    const [messagesApi = '', openAiApi = '', geminiApi = '', ollamaApi = ''] = servers.map(({ url }) => url);
    const all = [claude(messagesApi), ...openAi(openAiApi), gemini(geminiApi), ollama(ollamaApi)];
    try {
      const rows = [];
      for (const { name, ...sides } of all) {
        const samples = await interleaved(sides, { warmUps: isQuick ? 1 : 5, rounds: isQuick ? 3 : 30 });
        const times = (side: keyof typeof sides) => samples[side].map(({ ms }) => ms);
        const measured = {
          what: `${name}: ${TOOLS} tools, ${ROUNDS_BEFORE} rounds before`,
          unit: 'ms',
          ours: times('ours'),
        } as const;
        rows.push(comparison(measured, { name: 'SDK alone', theirs: times('bare') }, { ratioAtMost: 1.1 }));
      }
      return rows;
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  },
};
