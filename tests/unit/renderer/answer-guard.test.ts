import { expect, test } from 'vitest';
import { AnswerGuard, GUARD_MS } from '../../../src-renderer/consent/answer-guard.svelte.ts';
import { ManualTimers } from '../../fixtures/manual-timers.ts';

function guardWithClock() {
  const timers = new ManualTimers();
  return { guard: new AnswerGuard(timers), timers };
}

test('a card cannot be answered in its first half second', () => {
  const { guard, timers } = guardWithClock();
  guard.cardAppeared();
  expect(guard.accepts()).toBe(false);
  timers.advance(GUARD_MS - 1);
  expect([guard.isOpen, guard.accepts()]).toEqual([false, false]);
  timers.advance(1);
  expect([guard.isOpen, guard.accepts()]).toEqual([true, true]);
});

test('the next card begins its own half second, however long the one before was there', () => {
  const { guard, timers } = guardWithClock();
  guard.cardAppeared();
  timers.advance(GUARD_MS * 3);
  guard.cardAppeared();
  expect(guard.accepts()).toBe(false);
  timers.advance(GUARD_MS - 1);
  expect(guard.accepts()).toBe(false);
  timers.advance(1);
  expect(guard.accepts()).toBe(true);
});

test('a card that comes while another is still shut waits its whole half second', () => {
  const { guard, timers } = guardWithClock();
  guard.cardAppeared();
  timers.advance(GUARD_MS - 10);
  guard.cardAppeared();
  timers.advance(20);
  expect(guard.accepts()).toBe(false);
});

test('a key or button that went down too early answers nothing when it comes up later', () => {
  const { guard, timers } = guardWithClock();
  guard.cardAppeared();
  timers.advance(GUARD_MS - 50);
  guard.pressBegan();
  timers.advance(1000);
  expect(guard.accepts()).toBe(false);
  guard.pressEnded();
  expect(guard.accepts()).toBe(false);
  timers.advance(0);
  guard.pressBegan();
  expect(guard.accepts()).toBe(true);
});

test('a button that is held down while the next card comes answers neither', () => {
  const { guard, timers } = guardWithClock();
  guard.cardAppeared();
  timers.advance(GUARD_MS);
  guard.pressBegan();
  guard.cardAppeared();
  timers.advance(GUARD_MS);
  expect([guard.isOpen, guard.accepts()]).toEqual([true, false]);
});

test('a click without a press before it counts: screen readers make such clicks', () => {
  const { guard, timers } = guardWithClock();
  guard.cardAppeared();
  guard.pressBegan();
  guard.pressEnded();
  timers.advance(GUARD_MS);
  expect(guard.accepts()).toBe(true);
});

test('without a card nothing is open', () => {
  const { guard, timers } = guardWithClock();
  guard.cardAppeared();
  guard.cardVanished();
  timers.advance(GUARD_MS * 2);
  expect(guard.accepts()).toBe(false);
});

test('repeated clicks answer nothing until a pause of half a second', () => {
  const { guard, timers } = guardWithClock();
  guard.cardAppeared();
  const click = () => {
    guard.pressBegan();
    const counts = guard.accepts();
    guard.pressEnded();
    return counts;
  };
  for (let clicks = 0; clicks < 10; clicks += 1) {
    timers.advance(GUARD_MS / 2);
    expect(click(), `click ${clicks}`).toBe(false);
  }
  timers.advance(GUARD_MS);
  expect(click()).toBe(true);
});

test('a press where no card is opens nothing', () => {
  const { guard, timers } = guardWithClock();
  guard.cardAppeared();
  guard.cardVanished();
  guard.pressBegan();
  guard.pressEnded();
  timers.advance(GUARD_MS * 2);
  expect(guard.isOpen).toBe(false);
});
