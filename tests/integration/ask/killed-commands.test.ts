import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import type { AppEvents } from '../../../src-preload/contract/index.ts';
import { type AskRig, askRig, ofType } from '../../fixtures/ask.ts';
import { needPosix } from '../../fixtures/machine-needs.ts';
import { WindowRig } from '../../fixtures/window-rig.ts';

beforeEach(needPosix);

const FILES = { 'a.txt': 'one\n', 'b.txt': 'bee\n' };
const GO_ON = ['--conversation', 'last', '--approve', 'all'];

/** Kills `ask` while its command runs, after the command has done its work. */
async function killedWhile(ask: AskRig, line: string): Promise<void> {
  const command = `${line}; touch ready; sleep 600`;
  const child = await ask.start(['--approve', 'all', `/bash ${JSON.stringify({ command })}`]);
  child.stdin.end();
  const closed = once(child, 'close');
  await vi.waitFor(() => expect(existsSync(join(ask.workspace, 'ready'))).toBe(true), { timeout: 30_000 });
  child.kill('SIGKILL');
  await closed;
}

test('what a command changed is listed at the next start, once, and can be undone', async () => {
  const ask = askRig({ files: FILES });
  await killedWhile(ask, 'rm b.txt; echo two >> a.txt');
  const { events } = await ask.events([...GO_ON, '/get_date']);
  const [found, ...more] = ofType(events, 'changes');
  expect(more).toEqual([]);
  expect(found).toMatchObject({ isFoundLater: true, counts: { changed: 1, deleted: 1, made: 1 } });
  expect(ofType((await ask.events([...GO_ON, '/get_date'])).events, 'changes')).toEqual([]);
  expect(await ask.run([...GO_ON, `/undo ${found?.id}`])).toMatchObject({ code: 0 });
  expect(readFileSync(join(ask.workspace, 'a.txt'), 'utf8')).toBe('one\n');
  expect(readFileSync(join(ask.workspace, 'b.txt'), 'utf8')).toBe('bee\n');
  expect(existsSync(join(ask.workspace, 'ready'))).toBe(false);
});

test('/undo knows it at once', async () => {
  const ask = askRig({ files: FILES });
  await killedWhile(ask, 'rm b.txt');
  const { code, stderr } = await ask.run([...GO_ON, '/undo']);
  expect(code).toBe(0);
  expect(stderr).toContain('found after Steward ended');
  expect(readFileSync(join(ask.workspace, 'b.txt'), 'utf8')).toBe('bee\n');
});

test('a new conversation is not told', async () => {
  const ask = askRig({ files: FILES });
  await killedWhile(ask, 'rm b.txt');
  expect(ofType((await ask.events(['/get_date'])).events, 'changes')).toEqual([]);
});

test('a window that is opened next shows it on the card of the call', async () => {
  const ask = askRig({ files: FILES });
  await killedWhile(ask, 'rm b.txt');
  const rig = new WindowRig({ like: { folder: dirname(ask.profile) } });
  await rig.assistant.ready;
  const found = await vi.waitFor(
    () => {
      const turns = rig.events.flatMap(({ name, data }) => (name === 'turn' ? (data as AppEvents['turn']).events : []));
      const changes = turns.find(({ type }) => type === 'changes');
      if (changes === undefined) throw new Error(`only ${rig.events.map(({ name }) => name).join()}`);
      return changes;
    },
    { timeout: 30_000 },
  );
  expect(found).toMatchObject({ isFoundLater: true, counts: { deleted: 1 } });
});
