import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { consentCard } from '../../src-main/ipc/consent/consent-card.ts';
import { outboxHandlers } from '../../src-main/ipc/conversations/outbox.ts';
import type { ConsentRequest } from '../../src-main/policy/consent.ts';
import { questionOf } from '../../src-main/policy/question/question-of.ts';
import { composeMail } from '../../src-main/tools/google/outgoing-mail.ts';
import { readMail } from '../fixtures/google/mail-text.ts';
import { startSentMail } from '../fixtures/google/sent-mail.ts';
import { outboxRig } from '../fixtures/outbox/outbox-rig.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';

const GOOD = { to: 'ada@example.com', subject: 'Tuesday', body: 'Hi' };
const LINE_BREAKS = 'Error sending email: line breaks are not allowed in to or subject';
const BCC = 'Bcc: eve@evil.example';

async function window(waitSeconds = 0) {
  const gmail = await startSentMail();
  const profile = mkdtempSync(join(tmpdir(), 'steward-mail-'));
  const rig = await outboxRig({ profile, url: gmail.url, waitSeconds });
  const asked: ConsentRequest[] = [];
  const tools = new ToolHarness({
    outbox: rig.outbox,
    google: { address: async () => 'me@example.com', token: async () => gmail.token ?? '' },
    consent: {
      ask: async (request) => {
        asked.push(request);
        return { answer: 'allow', scope: 'once', by: 'user' };
      },
    },
  });
  onTestFinished(async () => {
    await tools.dispose();
    await rig.close();
    rmSync(profile, { recursive: true, force: true });
  });
  return { gmail, rig, tools, asked, send: (input: object) => tools.call('gmail_send', { ...GOOD, ...input }) };
}

/** Everyone whom a mail server would deliver it to. */
function receivers(raw: string): string[] {
  const { headers } = readMail(Buffer.from(raw, 'base64url').toString('utf8'));
  return headers.filter(([name]) => /^(?:to|cc|bcc)$/.test(name)).flatMap(([, value]) => value.split(/,\s*/));
}

test('control: a message that is only put together delivers to who is in the subject', () => {
  const message = `To: ada@example.com\r\nSubject: Tuesday\r\n${BCC}\r\n\r\nSGk=`;
  expect(receivers(Buffer.from(message).toString('base64url'))).toEqual(['ada@example.com', 'eve@evil.example']);
});

test.each(['\r\n', '\n', '\r', '\r\n ', '\n\t', '\n\n'])(
  '%j in recipients or subject is refused with the text that says so',
  async (lineBreak) => {
    const { gmail, asked, send } = await window();
    for (const field of ['to', 'subject'] as const)
      expect(await send({ [field]: `${GOOD[field]}${lineBreak}${BCC}` })).toMatchObject({
        text: LINE_BREAKS,
        isError: true,
      });
    expect(asked).toEqual([]);
    expect(gmail.requests).toEqual([]);
  },
);

test.each([
  ['a line separator in the subject', { subject: `Tuesday\u2028${BCC}` }],
  ['a next-line character in the subject', { subject: `Tuesday\u0085${BCC}` }],
  ['an encoded line break in the subject', { subject: `=?utf-8?q?Tuesday=0D=0A${BCC}?=` }],
  ['a header in the text', { body: `\r\n${BCC}\r\n\r\nHi` }],
  ['a header at the start of the text', { body: `${BCC}\r\nContent-Type: text/html\r\n\r\n<b>Hi</b>` }],
  ['an encoded name', { to: '=?utf-8?q?=0D=0ABcc=3A_eve=40evil.example?= <ada@example.com>' }],
  ['a group', { to: 'Friends: ada@example.com, eve@evil.example;' }],
  ['a comment', { to: 'ada@example.com (eve@evil.example)' }],
  ['a route', { to: '<@evil.example:ada@example.com>' }],
  ['two addresses', { to: 'ada@example.com <eve@evil.example>' }],
])('%s adds no receiver and no header that was not shown', async (_, input) => {
  const { gmail, asked, send } = await window();
  const { isError } = await send(input);
  if (isError) expect([asked.length, gmail.sent.length]).toEqual([0, 0]);
  for (const { raw } of gmail.sent) {
    expect(receivers(raw)).toEqual(['ada@example.com']);
    const names = readMail(Buffer.from(raw, 'base64url').toString('utf8')).headers.map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toHaveLength(8);
  }
});

test('the card shows the real recipients, whatever their display names say', async () => {
  const { gmail, asked, send } = await window();
  const names = ['me', 'outside your organisation', 'Ada, Grace', 'ada at example.com', 'аdа', 'To', 'example.com'];
  for (const name of names) await send({ to: `"${name}" <eve@evil.example>` });
  const cards = await Promise.all(asked.map((request) => consentCard(questionOf(request), null)));
  for (const [index, { parts }] of cards.entries()) {
    const to = parts.find(({ title }) => title === 'To');
    expect(to).toMatchObject({ text: expect.stringMatching(/ <eve@evil\.example> {2}\(outside your organisation\)$/) });
    expect(gmail.sent[index]?.raw === undefined ? '' : receivers(gmail.sent[index]?.raw ?? '').at(-1)).toContain(
      'eve@evil.example',
    );
  }
  expect(cards).toHaveLength(names.length);
  expect(gmail.sent).toHaveLength(names.length);
});

test('hidden characters of a text are shown on the card', async () => {
  const { asked, send } = await window();
  await send({ body: 'Pay \u202e0001\u202c\u200b to me', subject: 'a\u2066b' });
  const [card] = await Promise.all(asked.map((request) => consentCard(questionOf(request), null)));
  expect(JSON.stringify(card?.parts)).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/);
});

test('a page can’t shorten the wait without a click, nor do anything with mail but undo it', async () => {
  const { gmail, rig, send } = await window(3600);
  let hasClicked = false;
  const desktop = { takeGesture: () => hasClicked };
  const handlers = outboxHandlers({ services: { outbox: rig.outbox }, desktop });
  const circumstances = { receivedAt: performance.now() } as Parameters<typeof handlers.sendNow>[1];
  const sending = send({});
  await expect.poll(() => rig.outbox.waiting).toHaveLength(1);
  const mail = rig.storage.outbox.list()[0]?.id ?? '';
  await expect(async () => handlers.sendNow({ mail }, circumstances)).rejects.toMatchObject({ code: 'no_gesture' });
  expect(rig.outbox.waiting).toHaveLength(1);
  expect(gmail.requests).toEqual([]);
  // The control: with a click it is sent.
  hasClicked = true;
  expect(await handlers.sendNow({ mail }, circumstances)).toEqual({ isDone: true });
  expect((await sending).isError).toBe(false);
  expect(await handlers.undo({ mail }, circumstances)).toEqual({ isDone: false });
  expect(gmail.sent).toHaveLength(1);
});

test('a name can’t carry what the header parser would read as an address', async () => {
  const message = await composeMail(
    { to: [{ name: 'x" <eve@evil.example>, "', address: 'ada@example.com' }], subject: 's', body: '' },
    'id',
  );
  const to = /^To: (.*)$/m.exec(message.toString('utf8'))?.[1]?.trim() ?? '';
  const { default: parse } = await import('nodemailer/lib/addressparser');
  expect(parse(to, { flatten: true }).map(({ address }) => address)).toEqual(['ada@example.com']);
});
