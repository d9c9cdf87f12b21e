import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SignInFailure } from '../../../src-main/accounts/sign-in-problem.ts';
import type { ConsentPort, ConsentRequest } from '../../../src-main/policy/consent.ts';
import { questionOf } from '../../../src-main/policy/question/question-of.ts';
import { ACCOUNTS_REMEDY } from '../../../src-preload/contract/remedies.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { readMail } from '../../fixtures/google/mail-text.ts';
import { type MailFault, startSentMail } from '../../fixtures/google/sent-mail.ts';
import { outboxRig } from '../../fixtures/outbox/outbox-rig.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import { isRequired } from '../../fixtures/tool-texts.ts';

const MAIL = { to: 'Ada <ada@example.com>, grace@partner.example', subject: 'Grüße', body: 'Hi\nBob' };
const DECLINED = 'Error: The user declined to run gmail_send.';

async function connected({
  consent = allowAll,
  waitSeconds = 0,
  signInFailure,
  tokens,
}: {
  consent?: ConsentPort;
  waitSeconds?: number;
  signInFailure?: SignInFailure;
  tokens?: readonly string[];
} = {}) {
  const gmail = await startSentMail();
  const profile = mkdtempSync(join(tmpdir(), 'steward-mail-'));
  const rig = await outboxRig({
    profile,
    url: gmail.url,
    waitSeconds,
    ...(tokens === undefined ? {} : { tokens }),
    ...(signInFailure === undefined ? {} : { signInFailure }),
  });
  const google = { address: async () => 'me@example.com', token: async () => gmail.token ?? '' };
  const tools = new ToolHarness({ consent, google, outbox: rig.outbox });
  onTestFinished(async () => {
    await tools.dispose();
    await rig.close();
    rmSync(profile, { recursive: true, force: true });
  });
  return { gmail, rig, tools, send: (input: object = MAIL) => tools.call('gmail_send', input) };
}

const mailIn = (raw: string) => readMail(Buffer.from(raw, 'base64url').toString('utf8'));

test('sends exactly what was approved, in one request, as Base64url without padding', async () => {
  const { gmail, send } = await connected();
  const { text } = await send();
  const [mail] = gmail.sent;
  expect(text).toBe(`Email sent successfully (ID: ${mail?.id})`);
  expect(mail?.raw).toMatch(/^[\w-]+$/);
  const { headers, body } = mailIn(mail?.raw ?? '');
  expect(Object.fromEntries(headers)).toMatchObject({
    to: 'Ada <ada@example.com>, grace@partner.example',
    subject: 'Grüße',
    'x-steward-outbox': expect.stringMatching(/^[\da-f-]{36}$/),
  });
  expect(body).toBe('Hi\r\nBob');
  expect(gmail.requests).toEqual(['POST /gmail/v1/users/me/messages/send']);
});

test('a text may be empty; nothing else may be missing', async () => {
  const { gmail, tools, send } = await connected();
  expect((await send({ ...MAIL, body: '' })).isError).toBe(false);
  expect(mailIn(gmail.sent[0]?.raw ?? '').body).toBe('');
  for (const name of ['to', 'subject', 'body'] as const)
    expect(await tools.text('gmail_send', { ...MAIL, [name]: undefined })).toBe(isRequired(name));
});

test('declined, nothing is sent', async () => {
  const { gmail, send } = await connected({ consent: { ask: async () => ({ answer: 'deny', by: 'user' }) } });
  expect(await send()).toEqual({ text: DECLINED, isError: true });
  expect(gmail.requests).toEqual([]);
});

test('undone while it waits, the call has the text of a declined one', async () => {
  const { gmail, rig, send } = await connected({ waitSeconds: 3600 });
  const sending = send();
  await expect.poll(() => rig.outbox.waiting).toHaveLength(1);
  rig.outbox.undo(rig.storage.outbox.list()[0]?.id ?? '');
  expect(await sending).toEqual({ text: DECLINED, isError: true, outcome: 'declined' });
  expect(gmail.requests).toEqual([]);
});

test('Gmail’s refusal is the error', async () => {
  const { gmail, send } = await connected();
  gmail.faults.push({ status: 400, message: 'Invalid To header' });
  expect((await send()).text).toMatch(/^Error sending email: .*Invalid To header/);
});

const LACKS_PERMISSION = { status: 403, message: 'Insufficient Permission', reason: 'insufficientPermissions' };

test.each<[string, Parameters<typeof connected>[0], MailFault[]]>([
  ['without a sign-in', { tokens: [], signInFailure: new SignInFailure({ code: 'no_client' }) }, []],
  ['with one that ended', { tokens: ['ya29.old'], signInFailure: new SignInFailure({ code: 'denied' }) }, []],
  ['without the permission to send', {}, [LACKS_PERMISSION]],
])('%s, the error leads to Accounts', async (_, options, faults) => {
  const { gmail, tools } = await connected(options);
  gmail.faults.push(...faults);
  const { result } = await tools.turn('gmail_send', MAIL);
  expect(result.text).toMatch(/^Error sending email: ./);
  expect(result.remedies).toEqual([ACCOUNTS_REMEDY]);
  expect(gmail.sent).toEqual([]);
});

test('the question has every recipient with its address, subject and text, and never an always', async () => {
  const asked: ConsentRequest[] = [];
  const consent: ConsentPort = {
    ask: async (request) => {
      asked.push(request);
      return { answer: 'deny', by: 'user' };
    },
  };
  const { send } = await connected({ consent });
  await send({ to: '"Boss, Big" <eve@evil.example>, ada@example.com', subject: 'S', body: 'first\n\nlast' });
  const [question] = asked.map(questionOf);
  expect(question).toMatchObject({ offers: [], risk: 'grave' });
  expect(question?.parts).toMatchObject([
    { kind: 'consequences', consequences: [{ code: 'reaches_people', count: 2, external: 1 }, {}] },
    { kind: 'text', title: 'From', text: 'me@example.com' },
    { kind: 'text', text: '"Boss, Big" <eve@evil.example>  (outside your organisation)\nada@example.com' },
    { kind: 'text', text: 'S' },
    { kind: 'text', text: 'first\n\nlast' },
    { kind: 'arguments', values: [] },
  ]);
});
