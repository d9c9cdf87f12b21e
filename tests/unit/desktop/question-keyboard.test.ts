import { describe, expect, test } from 'vitest';
import {
  type KeyboardQuestion,
  type QuestionKey,
  QuestionKeyboard,
} from '../../../src-main/desktop/question-keyboard.ts';

const PLAIN: KeyboardQuestion = { id: 'a', isCovering: false, isAtOnce: false };

function key(name: string, held: Partial<QuestionKey> = {}): QuestionKey {
  const none = { control: false, alt: false, meta: false, shift: false };
  return { type: 'keyDown', isComposing: false, ...none, ...held, key: name };
}

/** A window in which the user last pressed a key long ago. */
function desk({ platform = 'linux' as NodeJS.Platform } = {}) {
  const state = { now: 10_000, isFocused: true, mayBeEmpty: true, focus: 'chat', taken: 0 };
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  const keyboard: QuestionKeyboard = new QuestionKeyboard({
    focus: (surface) => {
      state.focus = surface;
      keyboard.focusCame(surface);
    },
    isWindowFocused: () => state.isFocused,
    mayBeEmpty: () => state.mayBeEmpty,
    onTaken: () => {
      state.taken += 1;
    },
    platform,
    now: () => state.now,
    after: (ms, callback) => {
      const timer = { at: state.now + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  keyboard.messageField(true);
  const passes = (ms: number) => {
    state.now += ms;
    for (const timer of [...timers]) if (timer.at <= state.now && timers.delete(timer)) timer.callback();
  };
  return { keyboard, state, passes };
}

describe('a question takes the keyboard by itself', () => {
  test('at once, if no key was pressed for a second', () => {
    const { keyboard, state } = desk();
    keyboard.shown(PLAIN);
    expect([keyboard.holder, state.focus, state.taken]).toEqual(['taken', 'question', 1]);
  });

  test('a second after the last key, counted again from every key', () => {
    const { keyboard, passes } = desk();
    keyboard.pressedInChat(key('a'));
    keyboard.shown(PLAIN);
    passes(999);
    keyboard.pressedInChat(key('Shift'));
    passes(999);
    expect(keyboard.holder).toBe('chat');
    passes(1);
    expect(keyboard.holder).toBe('taken');
  });

  test('not from a field with text in it, whichever of main and the page knows of the text', () => {
    const { keyboard, state } = desk();
    keyboard.messageField(false);
    keyboard.shown(PLAIN);
    expect(keyboard.holder).toBe('chat');
    state.mayBeEmpty = false;
    keyboard.messageField(true);
    expect(keyboard.holder).toBe('chat');
    state.mayBeEmpty = true;
    keyboard.messageField(true);
    expect(keyboard.holder).toBe('taken');
  });

  test('not in a window that is not used; a second after the user comes back to it', () => {
    const { keyboard, state, passes } = desk();
    state.isFocused = false;
    keyboard.shown(PLAIN);
    expect(keyboard.holder).toBe('chat');
    state.isFocused = true;
    keyboard.windowFocused();
    passes(999);
    expect(keyboard.holder).toBe('chat');
    passes(1);
    expect(keyboard.holder).toBe('taken');
  });

  test('not after the user clicked into the chat or left the question, until the next one', () => {
    for (const leave of ['click', 'Escape', 'x'] as const) {
      const { keyboard, passes } = desk();
      if (leave === 'click') keyboard.pressedInChat(key('Enter'));
      keyboard.shown(PLAIN);
      if (leave === 'click') keyboard.clickedInChat();
      else keyboard.pressedInQuestion(key(leave));
      passes(60_000);
      keyboard.messageField(true);
      expect(keyboard.holder, leave).toBe('chat');
      keyboard.shown({ ...PLAIN, id: 'b' });
      passes(60_000);
      expect(keyboard.holder, leave).toBe('taken');
    }
  });

  test('a page that is loaded again has no free field until it says so', () => {
    const { keyboard } = desk();
    keyboard.messageField(false);
    keyboard.shown(PLAIN);
    expect(keyboard.holder).toBe('chat');
  });

  test('one that covers the window takes it whatever is in the field below, once nothing is typed', () => {
    const { keyboard, state, passes } = desk();
    state.mayBeEmpty = false;
    keyboard.messageField(false);
    keyboard.pressedInChat(key('a'));
    keyboard.shown({ ...PLAIN, isCovering: true });
    expect(keyboard.holder).toBe('chat');
    passes(1000);
    expect(keyboard.holder).toBe('taken');
  });
});

describe('what is typed at a question', () => {
  test.each([
    ['a', {}, 'message'],
    [' ', {}, 'message'],
    ['ß', {}, 'message'],
    ['@', { control: true, alt: true }, 'message'],
    ['v', { control: true }, 'message-paste'],
    ['Escape', {}, 'message-without'],
    ['Enter', { control: true }, 'question'],
    ['Enter', {}, 'question'],
    ['d', { control: true }, 'question'],
    ['PageDown', {}, 'question'],
    ['Shift', {}, 'question'],
    ['a', { isComposing: true }, 'question'],
    ['a', { type: 'keyUp' }, 'question'],
  ] as const)('%s %o goes to: %s', (name, held, target) => {
    const { keyboard, state } = desk();
    keyboard.shown(PLAIN);
    expect(keyboard.pressedInQuestion(key(name, held))).toBe(target);
    expect(state.focus).toBe(target === 'question' ? 'question' : 'chat');
  });

  test('stays there once the user went to it: by F6, a click, Tab, or a key that opens a field', () => {
    for (const enter of ['F6', 'click', 'Tab', 'e'] as const) {
      const { keyboard } = desk();
      keyboard.shown(PLAIN);
      if (enter === 'F6') keyboard.switched();
      else if (enter === 'click') keyboard.clickedInQuestion();
      else keyboard.pressedInQuestion(key(enter, { control: enter === 'e' }));
      expect(keyboard.holder, enter).toBe('entered');
      expect(keyboard.pressedInQuestion(key('x'))).toBe('question');
    }
  });

  test('stays there if the question covers the message field', () => {
    const { keyboard } = desk();
    keyboard.shown({ ...PLAIN, isCovering: true });
    for (const name of ['x', 'Escape']) expect(keyboard.pressedInQuestion(key(name))).toBe('question');
  });

  test('goes to the message field again at the next question', () => {
    const { keyboard } = desk();
    keyboard.shown(PLAIN);
    keyboard.switched();
    keyboard.shown({ ...PLAIN, id: 'b' });
    expect(keyboard.pressedInQuestion(key('x'))).toBe('message');
  });
});

describe('F6', () => {
  test('goes to the question and back', () => {
    const { keyboard, state } = desk();
    keyboard.messageField(false);
    keyboard.shown(PLAIN);
    keyboard.switched();
    expect([keyboard.holder, state.focus]).toEqual(['entered', 'question']);
    keyboard.switched();
    expect([keyboard.holder, state.focus]).toEqual(['chat', 'chat']);
  });

  test('F6 leads to the question, not back, if it has just taken the keyboard by itself', () => {
    const { keyboard, state } = desk();
    keyboard.shown(PLAIN);
    keyboard.switched();
    expect([keyboard.holder, state.focus]).toEqual(['entered', 'question']);
  });

  test('never leads behind a question that covers the window', () => {
    const { keyboard, state } = desk();
    keyboard.shown({ ...PLAIN, isCovering: true });
    for (let presses = 0; presses < 3; presses += 1) keyboard.switched();
    expect([keyboard.holder, state.focus]).toEqual(['entered', 'question']);
  });
});

test.each(['taken', 'entered'] as const)(
  'once a question is gone, text goes to the message field, until its page is too: %s',
  (how) => {
    const { keyboard, state } = desk();
    keyboard.shown({ ...PLAIN, isAtOnce: how === 'entered', isCovering: how === 'entered' });
    expect(keyboard.holder).toBe(how);
    keyboard.ended();
    expect(keyboard.pressedInQuestion(key('Shift'))).toBe('question');
    expect(keyboard.pressedInQuestion(key('Enter'))).toBe('question');
    expect(state.focus).toBe('question');
    expect(keyboard.pressedInQuestion(key('N'))).toBe('message');
    expect([keyboard.holder, state.focus]).toEqual(['chat', 'chat']);
  },
);

test('a question that goes and comes back at once is the same', () => {
  const { keyboard } = desk();
  keyboard.shown(PLAIN);
  keyboard.clickedInQuestion();
  keyboard.ended();
  keyboard.shown(PLAIN);
  expect(keyboard.holder).toBe('entered');
  keyboard.switched();
  keyboard.ended();
  keyboard.shown(PLAIN);
  expect(keyboard.holder).toBe('chat');
});

test('what follows from something the user has just done is gone to at once, and Escape is its own', () => {
  const { keyboard, state } = desk();
  keyboard.messageField(false);
  keyboard.pressedInChat(key('Enter'));
  keyboard.shown({ ...PLAIN, isAtOnce: true });
  expect([keyboard.holder, state.focus]).toEqual(['entered', 'question']);
  expect(keyboard.pressedInQuestion(key('Escape'))).toBe('question');
});

test('the question keeps the keyboard while another window is used, and must be looked at again', () => {
  const { keyboard, state } = desk();
  keyboard.shown(PLAIN);
  state.focus = 'elsewhere';
  keyboard.windowFocused();
  expect([state.focus, state.taken]).toEqual(['question', 2]);
});
