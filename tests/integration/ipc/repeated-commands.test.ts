import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { WindowRig } from '../../fixtures/window-rig.ts';

const bash = (command: string) => `/bash ${JSON.stringify({ command })}`;

/** A repository in the workspace, and what became of a command in one conversation of it. */
async function inRepository() {
  const rig = new WindowRig();
  execFileSync('git', ['init', '-q'], { cwd: rig.workspace });
  for (const [name, value] of [
    ['user.name', 'Ada'],
    ['user.email', 'ada@example.org'],
  ] as const)
    execFileSync('git', ['config', name, value], { cwd: rig.workspace });
  const commits = () =>
    Number(execFileSync('git', ['rev-list', '--count', '--all'], { cwd: rig.workspace, encoding: 'utf8' }));
  /** Runs it, and answers the question, if there is one: with this, or no. */
  const runs = async (
    id: string | null,
    command: string,
    answer: Readonly<Record<string, unknown>> = { answer: 'deny' },
  ) => {
    const before = id === null ? 0 : rig.turnEvents(id).length;
    const sent = await rig.request<{ id: string }>('conversations.send', { id, text: bash(command) });
    const ended = rig.turnEnded(sent.id, before).then(() => null);
    const card = await Promise.race([ended, rig.card()]);
    if (card !== null) {
      await rig.answer(answer, card);
      await ended;
    }
    return { id: sent.id, card };
  };
  return { rig, runs, commits };
}

const commit = (message: string) => `git commit -q --allow-empty -m "${message}"`;
const keep = { answer: 'conversation', offer: 0 };

test('git commit is asked about once per conversation, with any message, and again after text from outside', async () => {
  const { rig, runs, commits } = await inRepository();
  const { id, card } = await runs(null, commit('one'), keep);
  expect(card?.offers[0]?.keepFor).toEqual(['conversation']);
  expect((await runs(id, commit('two'))).card).toBeNull();
  expect(commits()).toBe(2);
  expect((await runs(id, `${commit('three')} --amend`)).card).not.toBeNull();
  expect((await runs(null, commit('elsewhere'))).card).not.toBeNull();
  expect(await rig.request('settings.rules')).toMatchObject([
    { uses: 2, label: expect.stringContaining('git commit') },
  ]);

  await runs(id, 'echo https://example.org', { answer: 'once' });
  expect((await runs(id, commit('four'))).card).not.toBeNull();
  // Asked again, with that text on the card, it holds until the next one.
  await runs(id, commit('five'), keep);
  expect((await runs(id, commit('six'))).card).toBeNull();
  await runs(id, 'echo https://example.org', { answer: 'once' });
  expect((await runs(id, commit('seven'))).card).not.toBeNull();
  expect(commits()).toBe(4);
});

test('what the command itself brings from outside does not end it; a grave command is never offered', async () => {
  const { runs } = await inRepository();
  const fetches = 'git log --oneline; echo https://example.org';
  const { id, card } = await runs(null, fetches, keep);
  expect(card?.offers[0]?.keepFor).toEqual(['conversation']);
  expect((await runs(id, fetches)).card).toBeNull();
  expect((await runs(id, fetches)).card).toBeNull();
  const { card: grave } = await runs(id, 'rm -rf ../elsewhere');
  expect(grave?.offers).toEqual([]);
});
