import { expect, test } from 'vitest';
import { messageCharacters } from '../../../src-main/assistant/context-window.ts';
import { imagesOf, withinImageRoom } from '../../../src-main/assistant/result-images.ts';
import type { Message, ToolResultBlock } from '../../../src-main/models/messages.ts';
import type { ImageBlock, ResultPart } from '../../../src-preload/contract/content-blocks.ts';

const image = (data = 'QUJD'): ImageBlock => ({ type: 'image', mediaType: 'image/png', data });
const result = (id: string, ...images: ImageBlock[]): ToolResultBlock => ({
  ...{ type: 'tool_result', toolUseId: id, content: id, isError: false },
  images,
});
const user = (...content: ToolResultBlock[]): Message => ({ role: 'user', content });
const counts = (messages: readonly Message[]) =>
  messages.map(({ content }) => content.map((block) => (block.type === 'tool_result' ? block.images?.length : null)));

test('of the parts of a result only pictures are given as such', () => {
  const parts: ResultPart[] = [
    { type: 'text', text: 'a' },
    image(),
    { type: 'audio', mediaType: 'audio/wav', data: 'QUJD' },
  ];
  expect(imagesOf({ parts })).toEqual([image()]);
  expect(imagesOf({})).toEqual([]);
});

test('the newest pictures that a request has room for are given', () => {
  const many = Array.from({ length: 12 }, () => image());
  expect(counts(withinImageRoom([user(result('a', ...many)), user(result('b', ...many))]))).toEqual([[8], [12]]);
  const large = image('A'.repeat(7_000_000));
  expect(counts(withinImageRoom([user(result('a', large)), user(result('b', image()), result('c', large))]))).toEqual([
    [undefined],
    [1, 1],
  ]);
});

test('a history without pictures in results is unchanged', () => {
  const messages: readonly Message[] = [
    { role: 'user', content: [{ type: 'text', text: 'hi' }, image('A'.repeat(13_000_000))] },
    { role: 'assistant', content: [{ type: 'text', text: 'ho' }] },
  ];
  expect(withinImageRoom(messages)).toEqual(messages);
});

test('a picture in a result counts as one that is attached', () => {
  const attached = messageCharacters({ role: 'user', content: [image()] });
  const plain = messageCharacters(user({ ...result('a'), images: [] }));
  expect(messageCharacters(user(result('a', image()))) - plain).toBe(attached);
});
