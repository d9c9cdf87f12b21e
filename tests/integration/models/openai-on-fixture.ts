import { onTestFinished } from 'vitest';
import type { Message } from '../../../src-main/models/messages.ts';
import { OpenAiProvider, type OpenAiProviderOptions } from '../../../src-main/models/openai/openai-provider.ts';
import { type OpenAiApiOptions, startOpenAiApi } from '../../fixtures/openai/server.ts';
import { asking, HELLO, withoutWaiting } from './asking.ts';

/** The provider in front of a scripted server that ends with the test. */

export const OPENAI_KEY = 'sk-test-0123456789abcdef';
/** Sees, thinks, and is reached by Responses. */
export const THINKER = 'gpt-6.2-sol';
/** Sees, does not think, and is reached by Chat Completions. */
export const TALKER = 'gpt-4.1';

/** `address`: what follows the server's URL in the base URL; default `/v1`. */
export async function openAiOn(
  script: OpenAiApiOptions,
  options: Partial<OpenAiProviderOptions> = {},
  address = '/v1',
) {
  const server = await startOpenAiApi(script);
  onTestFinished(() => server.close());
  const waits: number[] = [];
  const provider = new OpenAiProvider({
    name: 'openai',
    apiKey: async () => OPENAI_KEY,
    needsKey: true,
    baseUrl: server.url + address,
    ...withoutWaiting(waits),
    ...options,
  });
  const ask = asking(provider, { model: TALKER });
  return { server, provider, ask, waits, bodies: () => server.requests.map(({ body }) => body) };
}

export const IMAGE = { type: 'image', mediaType: 'image/png', data: 'QUJD' } as const;
export const SOUND = { type: 'audio', mediaType: 'audio/wav', data: 'UklGRg==' } as const;
export const PAPER = { type: 'document', mediaType: 'application/pdf', data: 'JVBERg==', name: 'plan.pdf' } as const;

/** A call, its answer, and a word after it. */
export function answered(
  content: Partial<Extract<Message['content'][number], { type: 'tool_result' }>> = {},
): Message[] {
  const result = { type: 'tool_result', toolUseId: 'call_1', content: 'the text', isError: false } as const;
  return [
    HELLO,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'read_file', input: { path: 'a' } }] },
    {
      role: 'user',
      content: [
        { ...result, ...content },
        { type: 'text', text: 'and now?' },
      ],
    },
  ];
}
