import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openSqlite } from '../../../src-main/base/sqlite.ts';
import { endsWithTest } from '../../fixtures/ends-with-test.ts';
import { needLinux } from '../../fixtures/machine-needs.ts';
import { expectSameTree, RestoreRig, treeOf } from './restore-rig.ts';

const NEEDS_PROC = 'only Linux says which process has a file open';

/** Another program that has a file open. */
async function holding(path: string, flags: 'r' | 'r+' | 'a'): Promise<ChildProcess> {
  const script = `require('node:fs').openSync(process.argv[1], '${flags}'); console.log('open'); setInterval(() => 0, 1e6)`;
  const child = spawn(process.execPath, ['-e', script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  endsWithTest(child);
  await once(child.stdout, 'data');
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** A database with a write-ahead log, as a program leaves it that was killed. */
function database(rig: RestoreRig, values: readonly number[]): void {
  const made = openSqlite(rig.tree.at('made.db'));
  made.exec('PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS numbers (number); DELETE FROM numbers');
  for (const value of values) made.prepare('INSERT INTO numbers VALUES (?)').run(value);
  for (const suffix of ['', '-wal', '-shm']) {
    writeFileSync(rig.at(`my.db${suffix}`), readFileSync(rig.tree.at(`made.db${suffix}`)));
  }
  made.close();
}

function numbersIn(file: string): unknown[] {
  const opened = openSqlite(file);
  try {
    return opened
      .prepare('SELECT number FROM numbers')
      .all()
      .map((row) => (row as { number: number }).number);
  } finally {
    opened.close();
  }
}

test('a file that another program has open for writing is left alone; one that it reads is replaced', async (context) => {
  needLinux(context, NEEDS_PROC);
  const rig = new RestoreRig();
  for (const name of ['log', 'edited', 'read']) writeFileSync(rig.at(name), 'before');
  rig.keep();
  for (const name of ['log', 'edited', 'read', 'new']) writeFileSync(rig.at(name), 'after');
  const programs = [await holding(rig.at('log'), 'a'), await holding(rig.at('new'), 'r+')];
  programs.push(await holding(rig.at('read'), 'r'));
  const { refused } = rig.carryOut(rig.wayBack());
  expect(refused).toEqual([
    { path: rig.at('log'), reason: { code: 'in_use' } },
    { path: rig.at('new'), reason: { code: 'in_use' } },
  ]);
  expect(readFileSync(rig.at('log'), 'utf8')).toBe('after');
  for (const program of programs) await end(program);
  expect(rig.carryOut(rig.wayBack()).refused).toEqual([]);
  expectSameTree(treeOf(rig.root), rig.before);
});

test('a database comes back with all its files, and not while a program has it open', async (context) => {
  needLinux(context, NEEDS_PROC);
  const rig = new RestoreRig();
  database(rig, [1, 2, 3]);
  rig.keep();
  database(rig, [4]);
  const all = rig.wayBack();
  const inRoot = all.filter(({ path }) => path !== rig.root);
  expect(inRoot.map(({ path }) => path)).toEqual(['', '-wal', '-shm'].map((suffix) => rig.at(`my.db${suffix}`)).sort());

  for (const suffix of ['', '-wal']) {
    const part = all.filter(({ path }) => path === rig.at(`my.db${suffix}`));
    expect(rig.carryOut(part).refused).toEqual([{ path: part[0]?.path, reason: { code: 'part_of_database' } }]);
  }
  const program = await holding(rig.at('my.db'), 'r');
  const { refused } = rig.carryOut(all);
  expect(refused.map(({ reason }) => reason.code)).toEqual(inRoot.map(() => 'in_use'));
  await end(program);

  expect(rig.carryOut(all).refused).toEqual([]);
  expectSameTree(treeOf(rig.root), rig.before);
  expect(numbersIn(rig.at('my.db'))).toEqual([1, 2, 3]);
});

test('if one file of a database can’t be restored, none is', () => {
  const rig = new RestoreRig();
  database(rig, [1, 2, 3]);
  rig.keep();
  for (const suffix of ['', '-wal', '-shm']) rmSync(rig.at(`my.db${suffix}`));
  const transitions = rig.wayBack();
  writeFileSync(rig.at('my.db-wal'), 'of another database');
  const { refused } = rig.carryOut(transitions);
  expect(Object.fromEntries(refused.map(({ path, reason }) => [path, reason.code]))).toEqual({
    [rig.at('my.db')]: 'part_of_database',
    [rig.at('my.db-wal')]: 'changed_elsewhere',
    [rig.at('my.db-shm')]: 'part_of_database',
  });
  expect(existsSync(rig.at('my.db'))).toBe(false);
});
