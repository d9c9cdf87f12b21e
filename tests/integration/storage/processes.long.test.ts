import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openReadable } from '../../../src-main/storage/database/connection.ts';
import { repetitions } from '../../fixtures/repetitions.ts';
import { storageIn, temporaryFolder } from '../../fixtures/temporary-profile.ts';
import { startChild } from './children.ts';

const KILLS = repetitions(12, 30);

test('a process killed at any point loses nothing that it printed', { timeout: 120_000 }, async () => {
  const directory = temporaryFolder();
  const printed: { id: string; seq: number; type: string }[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const child = startChild(['write', directory]);
    const lines = 1 + Math.floor(Math.random() * 150);
    const last = await (async () => {
      for (let line = 0; line < lines; line++) printed.push((await child.next()) as (typeof printed)[number]);
      child.process.kill('SIGKILL');
      return child.rest();
    })();
    printed.push(...(last as typeof printed));
  }
  const connection = openReadable(join(directory, 'steward.db'));
  expect(connection.statement('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  connection.close();
  const storage = await storageIn(directory);
  const kept = new Set(storage.conversations.list().flatMap(({ id }) => storage.events.read(id).map(({ seq }) => seq)));
  const mustBeKept = printed.filter(({ type }) => type !== 'text_delta');
  expect(mustBeKept.length).toBeGreaterThan(100);
  expect(mustBeKept.filter(({ seq }) => !kept.has(seq))).toEqual([]);
  // A delta may only be gone if the block that repeats it is there.
  for (const { id, seq } of printed.filter(({ type, seq }) => type === 'text_delta' && !kept.has(seq))) {
    expect(storage.events.read(id).some((event) => event.seq > seq && event.type === 'block')).toBe(true);
  }
});

test('many processes can begin a profile at the same moment', async () => {
  const directory = join(temporaryFolder(), 'new', 'profile');
  const children = Array.from({ length: 6 }, () => startChild(['open', directory]));
  const opened = await Promise.all(children.map((child) => child.next()));
  expect(opened.map((line) => typeof line?.opened)).toEqual(children.map(() => 'string'));
  for (const child of children) child.process.stdin?.end();
  await Promise.all(children.map((child) => child.ended()));
  const { conversations } = await storageIn(directory);
  expect(
    conversations
      .list()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(opened.map((line) => String(line?.opened)).sort());
  expect(readdirSync(directory).filter((name) => /new|damaged|replacement/.test(name))).toEqual([]);
});

test('only one process at a time has the turn of a conversation, and a killed one gives it up', async () => {
  const directory = temporaryFolder();
  const { leases, conversations } = await storageIn(directory, { now: () => new Date(Math.random() * 4e12) });
  const { id } = conversations.create({ workspace: '/work', model: 'guide' });
  const other = conversations.create({ workspace: '/work', model: 'guide' });

  const mine = leases.acquire(id);
  expect(mine).toHaveProperty('release');
  expect(leases.acquire(id)).toEqual({ heldByPid: process.pid });
  expect(leases.acquire(other.id)).toHaveProperty('release');
  const refused = startChild(['lease', directory, id]);
  expect(await refused.next()).toEqual({ heldByPid: process.pid });
  refused.process.stdin?.end();
  await refused.ended();

  if ('release' in mine) mine.release();
  const holder = startChild(['lease', directory, id]);
  expect(await holder.next()).toEqual({});
  expect(leases.acquire(id)).toEqual({ heldByPid: holder.process.pid });
  holder.process.kill('SIGKILL');
  await holder.ended();
  const taken = leases.acquire(id);
  expect(taken).toHaveProperty('release');
  if ('release' in taken) taken.release();
  expect(readdirSync(join(directory, 'locks')).filter((name) => name.startsWith(`turn-${id}`))).toEqual([]);
});

test('of processes that ask for the same turn at once, exactly one gets it', async () => {
  const directory = temporaryFolder();
  const { conversations } = await storageIn(directory);
  const { id } = conversations.create({ workspace: '/work', model: 'guide' });
  const children = Array.from({ length: 5 }, () => startChild(['lease', directory, id]));
  const answers = await Promise.all(children.map((child) => child.next()));
  const holder = children[answers.findIndex((answer) => answer?.heldByPid === undefined)]?.process.pid;
  expect(answers.filter((answer) => answer?.heldByPid === undefined)).toHaveLength(1);
  expect(answers.filter((answer) => answer?.heldByPid === holder)).toHaveLength(4);
});

test('a search does not keep a process alive', async () => {
  const directory = temporaryFolder();
  const child = startChild(['search', directory]);
  expect(await child.next()).toEqual([]);
  await child.ended();
  expect(child.process.exitCode).toBe(0);
  expect(existsSync(join(directory, 'steward.db'))).toBe(true);
});
