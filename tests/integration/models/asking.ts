import type { Message } from '../../../src-main/models/messages.ts';
import type { ModelProvider, ModelRequest, ModelStreamEvent } from '../../../src-main/models/provider.ts';

export const HELLO: Message = { role: 'user', content: [{ type: 'text', text: 'Hello' }] };

/** One request to a provider, with what came of it. `events`: filled as they come, also if it fails. */
export function asking(provider: ModelProvider, defaults: Partial<ModelRequest>) {
  return async (given: Partial<ModelRequest> = {}, events: ModelStreamEvent[] = []) => {
    const request: ModelRequest = {
      model: 'any',
      system: 'You are a test.',
      messages: [HELLO],
      tools: [{ name: 'read_file', description: 'Reads', inputSchema: READ_FILE }],
      signal: new AbortController().signal,
      ...defaults,
      ...given,
    };
    for await (const event of provider.stream(request)) events.push(event);
    return {
      events,
      blocks: events.flatMap((event) => (event.type === 'block' ? [event.block] : [])),
      text: events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
      thinking: events.map((event) => (event.type === 'thinking' ? event.text : '')).join(''),
      end: events.find((event) => event.type === 'end'),
    };
  };
}

const READ_FILE = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
