import { expect, test } from 'vitest';
import type { Message } from '../../../src-main/models/messages.ts';
import { HELLO, setUp } from './claude-on-fixture.ts';

const withImage = (data: string): Message => ({
  role: 'user',
  content: [
    { type: 'image', mediaType: 'image/png', data },
    { type: 'text', text: 'What is this?' },
  ],
});

test('a conversation goes on without an image that the service cannot read, and later images are sent', async () => {
  const error = { status: 400, message: 'Could not process image' };
  const { server, ask } = await setUp({ turns: [{ error }, { text: 'Nothing' }, { text: 'A dot' }] });
  await ask({ messages: [withImage('QUFBQQ==')] });
  const later = [withImage('QUFBQQ=='), { role: 'assistant', content: [{ type: 'text', text: 'Nothing' }] } as const];
  await ask({ messages: [...later, withImage('QkJCQg==')] });
  const sent = server.requests.map(({ body }) => JSON.stringify(body));
  expect(sent.map((body) => [body.includes('QUFBQQ=='), body.includes('QkJCQg==')])).toEqual([
    ...[
      [true, false],
      [false, false],
      [false, true],
    ],
  ]);
  expect(sent[1]).toContain('is left out');
});

test('a bad request that is not about an image is not sent again', async () => {
  const { server, ask } = await setUp({ turns: [{ error: { status: 400, message: 'messages.3: nonsense' } }] });
  await expect(ask({ messages: [HELLO, withImage('QUFBQQ==')] })).rejects.toThrow('nonsense');
  expect(server.requests).toHaveLength(1);
});
