import type { ReadingPlace } from '../../conversation/reading-places.ts';

/** When the position is stable for this many frames, layout has finished. */
const QUIET_FRAMES = 3;
const MAX_FRAMES = 60;

/** The turn at the upper edge of the view, and how much of it is above the edge. Null if there is none. */
export function placeIn(scroller: HTMLElement): Omit<ReadingPlace, 'arrived'> | null {
  const edge = scroller.getBoundingClientRect().top;
  for (const turn of scroller.querySelectorAll<HTMLElement>('[data-turn]')) {
    const { top, bottom } = turn.getBoundingClientRect();
    if (bottom > edge) return { turnId: turn.dataset.turn ?? '', above: edge - top };
  }
  return null;
}

/**
 * Scrolls to where the reader was. A turn has its height only once it is near the view, so this is done frame by frame
 * until nothing moves, or the reader goes elsewhere (`isAborted`).
 */
export function returnTo(
  scroller: HTMLElement,
  { turnId, above }: ReadingPlace,
  isAborted: () => boolean,
): Promise<void> {
  const turn = () => scroller.querySelector(`[data-turn="${CSS.escape(turnId)}"]`);
  return settle(scroller, () => (isAborted() ? null : (turn()?.getBoundingClientRect().top ?? null)), -above);
}

/**
 * Scrolls until the element stays `below` the upper edge of the view, in px. `topOf` is its place in the window; null
 * ends the scrolling.
 */
export async function settle(scroller: HTMLElement, topOf: () => number | null, below: number): Promise<void> {
  for (let frame = 0, quiet = 0; frame < MAX_FRAMES && quiet < QUIET_FRAMES; frame += 1) {
    const top = topOf();
    if (top === null) return;
    const before = scroller.scrollTop;
    scroller.scrollTop += top - scroller.getBoundingClientRect().top - below;
    quiet = Math.abs(scroller.scrollTop - before) < 1 ? quiet + 1 : 0;
    await new Promise((drawn) => requestAnimationFrame(drawn));
  }
}
