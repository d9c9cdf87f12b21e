import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SOON, WindowRig } from '../fixtures/window-rig.ts';

const WRITE = '/write_file {"path":"notes.md","content":"after\\n"}';

async function written(rig: WindowRig) {
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: WRITE });
  await rig.answer({ answer: 'once' });
  await rig.turnEnded(id);
  const turnId = String(rig.turnEvents(id).find(({ type }) => type === 'tool_call')?.turnId);
  return { id, turnId };
}

test('a compromised page cannot undo anything on its own', async () => {
  const rig = new WindowRig({ files: { 'notes.md': 'before\n' } });
  const path = join(rig.workspace, 'notes.md');
  const { id, turnId } = await written(rig);
  const undoing = rig.envelope('conversations.undo', { id, turnId, callId: null });
  const card = await rig.card();
  const yes = { id: card.id, answer: 'once' };
  // The chat has no way to answer, and no second question is put on top of the first.
  expect(await rig.code('consent.answer', yes)).toBe('wrong_surface');
  expect(await rig.code('consent.state')).toBe('wrong_surface');
  expect(await rig.code('conversations.undo', { id, turnId, callId: null })).toBe('already_asking');
  // A press that was meant for the chat can't answer either.
  expect(await rig.code('consent.answer', yes, 'consent')).toBe('too_early');
  // No rule can be kept, because each undo is asked about.
  const always = () => rig.code('consent.answer', { id: card.id, answer: 'always', offer: 0 }, 'consent');
  await expect.poll(always, SOON).toBe('bad_input');
  expect(readFileSync(path, 'utf8')).toBe('after\n');
  await rig.close();
  expect(await undoing).toMatchObject({ ok: false, error: { code: 'closing' } });
  expect(readFileSync(path, 'utf8')).toBe('after\n');
});

test('approval applies to the files as shown', async () => {
  const rig = new WindowRig({ files: { 'notes.md': 'before\n' } });
  const path = join(rig.workspace, 'notes.md');
  const { id, turnId } = await written(rig);
  const undoing = rig.request('conversations.undo', { id, turnId, callId: null });
  const card = await rig.card();
  writeFileSync(path, 'by hand\n');
  await rig.answer({ answer: 'once' }, card);
  expect(await undoing).toEqual({ undone: [], refused: [{ path, reason: { code: 'changed_elsewhere' } }] });
  expect(readFileSync(path, 'utf8')).toBe('by hand\n');
});

test('paths in the log or from the page are ignored', async () => {
  const rig = new WindowRig();
  const { id } = await written(rig);
  for (const turnId of ['../..', '__proto__', '', 'x'.repeat(200), join(rig.workspace, 'notes.md')])
    expect(await rig.code('conversations.undo', { id, turnId, callId: null })).toBe('nothing_to_undo');
  expect(await rig.code('conversations.undo', { id, turnId: 'x'.repeat(201), callId: null })).toBe('bad_input');
  expect(await rig.code('conversations.undo', { id: '../profile', turnId: 'x', callId: null })).toBe('bad_input');
  expect(existsSync(join(rig.workspace, 'notes.md'))).toBe(true);
  expect(rig.isConsentShown).toBe(false);
});
