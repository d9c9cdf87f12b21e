/** Headings of level 1 and 2 are the page's own. */
const TOP = 3;
const MAX_DEPTH = 6;

/**
 * Heading levels for a message: below the page's own headings and without gaps, whatever depths the message uses.
 * `depths` are the Markdown depths, 1 to 6, in order.
 */
export function headingLevels(depths: readonly number[]): readonly number[] {
  /** The depths of the headings above the current one, outermost first. */
  const above: number[] = [];
  return depths.map((depth) => {
    while ((above.at(-1) ?? 0) >= depth) above.pop();
    above.push(depth);
    return Math.min(MAX_DEPTH, TOP + above.length - 1);
  });
}
