import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decisionReasonText } from '../../../src-preload/contract/decision-reason.ts';
import { WindowRig } from '../../fixtures/window-rig.ts';

/** A turn in which the user ran one tool and allowed it; gives what undo needs. */
async function written(rig: WindowRig, line: string) {
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: line });
  await rig.answer({ answer: 'once' });
  await rig.turnEnded(id);
  const call = rig.turnEvents(id).find(({ type }) => type === 'tool_call');
  return { id, turnId: String(call?.turnId), callId: String(call?.id) };
}

const WRITE = '/write_file {"path":"notes.md","content":"after\\n"}';

test('undo asks with what would go back and what stays, and then does it; the window hears of it', async () => {
  const rig = new WindowRig({ files: { 'notes.md': 'before\n' } });
  const path = join(rig.workspace, 'notes.md');
  const { id, turnId, callId } = await written(rig, WRITE);
  expect(rig.turnEvents(id).find(({ type }) => type === 'tool_result')).toMatchObject({ changed: ['notes.md'] });

  const undoing = rig.request('conversations.undo', { id, turnId, callId });
  const card = await rig.card();
  expect(card).toEqual({
    id: expect.any(String),
    kind: 'undo',
    wasShown: true,
    mayStopAsking: false,
    title: 'Undo this change?',
    reason: decisionReasonText({ code: 'undo', tools: ['write_file'] }),
    tool: null,
    parts: [
      {
        kind: 'diff',
        title: expect.any(String),
        path,
        note: null,
        lines: [
          { kind: 'hunk', text: '@@ -1,1 +1,1 @@' },
          { kind: 'removed', text: 'after' },
          { kind: 'added', text: 'before' },
        ],
      },
    ],
    offers: [],
    mayPassVariables: false,
    takesWord: false,
    reviews: 0,
    noRule: null,
    risk: 'plain',
    calls: [],
    conversationTitle: '/write_file notes.md · after',
  });
  expect(readFileSync(path, 'utf8')).toBe('after\n');
  await rig.answer({ answer: 'once' }, card);
  expect(await undoing).toEqual({ undone: [path], refused: [] });
  expect(readFileSync(path, 'utf8')).toBe('before\n');
  expect(rig.turnEvents(id).at(-1)).toMatchObject({ type: 'undo', calls: [callId], paths: [path] });
  const { events } = await rig.request<{ events: unknown[] }>('conversations.open', { id });
  expect(events.at(-1)).toEqual(rig.turnEvents(id).at(-1));

  expect(await rig.request('conversations.undo', { id, turnId, callId: null })).toEqual({
    undone: [],
    refused: [{ path, reason: { code: 'already_undone' } }],
  });
  // The conversation goes on, and what was undone is no turn of its own in it.
  const next = await rig.turn('/get_date', id);
  expect(next.events.at(-1)).toMatchObject({ type: 'turn_end', stopReason: 'end_turn' });
});

test('declining an undo keeps the files, and the window is told that it was declined', async () => {
  const rig = new WindowRig();
  const { id, turnId } = await written(rig, WRITE);
  const undoing = rig.request('conversations.undo', { id, turnId, callId: null });
  const card = await rig.card();
  expect(card).toMatchObject({
    title: 'Undo this turn?',
    parts: [{ kind: 'diff', note: expect.stringContaining('deleted') }],
  });
  await rig.answer({ answer: 'deny', word: '' }, card);
  expect(await undoing).toBeNull();
  expect(existsSync(join(rig.workspace, 'notes.md'))).toBe(true);
});

test('trying again undoes what the answer changed first, if the user wants that and says yes', async () => {
  const rig = new WindowRig();
  const path = join(rig.workspace, 'notes.md');
  const { id, turnId } = await written(rig, 'write notes.md: after');
  const turns = () => rig.turnEvents(id).filter(({ type }) => type === 'turn_end').length;
  const retrying = () => rig.request('conversations.retry', { id, undoing: turnId });

  const declined = retrying();
  await rig.answer({ answer: 'deny', word: '' });
  expect(await declined).toBeNull();
  expect([turns(), existsSync(path)]).toEqual([1, true]);

  writeFileSync(path, 'by hand');
  const refused = [{ path, reason: { code: 'changed_elsewhere' } }];
  expect(await retrying()).toEqual({ undone: [], refused });
  expect([turns(), readFileSync(path, 'utf8')]).toEqual([1, 'by hand']);

  writeFileSync(path, 'after');
  const undoing = retrying();
  expect(await rig.card()).toMatchObject({ kind: 'undo' });
  expect(existsSync(path)).toBe(true);
  await rig.answer({ answer: 'once' });
  expect(await undoing).toEqual({ undone: [path], refused: [] });
  const card = await rig.card();
  expect(card).toMatchObject({ kind: 'tool', tool: 'write_file' });
  expect(existsSync(path)).toBe(false);
  await rig.answer({ answer: 'deny', word: '' }, card);
  expect(rig.turnEvents(id).find(({ type }) => type === 'retry')).not.toHaveProperty('kept');
});

test('what is kept when an answer is tried again can be undone afterwards, and is named in the log', async () => {
  const rig = new WindowRig();
  const path = join(rig.workspace, 'notes.md');
  const { id, turnId, callId } = await written(rig, 'write notes.md: after');
  await rig.request('conversations.retry', { id });
  await rig.answer({ answer: 'deny', word: '' });
  await rig.turnEnded(
    id,
    rig.turnEvents(id).findIndex(({ type }) => type === 'retry'),
  );
  expect(rig.turnEvents(id).find(({ type }) => type === 'retry')).toMatchObject({
    kept: [{ id: callId, tool: 'write_file', paths: ['notes.md'] }],
  });
  const undoing = rig.request('conversations.undo', { id, turnId, callId });
  await rig.answer({ answer: 'once' });
  expect(await undoing).toEqual({ undone: [path], refused: [] });
  expect(existsSync(path)).toBe(false);
});

test('what cannot be undone says why, without a question', async () => {
  const rig = new WindowRig();
  const { id, turnId, callId } = await written(rig, 'run: echo hello');
  const reason = { code: 'not_by_undo' };
  expect(await rig.request('conversations.undo', { id, turnId, callId })).toEqual({
    undone: [],
    refused: [{ path: expect.stringMatching(/^(bash|run_command)$/), reason }],
  });
  expect(await rig.code('conversations.undo', { id, turnId: 'none', callId: null })).toBe('nothing_to_undo');
  const unknown = 'c1a3a1cc-9b5e-4a8f-9c55-0a1f8f0d2a55';
  expect(await rig.code('conversations.undo', { id: unknown, turnId, callId: null })).toBe('conversation_unknown');
});

test('undo is refused while the conversation is being answered', async () => {
  const rig = new WindowRig();
  const { id, turnId } = await written(rig, WRITE);
  await rig.request('conversations.send', { id, text: 'run: echo waits for an answer' });
  expect(await rig.code('conversations.undo', { id, turnId, callId: null })).toBe('already_answering');
  await rig.answer({ answer: 'deny', word: '' });
});

test('a redo of a call of which nothing was undone says so, without a question', async () => {
  const rig = new WindowRig();
  const { id, callId } = await written(rig, WRITE);
  await expect(rig.request('conversations.redo', { id, callId })).rejects.toThrow('nothing_to_undo');
});

test('a user who is elsewhere hears of a mass deletion from the system', async () => {
  const names = Array.from({ length: 110 }, (_, index) => `photo ${index}.jpg`);
  const rig = new WindowRig({ files: Object.fromEntries(names.map((name) => [name, name])) });
  rig.isInFront = false;
  const { id } = await written(rig, '/bash {"command":"rm *.jpg"}');
  expect(rig.turnEvents(id).find(({ type }) => type === 'changes')).toMatchObject({ massDeleted: 110 });
  expect(rig.opened).toEqual([expect.stringMatching(/^notify .*\n*.*110 files/)]);
  rig.isInFront = true;
  for (const name of names) writeFileSync(join(rig.workspace, name), 'again');
  await written(rig, '/bash {"command":"rm *.jpg"}');
  expect(rig.opened).toHaveLength(1);
});
