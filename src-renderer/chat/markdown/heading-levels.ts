/** Headings of level 1 and 2 are the page's own. */
const TOP = 3;
const DEEPEST = 6;

/**
 * Levels for the headings of a message: below the page's own and without gaps, whatever depth it begins at or jumps to.
 * `depths`: as the Markdown says, 1 to 6, in order.
 */
export function headingLevels(depths: readonly number[]): readonly number[] {
  /** The depths of the headings that the present one stands under, outermost first. */
  const above: number[] = [];
  return depths.map((depth) => {
    while ((above.at(-1) ?? 0) >= depth) above.pop();
    above.push(depth);
    return Math.min(DEEPEST, TOP + above.length - 1);
  });
}
