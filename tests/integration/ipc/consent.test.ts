import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ConsentState } from '../../../src-preload/contract/consent.ts';
import { decisionReasonSentence } from '../../../src-preload/contract/decision-reason.ts';
import type { RuleRow } from '../../../src-preload/contract/settings.ts';
import { SOON, WindowRig } from '../../fixtures/window-rig.ts';

/**
 * Stops the clock, so that no half second passes because the machine is slow. It runs again when the test ends, or when
 * what is returned is called.
 */
function stopClock(): () => void {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const goOn = () => clock.mockRestore();
  onTestFinished(goOn);
  return goOn;
}

test('a card shows the exact command, its folder, the arguments and the rules that could be kept', async () => {
  const rig = new WindowRig();
  await rig.request('conversations.send', { id: null, text: '/bash {"command": "git status --short"}' });
  const card = await rig.card();
  expect(card).toMatchObject({
    kind: 'tool',
    tool: 'bash',
    reason: decisionReasonSentence({ code: 'command' }),
    parts: expect.arrayContaining([
      expect.objectContaining({ kind: 'command', line: 'git status --short', directory: rig.workspace }),
      expect.objectContaining({
        kind: 'arguments',
        values: [],
        derived: expect.arrayContaining([{ name: 'command', text: 'git status --short' }]),
      }),
    ]),
    takesWord: true,
    reviews: 0,
    conversationTitle: '/bash git status --short',
  });
  expect(card.offers[0]).toMatchObject({
    detail: `run "git status --short" in ${rig.workspace}`,
    keepFor: ['conversation', 'always'],
  });
});

test('a write is shown as a difference, and characters that hide or reorder are shown as what they are', async () => {
  const rig = new WindowRig({ files: { 'list.txt': 'one\ntwo\nthree\n' } });
  const content = 'one\ntw\u202eo\nthree\n\u200bfour\n';
  const call = `/write_file ${JSON.stringify({ path: 'list.txt', content })}`;
  await rig.request('conversations.send', { id: null, text: call });
  const { parts } = await rig.card();
  expect(parts.find(({ kind }) => kind === 'diff')).toMatchObject({
    path: join(rig.workspace, 'list.txt'),
    note: null,
    lines: [
      { kind: 'hunk', text: '@@ -1,3 +1,4 @@' },
      { kind: 'same', text: 'one' },
      { kind: 'removed', text: 'two' },
      { kind: 'added', text: 'tw⟨U+202E⟩o' },
      { kind: 'same', text: 'three' },
      { kind: 'added', text: '⟨U+200B⟩four' },
    ],
  });
  expect(parts.at(-1)).toMatchObject({
    kind: 'arguments',
    derived: expect.arrayContaining([{ name: 'content', text: 'one\ntw⟨U+202E⟩o\nthree\n⟨U+200B⟩four\n' }]),
  });
});

test('an answer before the card has stood for half a second is refused, and does nothing', async () => {
  const rig = new WindowRig();
  const goOn = stopClock();
  await rig.request('conversations.send', { id: null, text: 'run: touch file' });
  const card = await rig.card();
  expect(await rig.code('consent.answer', { id: card.id, answer: 'once' }, 'consent')).toBe('too_early');
  expect(existsSync(join(rig.workspace, 'file'))).toBe(false);
  goOn();
  await rig.answer({ answer: 'once' }, card);
  await vi.waitFor(() => expect(existsSync(join(rig.workspace, 'file'))).toBe(true), SOON);
});

test('allowing without a press that main saw is refused, denying is not', async () => {
  const rig = new WindowRig();
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'run: touch file' });
  rig.pressesAtQuestion = false;
  const card = await rig.card();
  for (const yes of [{ answer: 'once' }, { answer: 'conversation', offer: 0 }])
    await vi.waitFor(async () => {
      expect(await rig.code('consent.answer', { id: card.id, ...yes }, 'consent')).toBe('not_pressed');
    }, SOON);
  await rig.answer({ answer: 'deny' }, card);
  await rig.turnEnded(id);
  expect(existsSync(join(rig.workspace, 'file'))).toBe(false);
});

test('an answer counts for the card that is shown, by its own id, and once', async () => {
  const rig = new WindowRig();
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'run: echo one' });
  const card = await rig.card();
  expect(await rig.code('consent.answer', { id: 'another', answer: 'once' }, 'consent')).toBe('not_shown');
  await rig.answer({ answer: 'once' }, card);
  await rig.turnEnded(id);
  expect(await rig.code('consent.answer', { id: card.id, answer: 'once' }, 'consent')).toBe('not_shown');
});

test('a page that was loaded again is shown the same card, which must stand for half a second again', async () => {
  const rig = new WindowRig();
  await rig.request('conversations.send', { id: null, text: 'run: echo one' });
  const card = await rig.card();
  await vi.waitFor(async () => {
    const code = await rig.code('consent.answer', { id: card.id, answer: 'always', offer: 99 }, 'consent');
    expect(code).toBe('bad_input');
  }, SOON);
  rig.assistant.consentLoading();
  expect(await rig.code('consent.answer', { id: card.id, answer: 'once' }, 'consent')).toBe('not_shown');
  stopClock();
  const { card: again } = await rig.request<ConsentState>('consent.state', {}, 'consent');
  expect(again).toEqual(card);
  expect(await rig.code('consent.answer', { id: card.id, answer: 'once' }, 'consent')).toBe('too_early');
});

test('a question that has just moved takes a denial with a written reason, and no other answer', async () => {
  const rig = new WindowRig();
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'run: touch file' });
  const card = await rig.card();
  stopClock();
  rig.assistant.consentLoading();
  await rig.request<ConsentState>('consent.state', {}, 'consent');
  const code = (answer: object) => rig.code('consent.answer', { id: card.id, ...answer }, 'consent');
  expect(await code({ answer: 'once' })).toBe('too_early');
  expect(await code({ answer: 'deny' })).toBe('too_early');
  await rig.request('consent.answer', { id: card.id, answer: 'deny', word: 'not now' }, 'consent');
  await rig.turnEnded(id);
  expect(existsSync(join(rig.workspace, 'file'))).toBe(false);
});

test('questions come one after the other, and the card says how many wait', async () => {
  const rig = new WindowRig();
  // Similar calls that follow on each other would be one question.
  const lines = ['bash', 'execute_command', 'bash'].map((tool) => `/${tool} {"command": "echo ${tool}"}`);
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: lines.join('\n') });
  const seen: string[] = [];
  for (const waiting of [2, 1, 0]) {
    const state = await vi.waitFor(async () => {
      const now = await rig.request<ConsentState>('consent.state', {}, 'consent');
      if (now.card === null || seen.includes(now.card.id)) throw new Error('not yet');
      // The first is shown as soon as it is drawn, perhaps before the others have been asked.
      expect(now.waiting).toBe(waiting);
      return now;
    }, SOON);
    seen.push(state.card?.id ?? '');
    await rig.answer({ answer: 'deny', word: 'not now' });
  }
  await rig.turnEnded(id);
  const pending = rig.events.flatMap(({ name, data }) => (name === 'questions' ? [data] : []));
  expect(pending).toContainEqual({ pending: [{ conversationId: id, count: 3, isPutOff: false }] });
  expect(pending.at(-1)).toEqual({ pending: [] });
  expect(rig.isConsentShown).toBe(false);
  const results = rig.turnEvents(id).filter(({ type }) => type === 'tool_result');
  expect(results).toMatchObject(
    Array.from({ length: 3 }, () => ({
      outcome: 'declined',
      text: expect.stringMatching(/(?:bash|execute_command).*not now/),
    })),
  );
});

test('a grant to work freely that was kept for a week covers other files in every conversation, and Settings shows its end', async () => {
  const rig = new WindowRig();
  const write = (path: string) => `/write_file ${JSON.stringify({ path, content: 'x' })}`;
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: write('one.txt') });
  const card = await rig.card();
  const offer = card.offers.findIndex(({ keepFor }) => keepFor.includes('week'));
  expect(card.offers[offer]?.detail).toBe(`work freely in ${rig.workspace}`);
  const before = Date.now();
  await rig.answer({ answer: 'week', offer }, card);
  await rig.turnEnded(id);
  expect((await rig.turn(write('notes/two.txt'))).events).toContainEqual(
    expect.objectContaining({ type: 'decision', answer: 'allow', by: 'grant' }),
  );
  const [rule] = await rig.request<RuleRow[]>('settings.rules');
  expect(rule).toMatchObject({ hasEffect: true, conversation: null, uses: 2 });
  const days = (Date.parse(rule?.until ?? '') - before) / 86_400_000;
  expect(days).toBeGreaterThanOrEqual(7);
  expect(days).toBeLessThan(7.01);
});

test('a rule that was kept answers from then on, is listed with its uses, and can be revoked', async () => {
  const rig = new WindowRig();
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'run: echo hello' });
  await rig.answer({ answer: 'always', offer: 0 });
  await rig.turnEnded(id);
  expect((await rig.turn('run: echo hello')).events).toContainEqual(
    expect.objectContaining({ type: 'decision', answer: 'allow', by: 'rule' }),
  );
  const [rule] = await rig.request<Record<string, unknown>[]>('settings.rules');
  expect(rule).toMatchObject({ conversation: null, uses: 2, label: expect.stringContaining('echo') });
  expect(await rig.request('settings.revokeRule', { id: rule?.id })).toEqual([]);
  expect(await rig.code('settings.revokeRule', { id: rule?.id })).toBe('unknown_rule');
  await rig.request('conversations.send', { id: null, text: 'run: echo hello' });
  await rig.answer({ answer: 'deny' });
});

test('feedback reaches the model even if the call has a text of its own for a denial', async () => {
  const rig = new WindowRig({ env: { MY_TOKEN: 'hush' } });
  const decline = async (word: string) => {
    const { id } = await rig.request<{ id: string }>('conversations.send', {
      id: null,
      text: '/get_environment_variable {"name": "MY_TOKEN"}',
    });
    const { title } = await rig.answer({ answer: 'deny', word });
    expect(title).toContain('MY_TOKEN');
    await rig.turnEnded(id);
    return rig.turnEvents(id).find(({ type }) => type === 'tool_result')?.text;
  };
  expect(await decline('')).toBe('MY_TOKEN=[redacted]');
  expect(await decline('ask me for it')).toMatch(/^MY_TOKEN=\[redacted\]\n.*ask me for it$/);
});

test('a consent page that dies denies what it asked and what waits behind it, with a code, and the chat is told', async () => {
  const rig = new WindowRig();
  const first = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'run: touch one' });
  const card = await rig.card();
  rig.assistant.consentGone();
  await rig.turnEnded(first.id);
  expect(rig.turnEvents(first.id).find(({ type }) => type === 'decision')).toMatchObject({
    answer: 'deny',
    by: 'default',
    reason: { code: 'consent_page_ended' },
  });
  expect(rig.events.filter(({ name }) => name === 'notice').map(({ data }) => data)).toContainEqual(
    expect.objectContaining({ code: 'consent_page_ended' }),
  );
  expect(await rig.code('consent.answer', { id: card.id, answer: 'once' }, 'consent')).toBe('not_shown');

  // Nothing was asked, so nobody needs to know.
  const before = rig.events.filter(({ name }) => name === 'notice').length;
  rig.assistant.consentGone();
  expect(rig.events.filter(({ name }) => name === 'notice')).toHaveLength(before);

  const second = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'run: touch two' });
  await rig.answer({ answer: 'once' });
  await rig.turnEnded(second.id);
  expect(existsSync(join(rig.workspace, 'two'))).toBe(true);
  expect(existsSync(join(rig.workspace, 'one'))).toBe(false);
});

const stateOf = (rig: WindowRig) => rig.request<ConsentState>('consent.state', {}, 'consent');

/** Two conversations, in each a command that asks; the second is on the screen. */
async function twoThatAsk() {
  const rig = new WindowRig();
  const first = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'run: touch first' });
  const firstCard = await rig.card();
  const second = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'run: touch second' });
  const secondCard = await vi.waitFor(async () => {
    const card = await rig.card();
    expect(card.id).not.toBe(firstCard.id);
    return card;
  }, SOON);
  return { rig, first: { ...first, card: firstCard }, second: { ...second, card: secondCard } };
}

test('a question is shown with its conversation, keeps none of another waiting, and appears anew each time', async () => {
  const { rig, first, second } = await twoThatAsk();
  const pending = rig.events.findLast(({ name }) => name === 'questions')?.data;
  const waits = (conversationId: string) => ({ conversationId, count: 1, isPutOff: false });
  expect(pending).toEqual({ pending: [waits(first.id), waits(second.id)] });
  expect(await rig.code('consent.answer', { id: first.card.id, answer: 'once' }, 'consent')).toBe('not_shown');

  await rig.shows(null);
  expect(await stateOf(rig)).toMatchObject({ card: null, preparing: null, waiting: 0 });
  expect(rig.isConsentShown).toBe(false);

  stopClock();
  await rig.shows(first.id);
  expect(await stateOf(rig)).toMatchObject({ card: { id: first.card.id }, size: 'docked', waiting: 0 });
  expect(await rig.code('consent.answer', { id: first.card.id, answer: 'once' }, 'consent')).toBe('too_early');
});

test('the answer in one conversation goes on with that one alone', async () => {
  const { rig, first, second } = await twoThatAsk();
  await rig.shows(first.id);
  await rig.answer({ answer: 'once' }, first.card);
  await rig.turnEnded(first.id);
  expect(existsSync(join(rig.workspace, 'first'))).toBe(true);
  expect(existsSync(join(rig.workspace, 'second'))).toBe(false);
  await rig.shows(second.id);
  await rig.answer({ answer: 'deny' }, second.card);
  await rig.turnEnded(second.id);
});

test('a question that is put off stays hidden until the user comes back to it', async () => {
  const rig = new WindowRig();
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'run: touch file' });
  const card = await rig.card();
  expect(await rig.request('consent.putOff', { id: card.id }, 'consent')).toMatchObject({ card: null });
  expect(rig.isConsentShown).toBe(false);
  const told = rig.events.findLast(({ name }) => name === 'questions')?.data;
  expect(told).toEqual({ pending: [{ conversationId: id, count: 1, isPutOff: true }] });
  expect(await rig.code('consent.answer', { id: card.id, answer: 'once' }, 'consent')).toBe('not_shown');

  await rig.request('app.takeUpQuestion', { conversationId: id });
  expect(await stateOf(rig)).toMatchObject({ card: { id: card.id } });
  await rig.answer({ answer: 'once' }, card);
  await rig.turnEnded(id);
  expect(existsSync(join(rig.workspace, 'file'))).toBe(true);
});

test('Stop on a card ends the turn that asks, and runs nothing', async () => {
  const { rig, first, second } = await twoThatAsk();
  await rig.request('consent.stop', { id: second.card.id }, 'consent');
  await rig.turnEnded(second.id);
  expect(existsSync(join(rig.workspace, 'second'))).toBe(false);
  expect(await rig.code('consent.stop', { id: second.card.id }, 'consent')).toBe('not_shown');
  await rig.shows(first.id);
  expect(await stateOf(rig)).toMatchObject({ card: { id: first.card.id } });
});

test('a question of no conversation comes before all others, over the whole window, and cannot be put off', async () => {
  const { rig, second } = await twoThatAsk();
  const folder = join(rig.folder, 'notes');
  mkdirSync(folder);
  const adding = rig.request('settings.addFolder', { path: folder }).catch(() => undefined);
  const sheet = await vi.waitFor(async () => {
    const state = await stateOf(rig);
    expect(state).toMatchObject({ card: { kind: 'grant' }, size: 'sheet', isOfCall: false });
    return state;
  }, SOON);
  const id = sheet.card?.id;
  expect(await rig.code('consent.putOff', { id }, 'consent')).toBe('not_shown');
  expect(await rig.code('consent.stop', { id }, 'consent')).toBe('not_shown');
  await rig.answer({ answer: 'deny' });
  await adding;
  const now = await stateOf(rig);
  // It was covered, so it has to be looked at again.
  expect(now).toMatchObject({ card: { id: second.card.id }, appearance: sheet.appearance + 1 });
});

test('a surface that moved, or was made larger, has to be looked at again', async () => {
  const rig = new WindowRig();
  await rig.request('conversations.send', { id: null, text: 'run: touch file' });
  const card = await rig.card();
  const { appearance } = await stateOf(rig);
  const goOn = stopClock();
  rig.assistant.consentMoved({ hasRoomToDock: true, dockedHeight: 300 });
  expect(await stateOf(rig)).toMatchObject({ card: { id: card.id }, size: 'docked', appearance: appearance + 1 });
  expect(await rig.code('consent.answer', { id: card.id, answer: 'once' }, 'consent')).toBe('too_early');
  expect(rig.events.findLast(({ name }) => name === 'docked')?.data).toEqual({ height: 300 });
  await rig.request('consent.enlarge', { id: card.id, isEnlarged: true }, 'consent');
  expect(await stateOf(rig)).toMatchObject({ size: 'enlarged' });
  rig.assistant.consentMoved({ hasRoomToDock: false, dockedHeight: 0 });
  expect(await stateOf(rig)).toMatchObject({ size: 'sheet' });
  goOn();
  await rig.answer({ answer: 'deny' }, card);
});
