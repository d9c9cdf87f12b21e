import { expect, test } from 'vitest';
import type { ConsentAnswer, ConsentPort } from '../../../src-main/policy/consent.ts';
import type { PermissionGrant } from '../../../src-main/policy/permission-grant.ts';
import { PermissionGrants } from '../../../src-main/policy/permission-grants.ts';
import { QuestionQueues } from '../../../src-main/policy/question-queues.ts';
import { MemoryConfirmations, never, no, nothingHeld, User, yesOnce } from '../../fixtures/memory-ports.ts';

const server = (command: string): PermissionGrant => ({
  subject: 'mcp-server',
  key: 'mcpServers.files',
  value: { command, env: { API_TOKEN: 'secret-value-1' } },
});
const folder: PermissionGrant = { subject: 'folder', key: 'folders[/srv]', value: '/srv' };

const NOBODY = { code: 'text', text: 'Nobody could be asked to confirm it.' } as const;
/** A surface in front of which nobody is. */
const nobody: ConsentPort = {
  ask: async () => ({ answer: 'deny', by: 'default', reason: NOBODY }),
};

function setUp(answering: (asked: number) => ConsentAnswer) {
  const confirmations = new MemoryConfirmations();
  const user = new User((_, asked) => answering(asked));
  return {
    confirmations,
    user,
    gate: new PermissionGrants({
      consent: user,
      confirmations,
      held: nothingHeld,
      questions: new QuestionQueues(),
      storedSecrets: async () => [],
    }),
  };
}

test('a new value takes effect after approval and is not asked about again', async () => {
  const { gate, user } = setUp(() => yesOnce);
  expect(await gate.review([server('npx'), folder], never)).toMatchObject({
    confirmed: [server('npx'), folder],
    inert: [],
  });
  expect((await gate.review([folder, server('npx')], never)).confirmed).toHaveLength(2);
  expect(user.asked).toHaveLength(2);
  expect(user.asked[0]).toMatchObject({
    kind: 'grant',
    subject: 'mcp-server',
    key: 'mcpServers.files',
    value: server('npx').value,
  });
});

test('a changed value is inert until it is confirmed again, and the question says that it changed', async () => {
  const { gate, user } = setUp((asked) => (asked === 1 ? yesOnce : no));
  await gate.review([server('npx')], never);
  const { confirmed, inert } = await gate.review([server('evil')], never);
  expect(confirmed).toEqual([]);
  expect(inert).toEqual([{ item: server('evil'), reason: { code: 'not_confirmed' } }]);
  expect(user.asked[1]?.reason).toMatchObject({ code: 'permission_grant', state: 'changed' });
  expect((await gate.review([server('npx')], never)).confirmed).toHaveLength(1);
});

test('if no one can be asked, new values have no effect and confirmed ones stay in effect', async () => {
  const { gate, confirmations } = setUp(() => yesOnce);
  await gate.review([folder], never);
  const alone = new PermissionGrants({
    consent: nobody,
    confirmations,
    held: nothingHeld,
    questions: new QuestionQueues(),
    storedSecrets: async () => [],
  });
  const { confirmed, inert } = await alone.review([folder, server('npx')], never);
  expect(confirmed).toEqual([folder]);
  expect(inert).toMatchObject([{ item: { key: 'mcpServers.files' }, reason: NOBODY }]);
});

test('the user sees secret values as they would be used, and only a hash is kept', async () => {
  const { gate, user, confirmations } = setUp(() => yesOnce);
  await gate.confirm(server('npx'), never);
  expect(JSON.stringify(user.asked)).toContain('secret-value-1');
  expect([...confirmations.hashes.values()]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

test('the value shown takes effect, even if the object is changed during the question', async () => {
  const value = { command: 'npx' };
  const confirmations = new MemoryConfirmations();
  const user = new User(() => {
    value.command = 'evil';
    return yesOnce;
  });
  const gate = new PermissionGrants({
    consent: user,
    confirmations,
    held: nothingHeld,
    questions: new QuestionQueues(),
    storedSecrets: async () => [],
  });
  const outcome = await gate.confirm({ subject: 'mcp-server', key: 'mcpServers.a', value }, never);
  expect(outcome.item.value).toEqual({ command: 'npx' });
  expect(
    (
      await new PermissionGrants({
        consent: nobody,
        confirmations,
        held: nothingHeld,
        questions: new QuestionQueues(),
        storedSecrets: async () => [],
      }).confirm({ subject: 'mcp-server', key: 'mcpServers.a', value }, never)
    ).confirmed,
  ).toBe(false);
});

test('a removed value is asked about again when it comes back', async () => {
  const { gate, user } = setUp(() => yesOnce);
  await gate.review([server('npx'), folder], never);
  gate.forgetRemoved([folder]);
  await gate.review([server('npx'), folder], never);
  expect(user.asked).toHaveLength(3);
  gate.forget(folder.key);
  await gate.review([server('npx'), folder], never);
  expect(user.asked).toHaveLength(4);
});

test('a profile counts as first seen until everything in it was confirmed once', async () => {
  const { gate, user } = setUp((asked) => (asked === 1 ? no : yesOnce));
  const firstSights = () => user.asked.map((request) => request.kind === 'grant' && request.atFirstSight);
  await gate.review([folder], never);
  await gate.review([folder], never);
  await gate.review([folder, server('npx')], never);
  await gate.confirm({ ...folder, key: 'folders[/etc]' }, never);
  expect(firstSights()).toEqual([true, true, false, false]);
});

test('Stop while asking confirms nothing', async () => {
  const stop = new AbortController();
  const confirmations = new MemoryConfirmations();
  const user = new User(() => new Promise(() => undefined));
  const review = new PermissionGrants({
    consent: user,
    confirmations,
    held: nothingHeld,
    questions: new QuestionQueues(),
    storedSecrets: async () => [],
  }).review([folder], stop.signal);
  await expect.poll(() => user.asked.length).toBe(1);
  stop.abort(new Error('stopped'));
  await expect(review).rejects.toThrow('stopped');
  expect(confirmations.keys()).toEqual([]);
});
