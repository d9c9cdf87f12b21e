import { expect, test } from 'vitest';
import type { CardDefinition, ConsentCard, ConsentState } from '../../../src-preload/contract/consent.ts';
import { AnswerGuard, GUARD_MS } from '../../../src-renderer/consent/answer-guard.svelte.ts';
import type { KeyPress } from '../../../src-renderer/consent/answer-keys.ts';
import { ConsentDesk } from '../../../src-renderer/consent/consent-desk.svelte.ts';
import { pressedAtDesk } from '../../../src-renderer/consent/desk-keys.ts';
import { bridgeOver } from '../../../src-renderer/ui/bridge.ts';
import { fakeBridge, Refusal } from '../../fixtures/gallery/fake-bridge.ts';
import { ManualTimers } from '../../fixtures/manual-timers.ts';

function card(id: string, change: Partial<ConsentCard> = {}): ConsentCard {
  return {
    id,
    kind: 'tool',
    title: 'Change meeting.md?',
    reason: 'Changing files asks first.',
    tool: 'write_file',
    parts: [],
    offers: ['edit files in /notes', 'edit files in /'].map((label) => ({
      label,
      detail: label,
      keepFor: ['conversation', 'always'],
    })),
    noRule: null,
    risk: 'plain',
    calls: [],
    mayPassVariables: false,
    takesWord: true,
    mayStopAsking: false,
    reviews: 0,
    conversationTitle: null,
    ...change,
  };
}

const SHOWN = { size: 'docked', appearance: 1, isOfCall: true } as const;
const EMPTY: ConsentState = { ...SHOWN, card: null, preparing: null, waiting: 0, theme: 'system' };

/** A desk in front of a queue of cards; answers that arrive take the first away. */
async function deskFor(...cards: ConsentCard[]) {
  const queue = [...cards];
  const timers = new ManualTimers();
  const state = (): ConsentState =>
    queue[0] === undefined
      ? EMPTY
      : { ...SHOWN, card: queue[0], preparing: null, waiting: queue.length - 1, theme: 'dark' };
  const fake = fakeBridge<'consent'>({
    'consent.state': state,
    'consent.answer': ({ id }) => {
      if (queue[0]?.id !== id) throw new Refusal('not_shown', 'This question is not asked any more.');
      queue.shift();
      return state();
    },
  });
  const desk = new ConsentDesk(bridgeOver<'consent'>(fake.preload), new AnswerGuard(timers));
  desk.start();
  await settled();
  /** The user waits, and has the whole card in view. */
  const reading = {
    advance: (ms: number) => {
      timers.advance(ms);
      desk.isRead = true;
    },
  };
  return { desk, timers: reading, emit: fake.emit, queue, answers: () => answersIn(fake.requests) };
}

function answersIn(requests: readonly { readonly route: string; readonly input: unknown }[]): unknown[] {
  return requests.filter(({ route }) => route === 'consent.answer').map(({ input }) => input);
}

/** Lets every answer that is on its way arrive. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

function key(name: string, change: Partial<KeyPress> = {}): KeyPress {
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false, isComposing: false };
  return { key: name, ...none, ...change };
}

test('an undo of what was shown and allowed before need not be read again, but waits for its half second', async () => {
  const { desk, timers, answers } = await deskFor(card('a', { kind: 'undo', wasShown: true }), card('b'));
  expect([desk.isRead, desk.canAllow]).toEqual([true, false]);
  timers.advance(GUARD_MS);
  await desk.allowOnce();
  await settled();
  expect(answers()).toMatchObject([{ id: 'a', answer: 'once' }]);
  expect([desk.card?.id, desk.isRead]).toEqual(['b', false]);
});

test('a host may be allowed at once where it is all that a rule could be for', async () => {
  const [rule] = card('a').offers;
  if (rule === undefined) throw new Error('The card has no offer');
  const address = { isAddress: true, offers: [rule] } as const;
  for (const [change, may] of [
    [address, true],
    [{ ...address, offers: [] }, false],
    [{ ...address, offers: [{ ...rule, keepFor: ['always'] }] }, false],
    [{ isAddress: true }, false],
    [{ offers: [rule] }, false],
  ] as const) {
    const { desk } = await deskFor(card('a', change));
    expect(desk.mayAllowHost, JSON.stringify(change)).toBe(may);
  }
  const { desk, timers, answers } = await deskFor(card('a', address));
  timers.advance(GUARD_MS);
  await desk.allowForConversation();
  expect(answers()).toEqual([{ id: 'a', answer: 'conversation', offer: 0 }]);
});

test('shows the card, how many wait behind it, and the theme', async () => {
  const { desk } = await deskFor(card('a'), card('b'), card('c'));
  expect([desk.card?.id, desk.waiting, desk.theme]).toEqual(['a', 2, 'dark']);
});

test('each button sends its own answer, for the card that is shown', async () => {
  const { desk, timers, answers } = await deskFor(card('a'), card('b'), card('c'), card('d'), card('e'));
  const answer = async (press: () => Promise<void>) => {
    timers.advance(GUARD_MS);
    await press();
  };
  await answer(() => desk.allowOnce());
  desk.offer = 1;
  await answer(() => desk.allowForConversation());
  await answer(() => desk.allowAlways());
  await answer(() => desk.deny());
  desk.word = '  use the other file ';
  await answer(() => desk.denyWithWord());
  expect(answers()).toEqual([
    { id: 'a', answer: 'once' },
    { id: 'b', answer: 'conversation', offer: 1 },
    { id: 'c', answer: 'always', offer: 0 },
    { id: 'd', answer: 'deny', word: '' },
    { id: 'e', answer: 'deny', word: 'use the other file' },
  ]);
  expect(desk.card).toBeNull();
});

test('a click that comes at once answers nothing, and the double click on one card never answers the next', async () => {
  const { desk, timers, answers } = await deskFor(card('a'), card('b'));
  await desk.allowOnce();
  expect(answers()).toEqual([]);
  timers.advance(GUARD_MS);
  const first = desk.allowOnce();
  await desk.allowOnce();
  await first;
  expect(desk.card?.id).toBe('b');
  await desk.allowOnce();
  timers.advance(GUARD_MS - 1);
  await desk.allowOnce();
  expect(answers()).toEqual([{ id: 'a', answer: 'once' }]);
});

test('nothing of one card is left for the next: no open panel, no word, no chosen rule', async () => {
  const { desk, timers } = await deskFor(card('a'), card('b'));
  desk.panel = 'word';
  desk.word = 'no';
  desk.offer = 1;
  timers.advance(GUARD_MS);
  await desk.deny();
  expect([desk.card?.id, desk.panel, desk.word, desk.offer]).toEqual(['b', 'none', '', 0]);
});

test('news about the queue does not shut the card that is being read', async () => {
  const { desk, timers, emit, queue } = await deskFor(card('a'));
  timers.advance(GUARD_MS);
  desk.panel = 'word';
  desk.word = 'half a sen';
  const [shown] = queue;
  emit('state', { ...SHOWN, card: shown ?? null, preparing: null, waiting: 4, theme: 'light' });
  expect([desk.waiting, desk.theme, desk.canAnswer, desk.panel, desk.word]).toEqual([
    4,
    'light',
    true,
    'word',
    'half a sen',
  ]);
});

test('a card that main replaces is shut again', async () => {
  const { desk, timers, emit } = await deskFor(card('a'));
  timers.advance(GUARD_MS);
  emit('state', { ...SHOWN, card: card('b'), preparing: null, waiting: 0, theme: 'dark' });
  expect([desk.card?.id, desk.canAnswer]).toEqual(['b', false]);
});

test('variables are passed by a tick, this once, and the next card begins without one', async () => {
  const { desk, timers, answers } = await deskFor(card('a', { mayPassVariables: true }), card('b'));
  desk.togglePanel('rules');
  desk.setPassesVariables(true);
  timers.advance(GUARD_MS);
  expect([desk.panel, desk.mayKeepRule]).toEqual(['none', false]);
  await desk.allowAlways();
  expect(answers()).toEqual([]);
  await desk.allowOnce();
  expect([desk.card?.id, desk.passesVariables, desk.mayKeepRule]).toEqual(['b', false, true]);
  timers.advance(GUARD_MS);
  await desk.allowOnce();
  expect(answers()).toEqual([
    { id: 'a', answer: 'once', passesVariables: true },
    { id: 'b', answer: 'once' },
  ]);
});

test('Ctrl+Enter allows once and Escape denies, Command+Enter too', async () => {
  const { desk, timers, answers } = await deskFor(card('a'), card('b'), card('c'));
  for (const press of [key('Enter', { ctrlKey: true }), key('Escape'), key('Enter', { metaKey: true })]) {
    timers.advance(GUARD_MS);
    expect(pressedAtDesk(desk, press)).toBe(true);
    await settled();
  }
  expect(answers()).toEqual([
    { id: 'a', answer: 'once' },
    { id: 'b', answer: 'deny', word: '' },
    { id: 'c', answer: 'once' },
  ]);
});

test('a held key, a composed one, plain Enter and other combinations are not shortcuts', async () => {
  const { desk, timers, answers } = await deskFor(card('a'));
  timers.advance(GUARD_MS);
  pressedAtDesk(desk, key('Enter', { ctrlKey: true, repeat: true }));
  pressedAtDesk(desk, key('Enter', { ctrlKey: true, isComposing: true }));
  expect(pressedAtDesk(desk, key('Enter'))).toBe(false);
  expect(pressedAtDesk(desk, key('a', { ctrlKey: true }))).toBe(false);
  await settled();
  expect(answers()).toEqual([]);
});

test('while a word is written, Escape closes the field and Ctrl+Enter sends the word: neither allows', async () => {
  const { desk, timers, answers } = await deskFor(card('a'));
  timers.advance(GUARD_MS);
  desk.togglePanel('word');
  pressedAtDesk(desk, key('Escape'));
  expect(desk.panel).toBe('none');
  desk.togglePanel('word');
  desk.word = 'not now';
  pressedAtDesk(desk, key('Enter', { ctrlKey: true }));
  await settled();
  expect(answers()).toEqual([{ id: 'a', answer: 'deny', word: 'not now' }]);
});

test('there is a key for no, one for no with a word, and one for the rules, in which the key for yes keeps the shortest', async () => {
  const { desk, timers, answers } = await deskFor(card('a'), card('b'), card('c'), card('d', { offers: [] }));
  const press = async (...presses: readonly KeyPress[]) => {
    timers.advance(GUARD_MS);
    for (const each of presses) expect(pressedAtDesk(desk, each)).toBe(true);
    await settled();
  };
  const yes = key('Enter', { ctrlKey: true });
  const rules = key('Enter', { ctrlKey: true, shiftKey: true });
  await press(key('d', { ctrlKey: true }));
  await press(key('e', { ctrlKey: true }));
  desk.word = 'elsewhere';
  await press(yes);
  await press(rules);
  expect(desk.panel).toBe('rules');
  await press(yes);
  await press(rules);
  expect(desk.panel).toBe('none');
  expect(answers()).toEqual([
    { id: 'a', answer: 'deny', word: '' },
    { id: 'b', answer: 'deny', word: 'elsewhere' },
    { id: 'c', answer: 'conversation', offer: 0 },
  ]);
});

test('keys that open a panel open none in the first half second', async () => {
  const { desk } = await deskFor(card('a'));
  pressedAtDesk(desk, key('e', { ctrlKey: true }));
  pressedAtDesk(desk, key('Enter', { ctrlKey: true, shiftKey: true }));
  expect(desk.panel).toBe('none');
});

test('the key for yes says what is missing, and leads there', async () => {
  const { desk, timers, answers } = await deskFor(card('a'));
  const yes = () => pressedAtDesk(desk, key('Enter', { ctrlKey: true }));
  timers.advance(GUARD_MS);
  desk.isRead = false;
  yes();
  expect([desk.missing, desk.unreadPresses]).toEqual(['reading', 1]);
  // The rest came into view, but not for long enough.
  desk.isRead = true;
  yes();
  await settled();
  expect(answers()).toEqual([]);
  timers.advance(GUARD_MS);
  yes();
  await settled();
  expect(answers()).toEqual([{ id: 'a', answer: 'once' }]);
  expect([desk.missing, desk.unreadPresses]).toEqual([null, 0]);
});

test('the key for yes leads to what is missing in a review, and accepts nothing before', async () => {
  const definition: CardDefinition = {
    kind: 'definition',
    of: 'tool',
    name: 'add',
    isChanged: false,
    text: 'Adds.',
    summary: 'Adds.',
    parameters: [],
    pieces: [],
    findings: [],
  };
  const parts = [{ title: 'New tool', ...definition }];
  const { desk, timers, answers } = await deskFor(card('a', { kind: 'grant', tool: null, parts }));
  const yes = () => pressedAtDesk(desk, key('Enter', { ctrlKey: true }));
  timers.advance(GUARD_MS);
  yes();
  expect([desk.missing, desk.unreadPresses]).toEqual([null, 1]);
  desk.review?.inView([{ key: 0, top: 0, height: 10 }], 0, 10);
  // It came into view, but not for long enough.
  yes();
  await settled();
  expect(answers()).toEqual([]);
  timers.advance(GUARD_MS);
  yes();
  await settled();
  expect(answers()).toEqual([{ id: 'a', answer: 'once' }]);
});

test('a question that was put off need not be read again, one that was not read must be', async () => {
  const { desk, timers, emit } = await deskFor(card('a'));
  timers.advance(GUARD_MS);
  const progress = desk.progressOf('a');
  emit('state', EMPTY);
  emit('state', { ...SHOWN, card: card('a'), preparing: null, waiting: 0, theme: 'dark' });
  expect([desk.isRead, desk.progressOf('a') === progress]).toEqual([true, true]);
  emit('state', { ...SHOWN, card: card('b'), preparing: null, waiting: 0, theme: 'dark' });
  expect(desk.isRead).toBe(false);
});

test('a rule is kept for a week only if that is offered', async () => {
  const rule = { label: 'Working freely in “w”', detail: 'work freely in /w' };
  const forWeek = card('a', { offers: [{ ...rule, keepFor: ['conversation', 'week', 'always'] }] });
  const { desk, timers, answers } = await deskFor(forWeek, card('b'));
  timers.advance(GUARD_MS);
  await desk.allowForWeek();
  timers.advance(GUARD_MS);
  await desk.allowForWeek();
  expect(answers()).toEqual([{ id: 'a', answer: 'week', offer: 0 }]);
});

test('a rule that was not offered is never sent', async () => {
  const { desk, timers, answers } = await deskFor(card('a', { offers: [] }));
  timers.advance(GUARD_MS);
  await desk.allowAlways();
  await desk.allowForConversation();
  expect([desk.mayKeepRule, answers()]).toEqual([false, []]);
});

test('an answer to a question that was taken meanwhile answers nothing, and is no failure of the next one', async () => {
  const { desk, timers, queue } = await deskFor(card('a'), card('b'));
  timers.advance(GUARD_MS);
  queue.shift();
  await desk.allowOnce();
  expect([desk.card?.id, desk.failure, desk.isSending]).toEqual(['b', null, false]);
});

test('an answer that main rejects is reported on its question', async () => {
  const timers = new ManualTimers();
  const fake = fakeBridge<'consent'>({
    'consent.state': () => ({ ...SHOWN, card: card('a'), preparing: null, waiting: 0, theme: 'dark' }),
    'consent.answer': () => {
      throw new Refusal('not_shown', 'This question is not fully shown yet.');
    },
  });
  const desk = new ConsentDesk(bridgeOver<'consent'>(fake.preload), new AnswerGuard(timers));
  desk.start();
  await settled();
  timers.advance(GUARD_MS);
  desk.isRead = true;
  await desk.allowOnce();
  expect([desk.card?.id, desk.isSending]).toEqual(['a', false]);
  expect(desk.failure).toContain('This question is not fully shown yet.');
});

test('a card that has not been in view as a whole can be denied, and nothing else', async () => {
  const { desk, timers, answers } = await deskFor(card('a'));
  timers.advance(GUARD_MS);
  desk.isRead = false;
  expect([desk.canAnswer, desk.canAllow]).toEqual([true, false]);
  await desk.allowOnce();
  await desk.allowForConversation();
  await desk.allowAlways();
  await desk.allowUntilClosed();
  pressedAtDesk(desk, key('Enter', { ctrlKey: true }));
  await settled();
  expect(answers()).toEqual([]);
  timers.advance(GUARD_MS);
  await desk.deny();
  expect(answers()).toEqual([{ id: 'a', answer: 'deny', word: '' }]);
});

test('a question that is still being laid out can be denied, and nothing else', async () => {
  const { desk, timers, answers, emit } = await deskFor();
  emit('state', { ...SHOWN, card: null, preparing: 'slow', waiting: 0, theme: 'dark' });
  timers.advance(GUARD_MS);
  expect([desk.canAnswer, desk.canAllow]).toEqual([true, false]);
  desk.isRead = false;
  await desk.allowOnce();
  pressedAtDesk(desk, key('Enter', { ctrlKey: true }));
  await settled();
  expect(answers()).toEqual([]);
  pressedAtDesk(desk, key('Escape'));
  await settled();
  expect(answers()).toEqual([{ id: 'slow', answer: 'deny', word: '' }]);
});

test('when its card comes it is shut again, until it is read', async () => {
  const { desk, timers, emit } = await deskFor();
  emit('state', { ...SHOWN, card: null, preparing: 'slow', waiting: 0, theme: 'dark' });
  timers.advance(GUARD_MS);
  emit('state', { ...SHOWN, card: card('slow'), preparing: null, waiting: 0, theme: 'dark' });
  expect([desk.canAnswer, desk.isRead]).toEqual([false, false]);
});

test('Ctrl+Enter says of a review that the user looked, and of a command that shows files only yes', async () => {
  const review = card('a', { kind: 'review', reviews: 2, offers: [], takesWord: false });
  const { desk, timers, answers } = await deskFor(review, card('b', { reviews: 1 }), card('c', { reviews: 1 }));
  for (let shown = 0; shown < 2; shown += 1) {
    timers.advance(GUARD_MS);
    pressedAtDesk(desk, key('Enter', { ctrlKey: true }));
    await settled();
  }
  timers.advance(GUARD_MS);
  await desk.reviewed();
  expect(answers()).toEqual([
    { id: 'a', answer: 'reviewed' },
    { id: 'b', answer: 'once' },
    { id: 'c', answer: 'reviewed' },
  ]);
});

test('of similar calls, the ticked ones are allowed; with none ticked approval is disabled, and a rule is for all of them', async () => {
  const calls = ['a.md', 'b.md', 'c.md'].map((name) => ({ name, parts: [] }));
  const { desk, timers, answers } = await deskFor(card('group', { calls }), card('next'));
  timers.advance(GUARD_MS);
  expect(desk.ticked).toEqual([0, 1, 2]);
  expect(desk.mayKeepRule).toBe(true);
  for (const index of [0, 1, 2]) desk.tick(index, false);
  expect([desk.canAllow, desk.mayKeepRule, desk.canAnswer]).toEqual([false, false, true]);
  await desk.allowOnce();
  expect(answers()).toEqual([]);
  desk.tick(1, true);
  await desk.allowOnce();
  expect(answers()).toEqual([{ id: 'group', answer: 'once', calls: [1] }]);
  // The next question is not of several.
  expect(desk.ticked).toEqual([]);
});

test('a grave question needs a second, different key right after the first', async () => {
  const { desk, timers, answers } = await deskFor(card('grave', { risk: 'grave' }));
  const first = key('Enter', { ctrlKey: true });
  const second = key('Y', { ctrlKey: true, shiftKey: true });
  timers.advance(GUARD_MS);
  for (const press of [second, first, first, key('ArrowDown'), second, first, key('Enter'), second, first, key('a')])
    pressedAtDesk(desk, press);
  pressedAtDesk(desk, second);
  pressedAtDesk(desk, first);
  pressedAtDesk(desk, { ...second, repeat: true });
  await settled();
  expect([desk.isArmed, answers()]).toEqual([false, []]);
  // The modifiers of the second key are keys of their own.
  for (const press of [
    first,
    key('Control', { ctrlKey: true }),
    key('Shift', { ctrlKey: true, shiftKey: true }),
    second,
  ])
    pressedAtDesk(desk, press);
  await settled();
  expect(answers()).toEqual([{ id: 'grave', answer: 'once' }]);
});

test('a form is sent once every field can be, is cancelled with Escape, and keeps what was entered while it is put off', async () => {
  const rules = { kind: 'text', isRequired: true, format: null, minLength: null, maxLength: null } as const;
  const named = { description: '', options: [], looksSecret: false } as const;
  const form = card('form', {
    kind: 'form',
    fields: [
      { ...named, title: 'Name', rules, initial: '' },
      { ...named, title: 'Agreed', rules: { kind: 'boolean', isRequired: false }, initial: false },
    ],
  });
  const { desk, timers, answers, emit } = await deskFor(form, card('next'));
  desk.enter(0, 'too early');
  await desk.acceptForm();
  expect(answers()).toEqual([]);
  timers.advance(GUARD_MS);
  desk.enter(0, '');
  expect(desk.problemOf(0)).toBeNull();
  await desk.acceptForm();
  expect(answers()).toEqual([]);
  expect(desk.problemOf(0)).toEqual({ code: 'missing' });
  desk.enter(0, 'Ada');
  expect(desk.problemOf(0)).toBeNull();

  emit('state', EMPTY);
  emit('state', { ...SHOWN, appearance: 2, card: form, preparing: null, waiting: 1, theme: 'dark' });
  expect(desk.entered).toEqual(['Ada', false]);
  timers.advance(GUARD_MS);
  desk.enter(1, true);
  await desk.acceptForm();
  expect(answers()).toEqual([{ id: 'form', answer: 'form', entered: ['Ada', true] }]);

  const other = await deskFor(form);
  other.timers.advance(GUARD_MS);
  expect(pressedAtDesk(other.desk, key('Escape'))).toBe(true);
  await settled();
  expect(other.answers()).toEqual([{ id: 'form', answer: 'cancel' }]);
});

test('classes of tools go with the yes, as far as they are others than before', async () => {
  const choices = [1, 2, 3].map((part) => {
    const given = part === 1 ? null : ('read' as const);
    return { part, given, claim: null, preset: given };
  });
  const parts = choices.map((choice) => ({
    kind: 'definition' as const,
    of: 'tool' as const,
    title: 'New tool',
    name: `tool ${choice.part}`,
    isChanged: false,
    text: '',
    summary: '',
    parameters: [],
    pieces: [],
    findings: [],
    choice,
  }));
  const { desk, timers, answers } = await deskFor(card('tools', { kind: 'grant', parts }), card('next'));
  timers.advance(GUARD_MS);
  const { review } = desk;
  const items = review?.groups.flatMap((group) => group.items) ?? [];
  const [first, second, third] = [1, 2, 3].map((part) =>
    items.find(({ definition }) => definition.choice?.part === part),
  );
  if (!review || !first || !second || !third) throw new Error('no choices');
  review.choose(first, 'send');
  review.choose(second, 'read');
  review.choose(third, 'write');
  review.choose(third, 'read');
  expect([first, second, third].map((item) => review.classOf(item).class)).toEqual(['send', null, 'read']);
  // Not before every row was looked at.
  await desk.allowOnce();
  expect(answers()).toEqual([]);
  review.inView(
    items.map(({ key }) => ({ key, top: key * 10, height: 10 })),
    0,
    30,
  );
  await desk.allowOnce();
  const classes = [
    { part: 1, class: 'send' },
    { part: 2, class: null },
  ];
  expect(answers()).toEqual([{ id: 'tools', answer: 'once', classes }]);
  // Nothing of it goes with the next question.
  expect(desk.review).toBeNull();
});
