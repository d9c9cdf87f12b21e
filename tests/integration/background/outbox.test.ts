import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { ConsentAnswer } from '../../../src-main/policy/consent.ts';
import { MailNotSent } from '../../../src-main/tools/google/mail-not-sent.ts';
import { type MailFault, type SentMailFixture, startSentMail } from '../../fixtures/google/sent-mail.ts';
import { DROP, type OutboxRigOptions, outboxRig, SEND_AGAIN } from '../../fixtures/outbox/outbox-rig.ts';
import { type Child, startChild } from '../storage/children.ts';

const CHILD = fileURLToPath(new URL('outbox-child.ts', import.meta.url));
const never = new AbortController().signal;

function profileFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'steward-outbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function rigOn(gmail: SentMailFixture, options: Partial<OutboxRigOptions> = {}) {
  const rig = await outboxRig({ profile: profileFolder(), url: gmail.url, ...options });
  onTestFinished(() => rig.close());
  return rig;
}

const reasonOf = (sending: Promise<unknown>) =>
  sending.then(
    () => 'sent',
    (error: unknown) => (error instanceof MailNotSent ? error.reason : error),
  );

const start = (args: string[]): Child => startChild([CHILD, ...args], { file: process.execPath });

/** Runs until it has said this. */
async function until(child: Child, said: Record<string, unknown>): Promise<void> {
  for (let line = await child.next(); line !== undefined; line = await child.next())
    if (JSON.stringify(line) === JSON.stringify(said)) return;
  throw new Error(`The process ended without saying ${JSON.stringify(said)}`);
}

async function kill(child: Child): Promise<void> {
  const ended = once(child.process, 'close');
  child.process.kill('SIGKILL');
  await ended;
}

test('a mail is sent after its wait, once, and its text is gone from the outbox', async () => {
  const gmail = await startSentMail();
  const rig = await rigOn(gmail, { waitSeconds: 0.05 });
  const id = await rig.send();
  expect(gmail.sent).toMatchObject([{ id }]);
  expect(rig.states()).toEqual(['waiting', 'sending', 'sent']);
  expect(rig.storage.outbox.list()).toEqual([]);
  expect(rig.asked).toEqual([]);
});

test('undone while it waits, it is not sent', async () => {
  const gmail = await startSentMail();
  const rig = await rigOn(gmail, { waitSeconds: 3600 });
  const sending = reasonOf(rig.send());
  await expect.poll(() => rig.outbox.waiting).toHaveLength(1);
  const [mail] = rig.storage.outbox.list();
  expect(rig.outbox.undo(mail?.id ?? '')).toBe(true);
  expect(await sending).toBe('undone');
  expect(rig.outbox.undo(mail?.id ?? '')).toBe(false);
  expect(gmail.requests).toEqual([]);
  expect(rig.states()).toEqual(['waiting', 'not_sent: undone']);
  expect(rig.storage.outbox.list()).toEqual([]);
});

test('nothing is sent while the user is asked about waiting mail; afterwards the rest of the wait goes on', async () => {
  const waitSeconds = 0.3;
  const gmail = await startSentMail();
  const rig = await rigOn(gmail, { waitSeconds });
  const held = rig.send();
  await expect.poll(() => rig.outbox.waiting).toHaveLength(1);
  const letGoOn = rig.outbox.hold();
  // Begins to wait meanwhile, and would be sent first.
  const later = rig.send();
  await expect.poll(() => rig.outbox.waiting).toHaveLength(2);
  // The control: as long as a mail takes that is not held.
  const other = await rigOn(await startSentMail(), { waitSeconds });
  await other.send();
  expect(gmail.sent).toEqual([]);
  expect(rig.outbox.waiting).toHaveLength(2);
  letGoOn();
  await Promise.all([held, later]);
  expect(gmail.sent).toHaveLength(2);
  // The card counts from the new time.
  const due = rig.news().flatMap(({ dueAt }) => (dueAt === undefined ? [] : [dueAt]));
  expect(due).toHaveLength(4);
  expect(Date.parse(due[2] ?? '')).toBeGreaterThan(Date.parse(due[0] ?? ''));
});

test('Send now ends the wait', async () => {
  const gmail = await startSentMail();
  const rig = await rigOn(gmail, { waitSeconds: 3600 });
  const sending = rig.send();
  await expect.poll(() => rig.outbox.waiting).toHaveLength(1);
  expect(rig.outbox.sendNow(rig.storage.outbox.list()[0]?.id ?? '')).toBe(true);
  const id = await sending;
  expect(gmail.sent.map((mail) => mail.id)).toEqual([id]);
});

test('a mail that waits is not sent after Stop', async () => {
  const gmail = await startSentMail();
  const rig = await rigOn(gmail, { waitSeconds: 3600 });
  const stop = new AbortController();
  const sending = reasonOf(rig.send(stop.signal));
  await expect.poll(() => rig.outbox.waiting).toHaveLength(1);
  stop.abort();
  expect(await sending).toBe('stopped');
  expect(gmail.requests).toEqual([]);
  expect(rig.storage.outbox.list()).toEqual([]);
});

test('Stop while it is being sent does not cut the request off', async () => {
  const gmail = await startSentMail();
  const rig = await rigOn(gmail);
  const stop = new AbortController();
  const arrived = gmail.arrived().then(() => stop.abort());
  expect(await reasonOf(rig.send(stop.signal))).toBe('sent');
  await arrived;
  expect(rig.states()).toEqual(['waiting', 'sending', 'sent']);
});

test('closing keeps a waiting mail for the next start, where it is asked about', async () => {
  const gmail = await startSentMail();
  const profile = profileFolder();
  const first = await outboxRig({ profile, url: gmail.url, waitSeconds: 3600 });
  const sending = reasonOf(first.send());
  await expect.poll(() => first.outbox.waiting).toHaveLength(1);
  await first.close();
  expect(await sending).toBe('kept');
  expect(gmail.sent).toEqual([]);
  const second = await rigOn(gmail, { profile, answer: async () => SEND_AGAIN });
  await second.outbox.recover(never);
  expect(second.asked).toMatchObject([{ kind: 'mail', subject: 'Grüße', reason: { check: 'not_begun' } }]);
  expect(gmail.sent).toHaveLength(1);
  expect(second.states()).toEqual(['waiting', 'sending', 'sent']);
});

test('the process ends without waiting for the user: they are asked again at the next start', async () => {
  const gmail = await startSentMail();
  const profile = profileFolder();
  gmail.faults.push('request lost');
  const first = await rigOn(gmail, { profile });
  expect(await reasonOf(first.send())).toBe('unasked');
  expect(first.storage.outbox.list()).toMatchObject([{ state: 'sending' }]);
  await first.outbox.recover(never, 'another conversation');
  expect(first.asked).toHaveLength(1);
  await first.outbox.recover(never, first.conversationId);
  expect(first.asked).toHaveLength(2);
  expect(gmail.sent).toEqual([]);
});

test.each<[MailFault, string]>([
  ['answer lost', 'sent'],
  ['sent, 503', 'sent'],
])('after %s, it is found among the sent mail and not sent again', async (fault, outcome) => {
  const gmail = await startSentMail();
  gmail.faults.push(fault);
  gmail.appearsAfterLists = 2;
  const rig = await rigOn(gmail, { answer: async () => SEND_AGAIN });
  expect(await reasonOf(rig.send())).toBe(outcome);
  expect(gmail.sent).toHaveLength(1);
  expect(rig.asked).toEqual([]);
});

test('found by recipients, subject and text if a server removed our header; another text is another mail', async () => {
  const gmail = await startSentMail();
  gmail.dropsHeader = true;
  gmail.faults.push('answer lost');
  const rig = await rigOn(gmail, { answer: async () => DROP });
  expect(await reasonOf(rig.send())).toBe('sent');
  expect(rig.asked).toEqual([]);
  gmail.sent[0] = {
    ...gmail.sent[0],
    raw: Buffer.from('To: ada@example.org\r\n\r\nSGk=').toString('base64url'),
  } as never;
  gmail.faults.push('request lost');
  expect(await reasonOf(rig.send())).toBe('dropped');
});

test('a lost request is sent again only on the user’s word', async () => {
  const gmail = await startSentMail();
  gmail.faults.push('request lost');
  const rig = await rigOn(gmail, { answer: async () => SEND_AGAIN });
  expect(await reasonOf(rig.send())).toBe('sent');
  expect(rig.asked).toMatchObject([{ kind: 'mail', reason: { code: 'mail_unsettled', check: 'not_found' } }]);
  expect(gmail.sent).toHaveLength(1);

  gmail.faults.push('request lost');
  const declining = await rigOn(gmail, { answer: async () => DROP });
  expect(await reasonOf(declining.send())).toBe('dropped');
  expect(gmail.sent).toHaveLength(1);
  expect(declining.storage.outbox.list()).toEqual([]);
});

test('a mail whose sending is uncertain stays if only a flag could answer or no one can be asked', async () => {
  const gmail = await startSentMail();
  gmail.faults.push('request lost', 'request lost');
  for (const answer of [
    { answer: 'allow', scope: 'once', by: 'flag' },
    { answer: 'deny', by: 'default' },
  ] as const) {
    const rig = await rigOn(gmail, { answer: async () => answer });
    expect(await reasonOf(rig.send())).toBe('unasked');
    expect(rig.asked).toHaveLength(1);
    expect(rig.storage.outbox.list()).toHaveLength(1);
    expect(rig.states().at(-1)).toBe('unsure');
  }
  expect(gmail.sent).toEqual([]);
});

test.each<[string, (stop: () => void) => ConsentAnswer]>([
  [
    'Stop',
    (stop) => {
      stop();
      return SEND_AGAIN;
    },
  ],
  ['the end of its page', () => ({ answer: 'deny', by: 'default', reason: { code: 'consent_page_ended' } })],
])('%s cuts off the question, which is asked again without a restart', async (_, cutOff) => {
  const gmail = await startSentMail();
  gmail.faults.push('request lost');
  const stop = new AbortController();
  const rig = await rigOn(gmail, {
    answer: async (_request, signal) => {
      if (rig.asked.length > 1) return SEND_AGAIN;
      const answer = cutOff(() => stop.abort(new Error('stopped by the user')));
      signal.throwIfAborted();
      return answer;
    },
  });
  expect(await reasonOf(rig.send(stop.signal))).toBe('unknown');
  await expect.poll(() => rig.states().at(-1)).toBe('sent');
  expect(rig.asked).toHaveLength(2);
  expect(rig.asked[1]).toMatchObject({ reason: { problem: expect.stringMatching(/./) } });
  expect(gmail.sent).toHaveLength(1);
  expect(rig.faults).toEqual([]);
});

test('Stop while the request is unanswered: the mail is looked for, and the user is asked', async () => {
  const gmail = await startSentMail();
  gmail.faults.push('request lost');
  const stop = new AbortController();
  const arrived = gmail.arrived().then(() => stop.abort());
  const rig = await rigOn(gmail, { answer: async () => DROP });
  expect(await reasonOf(rig.send(stop.signal))).toBe('unknown');
  await arrived;
  await expect.poll(() => rig.states().at(-1)).toBe('not_sent: dropped');
  expect(rig.asked).toMatchObject([{ reason: { check: 'not_found' } }]);
});

test('it is looked for once more after the answer: Gmail may list it late', async () => {
  const gmail = await startSentMail();
  const profile = profileFolder();
  gmail.faults.push('answer lost');
  gmail.isListingDown = true;
  const first = await outboxRig({ profile, url: gmail.url });
  expect(await reasonOf(first.send())).toBe('unasked');
  await first.close();
  gmail.isListingDown = false;
  gmail.appearsAfterLists = 1;
  const second = await rigOn(gmail, { profile, answer: async () => SEND_AGAIN });
  await second.outbox.recover(never);
  expect(second.asked).toMatchObject([{ reason: { check: 'not_found' } }]);
  expect(second.states().at(-1)).toBe('sent');
  expect(gmail.sent).toHaveLength(1);
});

test('if it can no longer be looked for after the answer, the user is asked again', async () => {
  const gmail = await startSentMail();
  gmail.faults.push('request lost');
  const rig = await rigOn(gmail, {
    answer: async () => {
      gmail.isListingDown = true;
      return SEND_AGAIN;
    },
  });
  expect(await reasonOf(rig.send())).toBe('sent');
  expect(rig.asked).toMatchObject([{ reason: { check: 'not_found' } }, { reason: { check: 'not_checked' } }]);
  expect(gmail.sent).toHaveLength(1);
});

test.each([false, true])(
  'found although the clock was hours ahead; our header was removed: %s',
  async (dropsHeader) => {
    const gmail = await startSentMail();
    const profile = profileFolder();
    gmail.faults.push('answer lost');
    gmail.isListingDown = true;
    gmail.dropsHeader = dropsHeader;
    const first = await outboxRig({ profile, url: gmail.url });
    await reasonOf(first.send());
    await first.close();
    gmail.isListingDown = false;
    for (const [index, mail] of gmail.sent.entries()) gmail.sent[index] = { ...mail, at: mail.at - 10 * 3_600_000 };
    const second = await rigOn(gmail, { profile, answer: async () => SEND_AGAIN });
    await second.outbox.recover(never);
    expect(second.asked).toEqual([]);
    expect(gmail.sent).toHaveLength(1);
  },
);

test('another account: its sent mail says nothing, and the question names both', async () => {
  const gmail = await startSentMail();
  const profile = profileFolder();
  gmail.faults.push('request lost');
  const first = await outboxRig({ profile, url: gmail.url });
  await reasonOf(first.send());
  await first.close();
  expect(first.asked).toMatchObject([{ from: 'me@example.com', reason: { check: 'not_found' } }]);
  expect(first.asked[0]).not.toHaveProperty('reason.approvedFor');
  const before = gmail.requests.length;
  const second = await rigOn(gmail, { profile });
  second.account.address = 'me@home.example';
  await second.outbox.recover(never);
  expect(second.asked).toMatchObject([
    { from: 'me@home.example', reason: { check: 'not_checked', approvedFor: 'me@example.com' } },
  ]);
  expect(gmail.requests).toHaveLength(before);
});

test('sent only from the account that the user approved', async () => {
  const gmail = await startSentMail();
  const rig = await rigOn(gmail, { waitSeconds: 3600 });
  const sending = rig.send().catch((error: unknown) => error);
  await expect.poll(() => rig.outbox.waiting).toHaveLength(1);
  rig.account.address = 'me@home.example';
  await rig.outbox.endWait(true);
  const error = await sending;
  expect(error).toMatchObject({ reason: 'refused' });
  for (const address of ['me@example.com', 'me@home.example']) expect(String(error)).toContain(address);
  expect(gmail.requests).toEqual([]);
});

test('if sent mail can’t be listed, the question says so', async () => {
  const gmail = await startSentMail();
  gmail.faults.push('answer lost');
  gmail.isListingDown = true;
  const rig = await rigOn(gmail, { answer: async () => DROP });
  expect(await reasonOf(rig.send())).toBe('dropped');
  expect(rig.asked).toMatchObject([{ reason: { check: 'not_checked' } }]);
});

test.each([400, 403, 404, 429])('Gmail’s %d means that it was not sent', async (status) => {
  const gmail = await startSentMail();
  gmail.faults.push({ status, message: 'No, because.' });
  const rig = await rigOn(gmail);
  await expect(rig.send()).rejects.toMatchObject({ reason: 'refused' });
  expect(rig.storage.outbox.list()).toEqual([]);
  expect(rig.states()).toEqual(['waiting', 'sending', 'not_sent: refused']);
  expect(gmail.requests).toHaveLength(1);
});

test('an expired token is renewed once, and the mail is sent once', async () => {
  const gmail = await startSentMail();
  gmail.token = 'ya29.new';
  const rig = await rigOn(gmail, { tokens: ['ya29.old', 'ya29.new'] });
  expect(await reasonOf(rig.send())).toBe('sent');
  expect(gmail.sent).toHaveLength(1);
});

test.each<[string, { readonly tokens: string[]; readonly tokenRequests?: number }]>([
  ['a rejected token that can’t be renewed', { tokens: ['ya29.old'] }],
  ['a sign-in that is gone once the mail is marked', { tokens: ['ya29.new'], tokenRequests: 2 }],
])('nothing was sent after %s', async (_, signIn) => {
  const gmail = await startSentMail();
  gmail.token = 'ya29.new';
  const rig = await rigOn(gmail, signIn);
  await expect(rig.send()).rejects.toMatchObject({ reason: 'refused', message: 'There is no sign-in to Google' });
  expect(rig.storage.outbox.list()).toEqual([]);
  expect(rig.states()).toEqual(['waiting', 'sending', 'not_sent: refused']);
  expect(rig.asked).toEqual([]);
  expect(gmail.sent).toEqual([]);
});

test('nothing was sent if there was no connection', async () => {
  const gmail = await startSentMail();
  const rig = await rigOn({ ...gmail, url: 'http://127.0.0.1:9' });
  expect(await reasonOf(rig.send())).toBe('refused');
  expect(rig.storage.outbox.list()).toEqual([]);
});

test('without a sign-in nothing waits', async () => {
  const gmail = await startSentMail();
  const rig = await rigOn(gmail, { tokens: [] });
  await expect(rig.send()).rejects.toThrow('There is no sign-in');
  expect(rig.storage.outbox.list()).toEqual([]);
  expect(rig.news()).toEqual([]);
});

test('recovery never asks for a sign-in on its own, and the mail is not lost', async () => {
  const gmail = await startSentMail();
  const profile = profileFolder();
  gmail.faults.push('request lost');
  const first = await rigOn(gmail, { profile });
  await reasonOf(first.send());
  const second = await rigOn(gmail, { profile, tokens: [] });
  await second.outbox.recover(never);
  expect(second.askedForToken).toEqual([{ isQuiet: true }]);
  expect(second.asked).toMatchObject([{ reason: { check: 'not_checked' } }]);
  expect(second.storage.outbox.list()).toHaveLength(1);
});

test.each<
  [string, { readonly fault?: MailFault; readonly seconds: string; readonly at: string; readonly asks: number }]
>([
  ['while the mail waits', { seconds: '3600', at: 'waiting', asks: 1 }],
  ['when the request was lost', { fault: 'request lost', seconds: '0', at: 'unsure', asks: 1 }],
  ['when it was sent without an answer', { fault: 'never answered', seconds: '0', at: 'sending', asks: 0 }],
])('kill -9 %s: the next process settles it, and it is sent once', async (_, { fault, seconds, at, asks }) => {
  const gmail = await startSentMail();
  const profile = profileFolder();
  if (fault !== undefined) gmail.faults.push(fault);
  const arrived = gmail.arrived();
  const child = start(['send', profile, gmail.url, seconds]);
  await until(child, { state: at });
  if (at === 'sending') await arrived;
  await kill(child);
  const next = start(['recover', profile, gmail.url]);
  const lines = await next.rest();
  expect(lines.at(-1)).toEqual({ asked: asks, left: 0 });
  expect(lines.at(-2)).toEqual({ state: 'sent' });
  expect(gmail.sent).toHaveLength(1);
});

test('two processes start at once after a crash: one of them settles it', async () => {
  const gmail = await startSentMail();
  const profile = profileFolder();
  const child = start(['send', profile, gmail.url, '3600']);
  await until(child, { state: 'waiting' });
  await kill(child);
  const both = [start(['recover', profile, gmail.url]), start(['recover', profile, gmail.url])];
  const lines = await Promise.all(both.map((each) => each.rest()));
  expect(gmail.sent).toHaveLength(1);
  expect(lines.flat().filter(({ state }) => state === 'sent')).toHaveLength(1);
});

test('a process leaves mail alone that another one holds', async () => {
  const gmail = await startSentMail();
  const profile = profileFolder();
  const child = start(['send', profile, gmail.url, '3600']);
  await until(child, { state: 'waiting' });
  const rig = await rigOn(gmail, { profile, answer: async () => SEND_AGAIN });
  await rig.outbox.recover(never);
  expect(rig.asked).toEqual([]);
  expect(gmail.requests).toEqual([]);
  expect(rig.storage.outbox.list()).toMatchObject([{ state: 'waiting' }]);
});
