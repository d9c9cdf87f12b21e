import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { SOON, WindowRig } from '../../fixtures/window-rig.ts';

const WRITE = '/write_file {"path":"notes.md","content":"after\\n"}';

/** How many files wait for review, as the page was told last. */
const told = (rig: WindowRig) => rig.events.findLast(({ name }) => name === 'unreviewed')?.data;

/** A rule lets the assistant change a file while text from outside is in the conversation. */
async function changed(rig: WindowRig): Promise<void> {
  // What a command fetches is text from outside, whatever it printed.
  const fetching = { id: null, text: '/bash {"command":"curl --version"}' };
  const { id } = await rig.request<{ id: string }>('conversations.send', fetching);
  await rig.answer({ answer: 'once' });
  await rig.turnEnded(id);
  const writing = rig.turn(WRITE, id);
  await rig.answer({ answer: 'always', offer: 0 });
  await writing;
  // That one was shown; of the next one nobody sees the difference.
  await rig.turn('/write_file {"path":"notes.md","content":"evil\\n"}', id);
  await vi.waitFor(() => expect(told(rig)).toEqual({ files: 1 }), SOON);
}

test('the page is told how many files wait, and has them shown; the user says that they looked', async () => {
  const rig = new WindowRig({ files: { 'notes.md': 'before\n' } });
  const path = join(rig.workspace, 'notes.md');
  await changed(rig);
  const reviewing = rig.request('conversations.review');
  const card = await rig.card();
  expect(card).toMatchObject({
    kind: 'review',
    reviews: 1,
    offers: [],
    takesWord: false,
    tool: null,
    conversationTitle: null,
    parts: [{ kind: 'diff', path }],
  });
  expect(JSON.stringify(card.parts)).toContain('evil');
  expect(await rig.code('conversations.review')).toBe('already_asking');
  await rig.answer({ answer: 'reviewed' }, card);
  expect(await reviewing).toEqual({ reviewed: 1 });
  expect(told(rig)).toEqual({ files: 0 });
  expect(await rig.request('conversations.review')).toEqual({ reviewed: 0 });
});

test('an answer that is no review leaves them, and the next start knows them', async () => {
  const rig = new WindowRig({ files: { 'notes.md': 'before\n' } });
  await changed(rig);
  const reviewing = rig.request('conversations.review');
  const card = await rig.card();
  expect(await rig.code('consent.answer', { id: card.id, answer: 'reviewed' })).toBe('wrong_surface');
  const once = () => rig.code('consent.answer', { id: card.id, answer: 'once' }, 'consent');
  await expect.poll(once, SOON).toBe('bad_input');
  await rig.answer({ answer: 'deny' }, card);
  expect(await reviewing).toEqual({ reviewed: 0 });
  await rig.close();
  const next = new WindowRig({ like: rig });
  await vi.waitFor(() => expect(told(next)).toEqual({ files: 1 }), SOON);
});

test('a question about something else takes no review', async () => {
  const rig = new WindowRig({ files: { 'notes.md': 'before\n' } });
  const sending = rig.request('conversations.send', { id: null, text: WRITE });
  const card = await rig.card();
  expect(card.reviews).toBe(0);
  const looked = () => rig.code('consent.answer', { id: card.id, answer: 'reviewed' }, 'consent');
  await expect.poll(looked, SOON).toBe('bad_input');
  await rig.answer({ answer: 'deny' }, card);
  await sending;
});

test('a command shows the files, and runs once they were looked at', async () => {
  const rig = new WindowRig({ files: { 'notes.md': 'before\n' } });
  await changed(rig);
  writeFileSync(join(rig.workspace, 'other.md'), 'by hand');
  const line = '/run_command {"command":"git","arguments":"--version"}';
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: line });
  const card = await rig.card();
  expect(card).toMatchObject({ kind: 'tool', reviews: 1, offers: [] });
  expect(card.parts.filter(({ kind }) => kind === 'diff')).toMatchObject([{ path: join(rig.workspace, 'notes.md') }]);
  await rig.answer({ answer: 'reviewed' }, card);
  await rig.turnEnded(id);
  expect(rig.turnEvents(id)).toContainEqual(
    expect.objectContaining({ type: 'decision', answer: 'allow', by: 'user', reason: { code: 'allowed_reviewed' } }),
  );
  expect(told(rig)).toEqual({ files: 0 });
});
