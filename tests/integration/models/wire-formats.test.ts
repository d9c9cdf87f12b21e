import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { AnthropicProvider } from '../../../src-main/models/anthropic/anthropic-provider.ts';
import { GeminiProvider } from '../../../src-main/models/gemini/gemini-provider.ts';
import type { Message } from '../../../src-main/models/messages.ts';
import { OllamaProvider } from '../../../src-main/models/ollama/ollama-provider.ts';
import { OpenAiProvider, type OpenAiProviderOptions } from '../../../src-main/models/openai/openai-provider.ts';
import type { ModelProvider, ModelRequest } from '../../../src-main/models/provider.ts';

/**
 * The requests of each format, to the byte: method, address, headers and body. They were recorded when the vendors' SDKs
 * made them, and stay the same whoever makes them. `--update` records them again: read the difference before you keep it.
 */

const KEY = 'key-0123456789abcdef';
const VENDORS = 'https://api.anthropic.com';
/** An error, and what Ollama says of a model. */
const ANSWER = { error: { message: 'recorded' }, capabilities: ['completion', 'tools', 'thinking', 'vision'] };

interface Place {
  readonly url: string;
  /** Sends what goes to the vendor to the recording server instead. */
  readonly fetch: typeof fetch;
}

const common = { apiKey: async () => KEY, needsKey: true, maxRetries: 0 };
const keyless = { ...common, apiKey: async () => undefined, needsKey: false };
const openAi =
  (path: string, options: Partial<OpenAiProviderOptions> = {}) =>
  ({ url }: Place) =>
    new OpenAiProvider({ name: 'openai', ...common, baseUrl: url + path, ...options });
const gemini = ({ url }: Place) => new GeminiProvider({ name: 'gemini', ...common, baseUrl: `${url}/prefix` });

const MAKERS: Readonly<Record<string, readonly [string, (place: Place) => ModelProvider]>> = {
  anthropic: ['claude-sonnet-5-5', ({ fetch }) => new AnthropicProvider({ ...common, fetch })],
  'anthropic-gateway': ['claude-3-haiku', ({ url }) => new AnthropicProvider({ ...common, baseUrl: `${url}/gate/` })],
  'anthropic-keyless': ['local', ({ url }) => new AnthropicProvider({ ...keyless, baseUrl: url })],
  'openai-chat': ['gpt-4.1', openAi('/v1')],
  'openai-responses': ['gpt-6.2-sol', openAi('/v1')],
  'openai-compatible': ['qwen3-vl', openAi('/v1', keyless)],
  'azure-chat': ['gpt 4/1', openAi('', { apiVersion: '2025-04-01-preview', api: 'chat' })],
  'azure-responses': ['gpt-5.4', openAi('/openai', { apiVersion: '2025-04-01-preview' })],
  gemini: ['gemini-3.8-flash', gemini],
  'gemini-older': ['models/gemini-2.5-flash', gemini],
  'gemini-odd': ['tunedModels/my model', gemini],
  ollama: ['qwen3:8b', ({ url }) => new OllamaProvider({ name: 'ollama', ...keyless, baseUrl: url })],
};

test.each(Object.keys(MAKERS))('%s', async (name) => {
  const { place, requests } = await recordingServer();
  const [model, make] = MAKERS[name] ?? ['', gemini];
  const provider = make(place);
  for (const request of [full(model), bare(model)]) await attempted(provider, request);
  await provider.list(AbortSignal.timeout(10_000)).catch(() => undefined);
  const recorded = `${JSON.stringify(requests, null, 2)}\n`;
  await expect(recorded).toMatchFileSnapshot(`../../fixtures/wire-formats/${name}.json`);
});

/** Sends one request. Only what is sent counts: the answer is the same for all, and for most there is none. */
async function attempted(provider: ModelProvider, request: ModelRequest): Promise<void> {
  const events = provider.stream(request);
  await (async () => {
    for await (const _ of events);
  })().catch(() => undefined);
}

async function recordingServer() {
  const requests: unknown[] = [];
  const server = createServer(async (incoming, response) => {
    const { method, url, headers } = incoming;
    const { host: _host, 'user-agent': _agent, connection: _connection, ...sent } = headers;
    requests.push({ method, url, headers: sent, body: await text(incoming) });
    const status = url === '/api/show' ? 200 : 400;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(ANSWER));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const place: Place = { url, fetch: (input, init) => fetch(String(input).replace(VENDORS, url), init) };
  return { place, requests };
}

const signal = new AbortController().signal;

function bare(model: string): ModelRequest {
  return {
    model,
    system: '',
    tools: [],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    signal,
  };
}

function full(model: string): ModelRequest {
  return {
    model,
    system: 'You are “Steward”.\nSay little.',
    messages: CONVERSATION,
    tools: [
      {
        name: 'read_file',
        description: 'Reads a file',
        inputSchema: {
          type: 'object',
          properties: { path: { type: 'string' }, lines: { type: ['integer', 'null'], minimum: 1 } },
          required: ['path'],
          additionalProperties: false,
        },
      },
      {
        name: 'server__find',
        description: 'Finds',
        inputSchema: { type: 'object', properties: { query: { enum: ['a', 'b'] }, 'odd name': { anyOf: [{}, {}] } } },
      },
    ],
    maxTokens: 1_234,
    temperature: 0.5,
    effort: 'high',
    stopSequences: ['END', '\n\n'],
    signal,
  };
}

const CONVERSATION: readonly Message[] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Grüße 👋🏽 \u2028 </script> "quoted"' },
      { type: 'image', mediaType: 'image/png', data: 'QUJD' },
      { type: 'document', mediaType: 'application/pdf', data: 'JVBERg==', name: 'plan.pdf' },
      { type: 'audio', mediaType: 'audio/wav', data: 'UklGRg==', name: 'a.wav' },
    ],
  },
  {
    role: 'assistant',
    content: [
      {
        type: 'thinking',
        thinking: 'Hm.',
        signature: '{"type":"reasoning","id":"r1","summary":[],"encrypted_content":"x"}',
      },
      { type: 'redacted_thinking', data: 'AAAA' },
      { type: 'text', text: 'I look.', signature: '{"phase":"commentary"}' },
      { type: 'tool_use', id: 'call_1', name: 'read_file', input: { path: 'ä.txt', lines: 9007199254740993n } },
      { type: 'tool_use', id: 'call_2', name: 'server__find', input: { query: 'a', nested: [{ deep: null }] } },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', toolUseId: 'call_1', content: 'line\r\n', isError: false },
      {
        type: 'tool_result',
        toolUseId: 'call_2',
        content: 'Error: none',
        isError: true,
        media: [{ type: 'image', mediaType: 'image/jpeg', data: 'QUJD' }],
      },
      { type: 'text', text: 'And now?' },
    ],
  },
];
