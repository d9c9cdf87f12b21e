import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Checkpoints, type RecoveredCommand } from '../../../src-main/checkpoints/checkpoints.ts';
import { beginCommand } from '../../../src-main/checkpoints/commands.ts';
import { checkpointPlace, leasesIn, nothingHeld } from '../../fixtures/checkpoint-place.ts';
import { KEPT_LIMITS } from '../../fixtures/kept-limits.ts';

/** A root with a file, and processes that work in it one after the other. */
function withProcesses() {
  const place = checkpointPlace();
  const { root, profile } = place;
  writeFileSync(join(root, 'a.txt'), 'one\n');
  const start = () => {
    const leases = leasesIn(profile);
    const checkpoints = new Checkpoints(profile, {
      limits: () => KEPT_LIMITS,
      heldByGit: nothingHeld,
      leases,
      maxWaitMs: 60_000,
    });
    const die = () => {
      checkpoints.close();
      leases.close();
    };
    onTestFinished(die);
    const begin = () => checkpoints.begin({ conversationId: 'c', turnId: 't', callId: 'call', roots: [root] });
    const recover = async (): Promise<RecoveredCommand[]> => {
      const recovered: RecoveredCommand[] = [];
      await checkpoints.recover((each) => recovered.push(each));
      return recovered;
    };
    return { begin, recover, die, clear: () => checkpoints.clear() };
  };
  return { root, start, marks: () => readdirSync(join(profile, 'checkpoints/running')), profile, place };
}

test('where no command was interrupted, nothing is opened', async () => {
  const { start, profile } = withProcesses();
  rmSync(join(profile, 'checkpoints'), { recursive: true });
  expect(await start().recover()).toEqual([]);
  expect(existsSync(join(profile, 'checkpoints'))).toBe(false);
});

test('a command whose process died is listed once, with what changed until then', async () => {
  const { root, start, marks } = withProcesses();
  const first = start();
  await first.begin();
  writeFileSync(join(root, 'a.txt'), 'two\n');
  first.die();
  const second = start();
  const [recovered, ...more] = await second.recover();
  expect(more).toEqual([]);
  expect(recovered).toMatchObject({ conversationId: 'c', turnId: 't', callId: 'call' });
  expect(recovered?.changes.files).toMatchObject([{ path: join(root, 'a.txt'), change: 'changed', added: 1 }]);
  expect(recovered?.written.map(({ path }) => path)).toEqual([join(root, 'a.txt')]);
  expect(await second.recover()).toEqual([]);
  expect(marks()).toEqual([]);
});

test('a list that was made but not recorded stays as it was made', async () => {
  const { root, start } = withProcesses();
  const first = start();
  const { end } = await first.begin();
  writeFileSync(join(root, 'b.txt'), '');
  const { changes } = await end(false);
  first.die();
  writeFileSync(join(root, 'c.txt'), 'by somebody else');
  const [recovered] = await start().recover();
  expect(recovered?.changes).toEqual({ files: changes.files, counts: changes.counts });
});

test('neither a command that is recorded nor one whose process is alive was interrupted', async () => {
  const { start, marks } = withProcesses();
  const first = start();
  const { end, recorded } = await first.begin();
  expect(marks()).toHaveLength(1);
  expect(await start().recover()).toEqual([]);
  await end(false);
  recorded();
  expect(marks()).toEqual([]);
});

test('what can’t be listed now is listed at a later start', async () => {
  const { root, start } = withProcesses();
  const first = start();
  await first.begin();
  rmSync(join(root, 'a.txt'));
  first.die();
  renameSync(root, `${root}-not-connected`);
  const second = start();
  await expect(second.recover()).rejects.toThrow(/ENOENT/);
  renameSync(`${root}-not-connected`, root);
  expect(await second.recover()).toMatchObject([{ changes: { files: [{ change: 'deleted' }] } }]);
});

test('a command whose process died before it was marked is forgotten', async () => {
  const { root, start, place } = withProcesses();
  const first = start();
  await first.begin();
  const unmarked = { conversationId: 'c', turnId: 't', callId: 'unmarked', roots: [root] };
  beginCommand(place, unmarked);
  first.die();
  const { pid } = spawnSync(process.execPath, ['--version']);
  place.store.statement('UPDATE commands SET pid = ?').run(pid);
  beginCommand(place, unmarked);
  expect(await start().recover()).toHaveLength(1);
  expect(place.store.statement('SELECT num, through IS NULL AS runs FROM commands').all()).toMatchObject([
    { num: 1, runs: 0 },
    { num: 3, runs: 1 },
  ]);
});

test('a pid that is used again does not keep such a command', async () => {
  const { root, start, place } = withProcesses();
  beginCommand(place, { conversationId: 'c', turnId: 't', callId: 'unmarked', roots: [root] });
  const first = start();
  expect(await first.clear()).toBe(false);
  place.store.statement('UPDATE commands SET started_at = ?').run(new Date(Date.now() - 2 * 86_400_000).toISOString());
  expect(await start().clear()).toBe(true);
});
