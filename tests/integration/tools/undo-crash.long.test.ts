import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { UndoOutcome } from '../../../src-main/assistant/undo/undo.ts';
import { UndoRig } from './undo-rig.ts';

const CHILD = fileURLToPath(new URL('undo-child.ts', import.meta.url));

const OVERWRITE = ['write_file', { path: 'a.txt', content: 'after' }] as const;
const CREATE = ['write_file', { path: 'new/folder/a.txt', content: 'after' }] as const;
const APPEND = ['append_file', { path: 'a.txt', content: ' and after' }] as const;

/** What the file is after a kill and an undo of all that can be undone; always one that somebody meant. */
type Ending = 'put back' | 'never changed' | 'nothing recorded' | 'refused';

async function killedAt(point: string, [tool, input]: readonly [string, { readonly path: string }]) {
  const rig = await UndoRig.start();
  rig.harness.put('a.txt', 'before');
  const { workspace, base } = rig.harness;
  const args = [CHILD, point, join(base, 'profile'), workspace, rig.conversationId, tool, JSON.stringify(input)];
  const killed = await promisify(execFile)(process.execPath, args).then(
    () => 'ended by itself',
    (error: { signal?: string; stderr?: string }) => error.signal ?? error.stderr,
  );
  expect(killed).toBe('SIGKILL');
  const path = rig.path(input.path);
  const left = existsSync(path) ? readFileSync(path, 'utf8') : null;
  const outcome = await rig
    .undo({ turnId: null, callId: null })
    .catch((error: unknown): UndoOutcome | string => (error instanceof Error ? error.name : String(error)));
  return { rig, path, left, outcome, now: existsSync(path) ? readFileSync(path, 'utf8') : null };
}

test.each<[string, readonly [string, { readonly path: string }], Ending]>([
  ['before the image', OVERWRITE, 'nothing recorded'],
  ['after the image', OVERWRITE, 'never changed'],
  ['after the rename', OVERWRITE, 'put back'],
  ['before the result', OVERWRITE, 'put back'],
  ['before the image', CREATE, 'nothing recorded'],
  ['after the image', CREATE, 'never changed'],
  ['after the rename', CREATE, 'put back'],
  ['before the result', CREATE, 'put back'],
  ['before the image', APPEND, 'nothing recorded'],
  ['after the image', APPEND, 'never changed'],
  ['in the middle of appending', APPEND, 'refused'],
  ['before the result', APPEND, 'put back'],
])('killed %s of %j: %s', async (point, call, ending) => {
  const { rig, path, left, outcome, now } = await killedAt(point, call);
  const before = call === CREATE ? null : 'before';
  switch (ending) {
    case 'put back':
      expect(left).toBe(call === APPEND ? 'before and after' : 'after');
      expect(outcome).toEqual({ kind: 'settled', undone: [path], refused: [] });
      expect(now).toBe(before);
      expect(existsSync(rig.path('new'))).toBe(false);
      expect(rig.events('turn_end').map(({ stopReason }) => stopReason)).toEqual(['interrupted']);
      break;
    case 'never changed':
      expect([left, now]).toEqual([before, before]);
      expect(outcome).toMatchObject({ undone: [], refused: [{ path, reason: { code: 'as_before' } }] });
      break;
    case 'nothing recorded':
      expect([left, now]).toEqual([before, before]);
      expect(outcome).toBe('NothingToUndo');
      break;
    case 'refused':
      expect([left, now]).toEqual(['before an', 'before an']);
      expect(outcome).toMatchObject({ undone: [], refused: [{ path, reason: { code: 'changed_elsewhere' } }] });
  }
  if (ending !== 'put back') expect(rig.asked).toEqual([]);
});
