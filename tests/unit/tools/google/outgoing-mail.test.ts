import fc from 'fast-check';
import { expect, test } from 'vitest';
import { composeMail, OUTBOX_HEADER } from '../../../../src-main/tools/google/outgoing-mail.ts';
import { readMail } from '../../../fixtures/google/mail-text.ts';

const ID = 'b5f0c9de-7c0e-4c53-9f52-2f1a9a6d1c11';
const ADA = { name: 'Ada Lovelace', address: 'ada@example.org' };
const composed = async (mail: { subject?: string; body?: string; to?: readonly (typeof ADA)[] }) =>
  readMail((await composeMail({ to: [ADA], subject: 'Tuesday', body: 'Hi', ...mail }, ID)).toString('utf8'));

test('is a message of one part in UTF-8, with our header and without a sender', async () => {
  const { headers, body } = await composed({});
  const names = headers.map(([name]) => name).sort();
  expect(names).toEqual(
    [
      OUTBOX_HEADER.toLowerCase(),
      'content-transfer-encoding',
      'content-type',
      'date',
      'message-id',
      'mime-version',
      'subject',
      'to',
    ].sort(),
  );
  expect(Object.fromEntries(headers)).toMatchObject({
    [OUTBOX_HEADER.toLowerCase()]: ID,
    to: 'Ada Lovelace <ada@example.org>',
    subject: 'Tuesday',
    'mime-version': '1.0',
    'content-type': 'text/plain; charset=utf-8',
    'content-transfer-encoding': 'base64',
  });
  expect(body).toBe('Hi');
});

test.each([
  'Grüße',
  'ü'.repeat(300),
  '日本語の件名'.repeat(20),
  '=?utf-8?q?not_encoded?=',
  'a'.repeat(900),
  'a'.repeat(5_000),
  `ü ${'a'.repeat(1_500)} and more`,
  `${'=/?&_-'.repeat(300)}`,
  ' with blanks ',
  `${'word '.repeat(30)}=?utf-8?b?ZXZpbA==?= ü`,
])('a subject arrives as it was: %s', async (subject) => {
  expect(Object.fromEntries((await composed({ subject })).headers).subject?.trim()).toBe(subject.trim());
});

test('no line is longer than 998 characters', async () => {
  for (const subject of ['a'.repeat(5_000), `ü ${'a'.repeat(1_500)}`, `a${' '.repeat(2_000)}b`, 'ab '.repeat(1_000)]) {
    const mail = (await composeMail({ to: [ADA], subject, body: 'x'.repeat(5_000) }, ID)).toString('latin1');
    for (const line of mail.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998);
  }
});

test.each([
  ['', ''],
  ['Does ten suit you?\n\n– B.', 'Does ten suit you?\r\n\r\n– B.'],
  ['a\r\nb\rc\nd', 'a\r\nb\r\nc\r\nd'],
  ['.\nFrom here\n--boundary\n\n', '.\r\nFrom here\r\n--boundary\r\n\r\n'],
  ['Bcc: evil@example.com\n\nContent-Type: text/html', 'Bcc: evil@example.com\r\n\r\nContent-Type: text/html'],
])('a text arrives as it was, with the line ends of mail: %j', async (body, arrived) => {
  expect((await composed({ body })).body).toBe(arrived);
});

test('names that are not ASCII, or have a comma, stay names', async () => {
  const to = [
    { name: 'Jörg, Müller', address: 'j@example.org' },
    { name: '', address: 'a@example.org' },
  ];
  const { headers } = await composed({ to });
  expect(Object.fromEntries(headers).to).toBe('Jörg, Müller <j@example.org>, a@example.org');
});

test('whatever subject and text are, there is one header of each name, and the text is whole', async () => {
  const line = fc.string({ unit: 'grapheme' }).filter((text) => !/\p{Cc}/u.test(text));
  await fc.assert(
    fc.asyncProperty(line, fc.string({ unit: 'grapheme' }), async (subject, body) => {
      const mail = await composed({ subject, body });
      const names = mail.headers.map(([name]) => name);
      expect(new Set(names).size).toBe(names.length);
      expect(mail.body).toBe(Buffer.from(body.replace(/\r\n?|\n/g, '\r\n')).toString('utf8'));
    }),
    { numRuns: 200 },
  );
});
