import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ConsentSurroundings, dockedPlace } from '../../../src-main/desktop/consent-place.ts';

const usual: ConsentSurroundings = {
  window: { width: 1160, height: 800 },
  chatZoom: 1,
  consentZoom: 1,
  composerHeight: 110,
  room: undefined,
  questionHeight: 400,
};
const at = (changed: Partial<ConsentSurroundings>) => dockedPlace({ ...usual, ...changed });

test('it is above the composer, centred in the column next to the sidebar', () => {
  expect(at({})).toEqual({ x: 368, y: 290, width: 704, height: 400 });
  expect(at({ window: { width: 600, height: 800 } })).toEqual({ x: 12, y: 290, width: 576, height: 400 });
});

test('it is as high as its question, up to half of the window', () => {
  expect(at({ questionHeight: 130 })).toMatchObject({ height: 130, y: 560 });
  expect(at({ questionHeight: 20 })).toMatchObject({ height: 100 });
  expect(at({ questionHeight: 9000 })).toMatchObject({ height: 400, y: 290 });
  expect(at({ questionHeight: 300, consentZoom: 1.25 })).toMatchObject({ height: 375 });
});

test('the composer height reported by the page is clamped', () => {
  expect(at({ composerHeight: 0 })).toMatchObject({ y: 800 - 64 - 400 });
  expect(at({ composerHeight: 10_000 })).toMatchObject({ y: 800 - 240 - 400 });
  expect(at({ composerHeight: 110, chatZoom: 1.5 })).toMatchObject({ y: 800 - 165 - 400 });
});

test('it is as high as the page has room for, leaving some lines of the messages', () => {
  expect(at({ questionHeight: 9000, room: 364 })).toMatchObject({ height: 300 });
  expect(at({ questionHeight: 9000, room: 364, chatZoom: 1.1 })).toMatchObject({ height: 330 });
  expect(at({ questionHeight: 9000, room: 100_000 })).toMatchObject({ height: 400 });
});

test.each([
  ['a low window', { window: { width: 1160, height: 390 } }],
  ['a page without room', { room: 200 }],
  ['a narrow window', { window: { width: 340, height: 800 } }],
  ['large text of the question', { consentZoom: 2.1 }],
  ['large text of the chat', { chatZoom: 3, composerHeight: 200 }],
])('%s leaves too little room', (_what, changed) => {
  expect(at(changed)).toBeUndefined();
});

describe('whatever the page reports', () => {
  const surroundings = fc.record({
    window: fc.record({ width: fc.integer({ min: 1, max: 4000 }), height: fc.integer({ min: 1, max: 3000 }) }),
    chatZoom: fc.double({ min: 0.5, max: 3, noNaN: true }),
    consentZoom: fc.double({ min: 0.8, max: 2, noNaN: true }),
    room: fc.option(fc.double({ min: 0, max: 100_000, noNaN: true }), { nil: undefined }),
    composerHeight: fc.double({ min: 0, max: 10_000, noNaN: true }),
    questionHeight: fc.option(fc.double({ min: 0, max: 100_000, noNaN: true }), { nil: undefined }),
  });

  test('it is inside the window, can be read, and leaves the composer and half of the window free', () => {
    fc.assert(
      fc.property(surroundings, (given) => {
        const place = dockedPlace(given);
        if (place === undefined) return;
        const { x, y, width, height } = place;
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
        expect(x + width).toBeLessThanOrEqual(given.window.width);
        expect(width).toBeGreaterThanOrEqual(320 * given.consentZoom - 1);
        expect(height).toBeGreaterThanOrEqual(100 * given.consentZoom - 1);
        expect(height).toBeLessThanOrEqual(given.window.height * 0.5 + 1);
        expect(y + height).toBeLessThanOrEqual(given.window.height - 64 * given.chatZoom + 1);
      }),
      { numRuns: 2000 },
    );
  });
});
