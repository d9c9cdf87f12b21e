import type { Message } from '../../../src-main/models/messages.ts';
import {
  ModelError,
  type ModelProvider,
  type ModelRequest,
  type ModelStreamEvent,
} from '../../../src-main/models/provider.ts';

export const HELLO: Message = { role: 'user', content: [{ type: 'text', text: 'Hello' }] };

export function requestWith(given: Partial<ModelRequest>): ModelRequest {
  return {
    model: 'any',
    system: 'You are a test.',
    messages: [HELLO],
    tools: [{ name: 'read_file', description: 'Reads', inputSchema: READ_FILE }],
    signal: new AbortController().signal,
    ...given,
  };
}

/** One request to a provider, with what came of it. `events` are filled as they come, even if it fails. */
export function asking(provider: ModelProvider, defaults: Partial<ModelRequest>) {
  return async (given: Partial<ModelRequest> = {}, events: ModelStreamEvent[] = []) => {
    for await (const event of provider.stream(requestWith({ ...defaults, ...given }))) events.push(event);
    return {
      events,
      blocks: events.flatMap((event) => (event.type === 'block' ? [event.block] : [])),
      text: events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
      thinking: events.map((event) => (event.type === 'thinking' ? event.text : '')).join(''),
      end: events.find((event) => event.type === 'end'),
      retries: events.flatMap((event) => (event.type === 'retry' ? [event.error.code] : [])),
    };
  };
}

export async function failureOf(asked: Promise<unknown>): Promise<ModelError> {
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ModelError) return error;
  throw new Error('expected a ModelError', { cause: error });
}

/** Options of a provider that waits for nothing; `waits`: what it would have waited. */
export function withoutWaiting(waits: number[]) {
  return {
    random: () => 0.5,
    sleep: async (milliseconds: number) => {
      waits.push(milliseconds);
    },
  };
}

const READ_FILE = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
