import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tooltipPlace } from '../../../src-renderer/ui/tooltip-place.ts';

const page = { width: 800, height: 600 };
const tooltip = { width: 100, height: 30 };

test('a tooltip is placed next to its anchor, on the other side if there is no room', () => {
  const middle = { left: 400, top: 300, width: 40, height: 40 };
  expect(tooltipPlace(middle, tooltip, 'bottom', page)).toEqual({ left: 370, top: 346 });
  expect(tooltipPlace(middle, tooltip, 'top', page)).toEqual({ left: 370, top: 264 });
  expect(tooltipPlace({ ...middle, top: 560 }, tooltip, 'bottom', page).top).toBe(524);
});

test('it is never outside the window', () => {
  const sides = fc.constantFrom('top', 'bottom', 'left', 'right');
  fc.assert(
    fc.property(fc.nat(760), fc.nat(560), sides, (left, top, side) => {
      const place = tooltipPlace({ left, top, width: 40, height: 40 }, tooltip, side, page);
      expect(place.left).toBeGreaterThanOrEqual(0);
      expect(place.left + tooltip.width).toBeLessThanOrEqual(page.width);
      expect(place.top).toBeGreaterThanOrEqual(0);
      expect(place.top + tooltip.height).toBeLessThanOrEqual(page.height);
    }),
  );
});
