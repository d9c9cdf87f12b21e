import { expect, test } from 'vitest';
import { messageCharacters } from '../../../src-main/assistant/context-window.ts';
import { mediaOf, withinMediaRoom } from '../../../src-main/assistant/result-media.ts';
import type { Message, ToolResultBlock } from '../../../src-main/models/messages.ts';
import type { DocumentBlock, ImageBlock, ResultPart } from '../../../src-preload/contract/content-blocks.ts';

const image = (data = 'QUJD'): ImageBlock => ({ type: 'image', mediaType: 'image/png', data });
const result = (id: string, ...images: ImageBlock[]): ToolResultBlock => ({
  type: 'tool_result',
  toolUseId: id,
  content: id,
  isError: false,
  media: images,
});
const user = (...content: ToolResultBlock[]): Message => ({ role: 'user', content });
const counts = (messages: readonly Message[]) =>
  messages.map(({ content }) => content.map((block) => (block.type === 'tool_result' ? block.media?.length : null)));

test('the parts of a result that are no text are given as such', () => {
  const parts: ResultPart[] = [
    { type: 'text', text: 'a' },
    image(),
    { type: 'audio', mediaType: 'audio/wav', data: 'QUJD' },
  ];
  expect(mediaOf({ parts })).toEqual(parts.slice(1));
  expect(mediaOf({})).toEqual([]);
});

test('the newest pictures that a request has room for are given', () => {
  const many = Array.from({ length: 12 }, () => image());
  expect(counts(withinMediaRoom([user(result('a', ...many)), user(result('b', ...many))]))).toEqual([[8], [12]]);
  const large = image('A'.repeat(7_000_000));
  expect(counts(withinMediaRoom([user(result('a', large)), user(result('b', image()), result('c', large))]))).toEqual([
    [undefined],
    [1, 1],
  ]);
});

test('a history without pictures in results is unchanged', () => {
  const messages: readonly Message[] = [
    { role: 'user', content: [{ type: 'text', text: 'hi' }, image('A'.repeat(13_000_000))] },
    { role: 'assistant', content: [{ type: 'text', text: 'ho' }] },
  ];
  expect(withinMediaRoom(messages)).toEqual(messages);
});

test('of what is attached to messages the newest is given, before any in results, and a text says what is left out', () => {
  const paper = (name: string): DocumentBlock => ({
    type: 'document',
    mediaType: 'application/pdf',
    name,
    data: 'A'.repeat(20_000_000),
  });
  const attached = (name: string): Message => ({ role: 'user', content: [paper(name), { type: 'text', text: name }] });
  const large = user(result('c', image('A'.repeat(9_000_000)), image()));
  const given = withinMediaRoom([attached('old.pdf'), attached('new.pdf'), large]);
  expect(given[0]?.content).toEqual([
    { type: 'text', text: expect.stringMatching(/"old\.pdf".*left out.*attach it again/) },
    { type: 'text', text: 'old.pdf' },
  ]);
  expect(given[1]).toEqual(attached('new.pdf'));
  expect(counts(given)[2]).toEqual([1]);
});

test('a picture in a result counts as one that is attached', () => {
  const attached = messageCharacters({ role: 'user', content: [image()] });
  const plain = messageCharacters(user({ ...result('a'), media: [] }));
  expect(messageCharacters(user(result('a', image()))) - plain).toBe(attached);
});
