import { expect, test } from 'vitest';
import { preparedCheckpointUndo } from '../../../src-main/assistant/undo/checkpoint-undo.ts';
import type { UndoPlanned } from '../../../src-main/checkpoints/checkpoints.ts';
import type { ChangedPath } from '../../../src-preload/contract/file-changes.ts';

const file = (path: string, change: ChangedPath['change'] = 'made'): ChangedPath => ({ path, change, size: 5 });
const folder = (path: string, change: ChangedPath['change'] = 'made'): ChangedPath => ({
  ...file(path, change),
  is: 'folder',
  size: 0,
});

/** The lines of the question about an undo that does this. */
async function linesOf(listed: readonly ChangedPath[], more: Partial<UndoPlanned> = {}) {
  const planned: UndoPlanned = {
    listed,
    count: listed.length,
    refused: [],
    diffs: [],
    replaced: [],
    hash: 'x',
    tools: [],
    calls: [],
    ...more,
  };
  const nothing = () => Promise.reject(new Error('nothing is carried out here'));
  const checkpoints = {
    planUndo: async () => planned,
    carryOutUndo: nothing,
    planRedo: nothing,
    carryOutRedo: nothing,
  };
  const asked = { conversationId: 'c', roots: ['/w'], calls: [], paths: null, replacesOthers: false, tools: [] };
  const prepared = await preparedCheckpointUndo(
    checkpoints,
    asked,
    () => 'bash',
    () => undefined,
  );
  return (await prepared.previews()).flatMap((preview) => (preview.kind === 'text' ? preview.text.split('\n') : []));
}

test('a folder that comes back is listed once, with how many files are in it', async () => {
  const many = Array.from({ length: 130 }, (_, n) => file(`/w/src/lib/m${n}.ts`));
  const listed = [file('/w/a.txt'), folder('/w/src'), file('/w/src-old.txt'), folder('/w/src/lib'), ...many];
  expect(await linesOf(listed)).toEqual([
    '/w/a.txt comes back',
    '/w/src/ comes back, with 130 files in it',
    '/w/src-old.txt comes back',
  ]);
});

test('what happens otherwise in such a folder has a line of its own', async () => {
  const listed = [
    folder('/w/new', 'deleted'),
    file('/w/new/a', 'deleted'),
    folder('/w/old'),
    { ...file('/w/old/b', 'renamed'), from: '/w/new/b' },
    folder('/w/empty'),
    folder('/w/there', 'mode'),
    file('/w/there/c'),
  ];
  expect(await linesOf(listed)).toEqual([
    '/w/new/ is deleted, with 1 file in it',
    '/w/old/ comes back',
    '/w/new/b is /w/old/b again',
    '/w/empty/ comes back',
    '/w/there/ gets its permissions back',
    '/w/there/c comes back',
  ]);
});

test('what is shown as a difference below has no line, and its folder no number', async () => {
  const diffs = [{ path: '/w/d/x', before: '', after: 'x' }];
  expect(await linesOf([folder('/w/d'), file('/w/d/x'), file('/w/d/y')], { diffs })).toEqual([
    '/w/d/ comes back',
    '/w/d/y comes back',
  ]);
});

test('where not everything is listed, a folder has no number, and the rest is counted', async () => {
  const many = Array.from({ length: 150 }, (_, n) => file(`/w/f${n}`));
  const lines = await linesOf([folder('/w/d'), file('/w/d/x'), ...many], { count: 1_000 });
  expect(lines[0]).toBe('/w/d/ comes back, with all that is in it');
  expect(lines).toHaveLength(101);
  expect(lines.at(-1)).toBe('and 899 more');
});

test('of what is replaced, the first hundred are named and the rest is counted', async () => {
  const replaced = Array.from({ length: 150 }, (_, n) => `/w/r${n}`);
  const lines = await linesOf([], { replaced });
  expect([lines.length, lines.at(-1)]).toEqual([101, 'and 50 more']);
});
