import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { placesOfMachine, StartPlaces } from '../../../src-main/mcp/start-places.ts';

const still = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Servers by name with their rank, and what is told of them. */
function startAll(places: StartPlaces, ranks: Readonly<Record<string, number>>, signal = still) {
  const started: string[] = [];
  const leave = new Map<string, () => void>();
  for (const [name, rank] of Object.entries(ranks)) {
    places
      .placeOf(name, () => rank)
      .take(signal)
      .then(
        (left) => {
          started.push(name);
          leave.set(name, left);
        },
        () => void started.push(`not ${name}`),
      );
  }
  const ended = async (name: string) => {
    leave.get(name)?.();
    await turnOfTheLoop();
  };
  return { started, ended };
}

test('as many at a time as there are places, the lowest rank first, and equal ones in their order', async () => {
  const places = new StartPlaces({ count: 2 });
  const { started, ended } = startAll(places, { a: 0, b: 0, c: -5, d: -9, e: 0 });
  await turnOfTheLoop();
  expect(started).toEqual(['d', 'c']);
  await ended('c');
  expect(started).toEqual(['d', 'c', 'a']);
  await ended('d');
  await ended('a');
  expect(started).toEqual(['d', 'c', 'a', 'b', 'e']);
});

test('a start that something waits for comes before the others', async () => {
  const places = new StartPlaces({ count: 1 });
  places.placeOf('b', () => 0).want();
  const { started, ended } = startAll(places, { a: -9, b: 0, c: 0 });
  await turnOfTheLoop();
  places.placeOf('c', () => 0).want();
  await ended('b');
  await ended('c');
  expect(started).toEqual(['b', 'c', 'a']);
});

test('a start that takes five seconds gives its place to the next, and only once', async () => {
  const places = new StartPlaces({ count: 1 });
  const { started, ended } = startAll(places, { hangs: 0, next: 0, last: 0 });
  await turnOfTheLoop();
  await vi.advanceTimersByTimeAsync(4_999);
  expect(started).toEqual(['hangs']);
  await vi.advanceTimersByTimeAsync(1);
  expect(started).toEqual(['hangs', 'next']);
  // Its end frees no second place.
  await ended('hangs');
  expect(started).toEqual(['hangs', 'next']);
  await ended('next');
  expect(started).toEqual(['hangs', 'next', 'last']);
});

test('a start that is stopped while it waits, or as its turn comes, takes no place', async () => {
  const places = new StartPlaces({ count: 1 });
  const [stop, stopLater] = [new AbortController(), new AbortController()];
  const first = startAll(places, { first: -9 });
  await turnOfTheLoop();
  const waiting = startAll(places, { waiting: -5 }, stop.signal);
  const given = startAll(places, { given: -3 }, stopLater.signal);
  const last = startAll(places, { last: 0 });
  stop.abort(new Error('Stop'));
  await turnOfTheLoop();
  const ended = first.ended('first');
  stopLater.abort(new Error('Stop'));
  await ended;
  await turnOfTheLoop();
  expect([waiting.started, given.started, last.started]).toEqual([['not waiting'], ['not given'], ['last']]);
});

test('there are as many places as processors, at least two and at most eight', () => {
  expect([1, 2, 6, 64].map(placesOfMachine)).toEqual([2, 2, 6, 8]);
});
