import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { ConsentAnswer, ConsentRequest, ToolGroupConsentRequest } from '../../../src-main/policy/consent.ts';
import { defineTool } from '../../../src-main/tools/define-tool.ts';
import { anyWords } from '../../fixtures/any-words.ts';
import { no, type User, yesOnce } from '../../fixtures/memory-ports.ts';
import { bash, type Call, messageCalls, write } from '../../fixtures/message-calls.ts';
import type { ToolHarness } from '../../fixtures/tool-harness.ts';

let harness: ToolHarness | undefined;
afterEach(async () => {
  await harness?.dispose();
  harness = undefined;
});

function rig(...given: Parameters<typeof messageCalls>) {
  const calls = messageCalls(...given);
  harness = calls.harness;
  return calls;
}

const asked = (user: User) =>
  user.asked.map((request) =>
    request.kind === 'tools'
      ? `${request.tool} ×${request.calls.length}`
      : request.kind === 'tool'
        ? request.tool
        : request.kind,
  );
const groupOf = (request: ConsentRequest | undefined): ToolGroupConsentRequest => {
  if (request?.kind !== 'tools') throw new Error('No group was asked about');
  return request;
};

test('questions come in call order, and a command follows the writes before it', async () => {
  const { user, run, result } = rig(() => yesOnce, false);
  await run(write('a'), write('b'), bash('c', 'cat a.txt b.txt && touch c.txt'), write('d'));
  expect(asked(user)).toEqual(['write_file', 'write_file', 'bash', 'write_file']);
  expect(user.asked.map((request) => (request.kind === 'tool' ? request.input.file_path : ''))).toEqual([
    'a.txt',
    'b.txt',
    undefined,
    'd.txt',
  ]);
  expect(result('c')).toBe('ab');
});

test('a command that asks nothing follows them too, and one whose write is declined runs all the same', async () => {
  const { run, result, decisions } = rig(
    (request) => (request.kind === 'tool' && request.input.file_path === 'b.txt' ? no : yesOnce),
    false,
  );
  await run(write('a'), write('b'), bash('c', 'ls'));
  expect(result('c')).toBe('a.txt');
  expect(decisions()).toMatchObject({
    a: 'allow user allowed_once',
    b: 'deny user declined',
    c: expect.stringMatching(/^allow default/),
  });
});

test('a read does not wait for the answer to the calls before it', async () => {
  let readWasDone = false;
  const it = rig(async () => {
    await expect.poll(() => it.result('r')).toContain('here');
    readWasDone = true;
    return yesOnce;
  });
  writeFileSync(it.at('r.txt'), 'here');
  await it.run(write('a'), { id: 'r', name: 'read_file', input: { file_path: 'r.txt' } });
  expect(readWasDone).toBe(true);
});

test('a question does not wait for a concurrent call that needs none, before or after it', async () => {
  for (const order of [
    ['w', 'a'],
    ['a', 'w'],
  ]) {
    const { run, at, decisions, result } = rig(() => yesOnce);
    harness?.registry.register({
      category: 'core',
      tool: defineTool({
        name: 'wait',
        access: 'read',
        description: 'Waits until the file is written',
        words: anyWords,
        input: z.object({}),
        async execute() {
          await expect.poll(() => existsSync(at('a.txt'))).toBe(true);
          return 'done';
        },
      }),
    });
    harness?.registry.buildAll();
    await run(...order.map((id) => (id === 'a' ? write('a') : { id, name: 'wait', input: {} })));
    expect(decisions(), order.join()).toMatchObject({
      a: 'allow user allowed_once',
      w: expect.stringMatching(/^allow default/),
    });
    expect(result('w')).toBe('done');
    await harness?.dispose();
  }
});

test('like calls are one question; each has its own decision, and one that is not ticked is declined', async () => {
  const { user, run, at, decisions, result } = rig(() => ({ ...yesOnce, calls: [0, 2] }) as ConsentAnswer);
  await run(write('a'), write('b'), write('c'));
  expect(asked(user)).toEqual(['write_file ×3']);
  const hashes = groupOf(user.asked[0]).calls.map(({ boundTo }) => boundTo);
  expect(new Set(hashes).size).toBe(3);
  expect(decisions()).toEqual({ a: 'allow user allowed_once', b: 'deny user declined', c: 'allow user allowed_once' });
  expect(['a', 'b', 'c'].map((name) => existsSync(at(`${name}.txt`)))).toEqual([true, false, true]);
  expect(result('b')).toBe('Error: The user declined to run write_file.');
});

test('only consecutive calls share a question, and a command between them runs in its place', async () => {
  const { user, run, result } = rig(() => yesOnce);
  await run(write('a'), write('b'), bash('x', 'cat a.txt b.txt && touch x'), write('c'), write('d'));
  expect(asked(user)).toEqual(['write_file ×2', 'bash', 'write_file ×2']);
  expect(result('x')).toBe('ab');
});

test('two changes of one file do not share a question: the second is shown as it would be after the first', async () => {
  const edit = (id: string, old_string: string, new_string: string): Call => ({
    id,
    name: 'edit',
    input: { file_path: 'f.txt', old_string, new_string },
  });
  const { user, run, at } = rig(() => yesOnce);
  writeFileSync(at('f.txt'), 'one\n');
  await run(edit('a', 'one', 'two'), edit('b', 'two', 'three'));
  expect(asked(user)).toEqual(['edit', 'edit']);
  expect(readFileSync(at('f.txt'), 'utf8')).toBe('three\n');
});

test('grave calls are asked about one by one', async () => {
  const { user, run } = rig(() => no);
  await run(bash('a', 'rm -rf ~/a'), bash('b', 'rm -rf ~/b'), bash('c', 'make c'), bash('d', 'make d'));
  expect(asked(user)).toEqual(['bash', 'bash', 'bash ×2']);
});

test('a call that changed while it was shown is asked about again separately', async () => {
  const it = rig((_, count) => {
    if (count === 1) writeFileSync(it.at('b.txt'), 'somebody else\n');
    return yesOnce;
  });
  await it.run(write('a'), write('b'), write('c'));
  expect(asked(it.user)).toEqual(['write_file ×3', 'write_file']);
  expect(it.user.asked[1]).toMatchObject({ reason: { code: 'changed_while_asked' }, input: { file_path: 'b.txt' } });
  expect(it.decisions()).toMatchObject({
    a: 'allow user allowed_once',
    b: 'allow user allowed_once',
    c: 'allow user allowed_once',
  });
});

test('a rule that is kept for like calls is kept once, and answers for the others', async () => {
  const { user, rules, run, decisions } = rig((request) => {
    const [rule] = groupOf(request).offers;
    if (rule === undefined) throw new Error('nothing is offered');
    return { answer: 'allow', scope: 'conversation', rule, by: 'user' };
  });
  await run(write('a', 'n/a.txt'), write('b', 'n/b.txt'));
  expect(asked(user)).toEqual(['write_file ×2']);
  expect(rules.kept).toHaveLength(1);
  expect(decisions()).toEqual({ a: 'allow user allowed_and_kept', b: 'allow rule rules' });
});

test('rules are offered only where each of the calls offers them', async () => {
  const { user, run } = rig(() => no);
  await run(write('a', 'n/a.txt'), write('b', 'm/b.txt'));
  expect(groupOf(user.asked[0])).toMatchObject({ offers: [] });
});

test('feedback to like calls reaches the model in the result of each', async () => {
  const { run, result, said } = rig(() => ({ answer: 'deny', by: 'user', word: ' Put them into notes.\n' }));
  await run(write('a'), write('b'));
  for (const id of ['a', 'b'])
    expect(result(id)).toBe('Error: The user declined to run write_file. The user says: Put them into notes.');
  // The cards show the same.
  expect(said()).toEqual(['Put them into notes.', 'Put them into notes.']);
});

test('a surface that can only ask about one call is asked call by call, in the same order', async () => {
  const { user, run } = rig(() => yesOnce, false);
  await run(write('a'), write('b'), write('c'));
  expect(asked(user)).toEqual(['write_file', 'write_file', 'write_file']);
});

test('more calls than run at once all get their answer', async () => {
  const { run, decisions } = rig(() => yesOnce);
  await run(...Array.from({ length: 70 }, (_, index) => write(`w${index}`)));
  expect(Object.values(decisions()).filter((decision) => decision === 'allow user allowed_once')).toHaveLength(70);
});

test('Stop while like calls are asked about: none of them ran', async () => {
  const { user, run, stop, at, decisions } = rig(() => new Promise(() => undefined));
  const done = run(write('a'), write('b'), bash('c', 'touch c.txt'));
  await expect.poll(() => user.asked.length).toBe(1);
  stop.abort(new Error('Stop'));
  await done;
  expect(decisions()).toEqual({ a: 'deny default stopped', b: 'deny default stopped', c: 'deny default stopped' });
  expect(['a', 'b', 'c'].some((name) => existsSync(at(`${name}.txt`)))).toBe(false);
});

test('the reason for a call is its parameter for that, else what the model wrote before it', async () => {
  const { user, run } = rig(() => no, false);
  await run(
    { ...write('a'), said: 'I write it down.' },
    { id: 'b', name: 'bash', input: { command: 'make b', description: 'Builds b' }, said: 'Now I build.' },
  );
  expect(user.asked).toMatchObject([
    { said: 'I write it down.' },
    { said: 'Builds b', defaulted: ['timeout', 'run_in_background', 'sandbox', 'reason'] },
  ]);
});
