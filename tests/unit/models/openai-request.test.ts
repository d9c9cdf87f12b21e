import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src-main/models/messages.ts';
import { compatibleModel, openAiModel } from '../../../src-main/models/openai/catalogue.ts';
import { chatRequest } from '../../../src-main/models/openai/chat-request.ts';
import { responsesRequest } from '../../../src-main/models/openai/responses-request.ts';
import type { Effort, ModelRequest } from '../../../src-main/models/provider.ts';
import { RefusedParts } from '../../../src-main/models/transport/refused-parts.ts';
import type { AssistantBlock } from '../../../src-preload/contract/content-blocks.ts';
import { chatRefusal } from '../../fixtures/openai/chat-refusals.ts';
import { encryptedThought } from '../../fixtures/openai/responses-events.ts';
import { responsesRefusal } from '../../fixtures/openai/responses-refusals.ts';

const words = fc.oneof(fc.constantFrom('', ' ', '\n', 'some words'), fc.string({ unit: 'binary' }));
const mediaTypes = ['image/png', 'image/jpg', 'image/tiff', 'audio/wav', 'audio/ogg', 'application/pdf', 'text/plain'];
const kinds = ['image', 'audio', 'document'] as const;
const media = fc
  .tuple(fc.constantFrom(...kinds), fc.constantFrom(...mediaTypes), fc.constantFrom('QUJD', '', 'not base64!'))
  .map(([type, mediaType, data]) => ({ type, mediaType, data }));
const thought = (model: string) =>
  fc.tuple(words, fc.nat({ max: 99 }), fc.boolean()).map(([thinking, number, isCutOff]): AssistantBlock => {
    const id = `rs_${number}`;
    const item = { type: 'reasoning', id, summary: [], encrypted_content: encryptedThought(model, id) };
    return { type: 'thinking', thinking, signature: isCutOff ? '' : JSON.stringify(item) };
  });

/** Any history whose calls are answered, as the fold of a conversation gives it: no thinking last. */
function histories(model: string) {
  const text = words.map((said) => ({ type: 'text', text: said }) as const);
  const name = fc.constantFrom('read_file', 'no such tool!', 'x'.repeat(99));
  const id = fc.constantFrom('call', 'toolu_'.repeat(9));
  const round = fc.tuple(
    fc.array(fc.oneof(text, thought(model)), { maxLength: 3 }),
    fc.array(fc.tuple(id, name, fc.array(media, { maxLength: 2 })), { maxLength: 3 }),
    fc.array(fc.oneof(text, media), { maxLength: 2 }),
    words,
  );
  return fc.array(round, { maxLength: 4 }).map((rounds) => {
    const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'start' }] }];
    for (const [index, [said, calls, more, content]] of rounds.entries()) {
      const ids = calls.map(([prefix], position) => `${prefix}_${index}_${position}`);
      const used = calls.map(
        ([, called], position): AssistantBlock => ({
          type: 'tool_use',
          id: ids[position] ?? '',
          name: called,
          input: {},
        }),
      );
      const last: AssistantBlock = { type: 'text', text: 'so' };
      messages.push({ role: 'assistant', content: [...said, ...(used.length === 0 ? [last] : used)] });
      const results = ids.map(
        (toolUseId, position) =>
          ({ type: 'tool_result', toolUseId, content, isError: false, media: calls[position]?.[2] ?? [] }) as const,
      );
      messages.push({ role: 'user', content: [...more, ...results, { type: 'text', text: 'go on' }] });
    }
    return messages;
  });
}

const effort = fc.constantFrom<(Effort | undefined)[]>(undefined, 'none', 'low', 'medium', 'high', 'max');
const tools = fc
  .array(fc.constantFrom({ type: 'object' }, { type: 'object', properties: { path: { type: 'string' } } }), {
    maxLength: 3,
  })
  .map((schemas) =>
    schemas.map((inputSchema, index) => ({ name: `tool_${index}`, description: 'Does it.', inputSchema })),
  );
const wishes = (model: string) =>
  fc.record({
    system: words,
    messages: histories(model),
    tools,
    effort,
    maxTokens: fc.constantFrom(undefined, 0, 1, 1_000_000),
    temperature: fc.constantFrom(undefined, 0, 1.5),
    stopSequences: fc.constantFrom(undefined, ['a'], ['a', 'b', 'c', 'd', 'e']),
  });
const signal = new AbortController().signal;

describe('any validly paired history makes a request that the service accepts', () => {
  test.each(['gpt-4.1', 'gpt-4o-mini', 'gpt-audio-1.5', 'o3', 'gpt-5.6-sol'])('%s by Chat Completions', (name) => {
    fc.assert(
      fc.property(wishes(name), (wished) => {
        const request = { ...wished, model: name, signal } as ModelRequest;
        const body = chatRequest(request, { model: openAiModel(name), dialect: 'openai', refused: new RefusedParts() });
        expect(chatRefusal(JSON.parse(JSON.stringify(body)), {})).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });

  test('another model by Chat Completions', () => {
    fc.assert(
      fc.property(wishes('mixtral'), (wished) => {
        const request = { ...wished, model: 'mixtral', signal } as ModelRequest;
        const refused = new RefusedParts();
        // An effort is tried once.
        refused.add(request, 'thinking');
        const options = { model: compatibleModel('mixtral'), dialect: 'compatible', refused } as const;
        const body = JSON.parse(JSON.stringify(chatRequest(request, options)));
        expect(
          chatRefusal(body, { unknownParameters: ['max_completion_tokens', 'prompt_cache_key', 'reasoning_effort'] }),
        ).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });

  test.each(['gpt-6.2-sol', 'gpt-5.4', 'gpt-5.1', 'gpt-5', 'gpt-4.1'])('%s by Responses', (name) => {
    fc.assert(
      fc.property(wishes(name), (wished) => {
        const request = { ...wished, model: name, signal } as ModelRequest;
        const body = responsesRequest(request, {
          model: openAiModel(name),
          dialect: 'openai',
          refused: new RefusedParts(),
        });
        expect(responsesRefusal(JSON.parse(JSON.stringify(body)), {})).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });
});
