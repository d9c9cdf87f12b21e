import { expect, test } from 'vitest';
import { notAccepted, withAcceptedMedia } from '../../../src-main/models/accepted-media.ts';
import type { Message } from '../../../src-main/models/messages.ts';
import type { MediaBlock } from '../../../src-preload/contract/content-blocks.ts';

const image: MediaBlock = { type: 'image', mediaType: 'image/png', data: 'QUJD' };
const sound: MediaBlock = { type: 'audio', mediaType: 'audio/wav', data: 'QUJD' };
const paper: MediaBlock = { type: 'document', mediaType: 'application/pdf', data: 'QUJD', name: 'plan.pdf' };
const result = { type: 'tool_result', toolUseId: 'a', content: '[parts]', isError: false } as const;
const messages: readonly Message[] = [
  { role: 'user', content: [{ type: 'text', text: 'look' }, image, sound, paper] },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
  { role: 'user', content: [{ ...result, media: [image, sound, paper] }] },
];

test('a part that the model does not accept becomes a text that names it, where it was', () => {
  const accepted = withAcceptedMedia(messages, {
    inMessage: ({ type }) => type !== 'audio',
    inResult: ({ type }) => type === 'image',
  });
  expect(accepted[0]?.content).toEqual([{ type: 'text', text: 'look' }, image, notAccepted(sound), paper]);
  expect(accepted[1]).toEqual(messages[1]);
  const content = `[parts]\n${notAccepted(sound).text}\n${notAccepted(paper).text}`;
  expect(accepted[2]?.content).toEqual([{ ...result, content, media: [image] }]);
  expect(notAccepted(paper).text).toContain('plan.pdf');
});

test('a result without any accepted part has no parts, and what is accepted is unchanged', () => {
  const none = withAcceptedMedia(messages, { inMessage: () => false, inResult: () => false });
  expect(none[2]?.content[0]).not.toHaveProperty('media');
  expect(withAcceptedMedia(messages, { inMessage: () => true, inResult: () => true })).toEqual(messages);
});
