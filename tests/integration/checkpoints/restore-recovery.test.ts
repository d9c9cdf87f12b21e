import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { recoverOperations } from '../../../src-main/checkpoints/restore/recover.ts';
import { holdingRestoreLock } from '../../../src-main/checkpoints/restore/restore-lock.ts';
import { endsWithTest } from '../../fixtures/ends-with-test.ts';
import { seededRandom } from '../../fixtures/random.ts';
import { repetitions } from '../../fixtures/repetitions.ts';
import { expectSameTree, RestoreRig, type Tree, treeOf } from './restore-rig.ts';

const KILLS = repetitions(10, 100);
const FOLDERS = 10;
const FILES_IN_EACH = 20;
const CHILD = `${import.meta.dirname}/restore-child.ts`;

/** Two hundred files, and what a command made of them: deleted, replaced, with another mode, and new ones. */
function changedProject(): RestoreRig {
  const rig = new RestoreRig();
  for (let folder = 0; folder < FOLDERS; folder++) {
    mkdirSync(rig.at(`d${folder}`));
    for (let file = 0; file < FILES_IN_EACH; file++)
      writeFileSync(rig.at(`d${folder}`, `f${file}`), `${folder} ${file}`);
  }
  rig.keep();
  rmSync(rig.at('d0'), { recursive: true });
  writeFileSync(rig.at('d0'), 'a file');
  rmSync(rig.at('d1'), { recursive: true });
  for (let file = 0; file < FILES_IN_EACH; file++) {
    writeFileSync(rig.at('d2', `f${file}`), '');
    chmodSync(rig.at('d3', `f${file}`), 0o600);
    rmSync(rig.at('d4', `f${file}`));
    writeFileSync(rig.at('d5', `new${file}`), 'new'.repeat(100_000));
    rmSync(rig.at('d6', `f${file}`));
    symlinkSync('elsewhere', rig.at('d6', `f${file}`));
  }
  return rig;
}

function isTree(actual: Tree, expected: Tree): boolean {
  try {
    expectSameTree(actual, expected);
    return true;
  } catch {
    return false;
  }
}

/** A process that carries out what undoes the changes. */
function startCarryingOut(rig: RestoreRig): ChildProcess {
  const file = rig.tree.file('transitions', JSON.stringify(rig.wayBack()));
  const child = spawn(process.execPath, [CHILD, 'carry-out', rig.tree.at('profile'), file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  endsWithTest(child);
  return child;
}

/** The steps are in the journal, and the first of them may have been made. */
async function untilPlanned({ ports }: RestoreRig): Promise<void> {
  const steps = () => ports.store.statement<{ count: number }>('SELECT count(*) AS count FROM steps').get()?.count;
  await expect.poll(steps, { interval: 1 }).toBeGreaterThan(0);
}

test('an operation that was killed anywhere is finished or never began', { timeout: 1_200_000 }, async () => {
  const measured = changedProject();
  const child = startCarryingOut(measured);
  await untilPlanned(measured);
  const planned = performance.now();
  await once(child, 'exit');
  const stepsMs = performance.now() - planned;
  expectSameTree(treeOf(measured.root), measured.before);

  const random = seededRandom(33);
  const seen = { untouched: 0, halfway: 0, whole: 0 };
  for (let kill = 0; kill < KILLS; kill++) {
    const rig = changedProject();
    const after = treeOf(rig.root);
    const child = startCarryingOut(rig);
    const exited = once(child, 'exit');
    if (kill > 0) await untilPlanned(rig);
    await wait(random() * stepsMs);
    child.kill('SIGKILL');
    await exited;
    const left = treeOf(rig.root);
    const recovered = recoverOperations(rig.ports);
    if (isTree(treeOf(rig.root), after)) seen.untouched += 1;
    else {
      expectSameTree(treeOf(rig.root), rig.before);
      seen[isTree(left, rig.before) ? 'whole' : 'halfway'] += 1;
    }
    expect(recovered.filter(({ outcome }) => outcome !== 'finished')).toEqual([]);
    expect(recoverOperations(rig.ports)).toEqual([]);
    rig.end();
  }
  expect(seen.halfway).toBeGreaterThan(0);
});

test('what is at work is not recovered', () => {
  const rig = changedProject();
  rig.carryOut(rig.wayBack());
  rig.ports.store.statement("UPDATE operations SET state = 'running'").run();
  const recovered = holdingRestoreLock(rig.ports.lock, 0, () => recoverOperations(rig.ports));
  expect(recovered).toEqual([]);
  expect(recoverOperations(rig.ports)).toEqual([{ operation: 1, outcome: 'finished' }]);
});

test('what was changed after the crash is left alone', () => {
  const rig = changedProject();
  const { operation } = rig.carryOut(rig.wayBack());
  rig.ports.store.statement("UPDATE operations SET state = 'running'").run();
  writeFileSync(rig.at('d4', 'f1'), 'by the user');
  expect(recoverOperations(rig.ports)).toEqual([{ operation, outcome: 'finished' }]);
  expect(rig.reverse(operation).map(({ path }) => path)).not.toContain(rig.at('d4', 'f1'));
  expect(treeOf(rig.root).get(rig.at('d4', 'f1'))).toMatchObject({ size: 'by the user'.length });
});

test('an older operation that was interrupted is at its end before the next one begins', () => {
  const rig = changedProject();
  const changed = treeOf(rig.root);
  const undone = rig.carryOut(rig.wayBack());
  const redo = rig.reverse(undone.operation);
  rig.ports.store.statement("UPDATE operations SET state = 'running'").run();
  expect(rig.carryOut(redo).refused).toEqual([]);
  expect(recoverOperations(rig.ports)).toEqual([]);
  expectSameTree(treeOf(rig.root), changed);
});
