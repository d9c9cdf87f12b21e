import { afterEach } from 'vitest';
import {
  AnthropicProvider,
  type AnthropicProviderOptions,
} from '../../../src-main/models/anthropic/anthropic-provider.ts';
import type { Message } from '../../../src-main/models/messages.ts';
import { ModelError, type ModelRequest, type ModelStreamEvent } from '../../../src-main/models/provider.ts';
import { type MessagesApi, type MessagesApiOptions, startMessagesApi } from '../../fixtures/messages-api/server.ts';

/** The provider on the real SDK, in front of a scripted server that ends with the test. */

export const KEY = 'sk-ant-test-0123456789abcdef';
const started: MessagesApi[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close()));
});

export const HELLO: Message = { role: 'user', content: [{ type: 'text', text: 'Hello' }] };
export async function setUp(script: MessagesApiOptions, options: Partial<AnthropicProviderOptions> = {}, prefix = '') {
  const server = await startMessagesApi(script);
  started.push(server);
  const waits: number[] = [];
  const provider = new AnthropicProvider({
    apiKey: async () => KEY,
    baseUrl: server.url + prefix,
    random: () => 0.5,
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
    },
    ...options,
  });
  const request = (given: Partial<ModelRequest> = {}): ModelRequest => ({
    model: 'claude-sonnet-5-5',
    system: 'You are a test.',
    messages: [HELLO],
    tools: [{ name: 'read_file', description: 'Reads', inputSchema: { type: 'object' } }],
    signal: new AbortController().signal,
    ...given,
  });
  const ask = async (given: Partial<ModelRequest> = {}, events: ModelStreamEvent[] = []) => {
    for await (const event of provider.stream(request(given))) events.push(event);
    return {
      events,
      blocks: events.flatMap((event) => (event.type === 'block' ? [event.block] : [])),
      text: events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
      thinking: events.map((event) => (event.type === 'thinking' ? event.text : '')).join(''),
    };
  };
  return { server, provider, request, ask, waits };
}

export async function failureOf(asked: Promise<unknown>): Promise<ModelError> {
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ModelError) return error;
  throw new Error('expected a ModelError', { cause: error });
}
