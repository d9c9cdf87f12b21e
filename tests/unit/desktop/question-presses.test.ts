import { expect, test } from 'vitest';
import { QUIET_BEFORE_ANSWER_MS, QuestionPresses } from '../../../src-main/desktop/question-presses.ts';

const NEEDS = { isGrave: false, needsQuiet: true };

function presses() {
  const state = { now: 10_000 };
  const heard = new QuestionPresses(() => state.now);
  const key = (name: string, held: 'control' | 'none' = 'none', isAutoRepeat = false) => {
    const pressed = { key: name, control: held === 'control', alt: false, meta: false, shift: false, isAutoRepeat };
    const event = { type: 'rawKeyDown' as const, ...pressed };
    heard.heard(event);
    heard.heard({ ...event, type: 'keyUp' });
  };
  const elsewhere = (name: string) =>
    heard.keyElsewhere({ key: name, control: false, alt: false, meta: false, shift: false });
  return { heard, state, key, elsewhere };
}

test('there is no yes without a press, nor with one from before the question could be answered; each counts once', () => {
  const { heard, state, key } = presses();
  expect(heard.take(9_000, NEEDS)).toBe(false);
  key('Enter', 'control');
  expect(heard.take(state.now + 1, NEEDS)).toBe(false);
  expect(heard.take(state.now, NEEDS)).toBe(true);
  expect(heard.take(state.now, NEEDS)).toBe(false);
});

test('a click and a touch are presses, a pointer that moves or scrolls is not', () => {
  for (const [type, counts] of [
    ['mouseDown', true],
    ['gestureTap', true],
    ['mouseUp', false],
    ['mouseMove', false],
    ['mouseWheel', false],
    ['keyDown', false],
  ] as const) {
    const { heard } = presses();
    heard.heard({ type });
    expect(heard.take(0, { isGrave: true, needsQuiet: true }), type).toBe(counts);
  }
});

test('a key counts after half a second without one, here or in the chat, if the question took the keyboard by itself', () => {
  const { heard, state, key, elsewhere } = presses();
  elsewhere('a');
  state.now += QUIET_BEFORE_ANSWER_MS - 1;
  key('Enter', 'control');
  expect(heard.take(0, NEEDS)).toBe(false);
  expect(heard.take(0, { ...NEEDS, needsQuiet: false })).toBe(true);
  state.now += QUIET_BEFORE_ANSWER_MS;
  key('Enter', 'control');
  expect(heard.take(0, NEEDS)).toBe(true);
});

test('modifiers of the key and keys that scroll do not delay an answer; a held key does', () => {
  const { heard, state, key } = presses();
  for (const name of ['PageDown', 'End', 'Control', 'Shift']) key(name);
  key('Enter', 'control');
  expect(heard.take(0, NEEDS)).toBe(true);
  key('Enter', 'none');
  for (let repeats = 0; repeats < 40; repeats += 1) {
    state.now += 30;
    key('Enter', 'none', true);
  }
  state.now += 30;
  key('Enter', 'control');
  expect(heard.take(0, NEEDS)).toBe(false);
});

test('a held key alone is not a press', () => {
  const { heard, key } = presses();
  key('Enter', 'control', true);
  expect(heard.take(0, NEEDS)).toBe(false);
});

test('something grave needs two different keys, both after it could be answered', () => {
  const grave = { isGrave: true, needsQuiet: true };
  const { heard, state, key } = presses();
  key('Enter', 'control');
  expect(heard.take(0, grave)).toBe(false);
  state.now += 1_000;
  key('Enter', 'control');
  expect(heard.take(0, grave)).toBe(false);
  state.now += 100;
  key('y', 'control');
  expect(heard.take(state.now, grave)).toBe(false);
  expect(heard.take(0, grave)).toBe(true);
  expect(heard.take(0, grave)).toBe(false);
});
