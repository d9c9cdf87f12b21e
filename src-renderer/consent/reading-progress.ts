/** Half a pixel here and there is lost when a page is scaled. */
const ROUNDING = 2;

type Interval = readonly [top: number, bottom: number];

/** Which part of a text that scrolls has been in view, in pixels from its beginning. */
export class ReadingProgress {
  #total = 0;
  #seen: readonly Interval[] = [];

  /**
   * This part is in view now, of so much. Gives whether all of it has been. What was seen before counts only as long as nothing moved:
   * a text that became longer or shorter is read from where it stands.
   */
  inView(top: number, bottom: number, total: number): boolean {
    if (Math.abs(total - this.#total) > ROUNDING) this.#seen = [];
    this.#total = total;
    this.#seen = merged([...this.#seen, [top, bottom]]);
    const [first] = this.#seen;
    return first !== undefined && first[0] <= ROUNDING && first[1] >= total - ROUNDING;
  }
}

function merged(intervals: readonly Interval[]): readonly Interval[] {
  const result: Interval[] = [];
  for (const [top, bottom] of [...intervals].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last !== undefined && top <= last[1] + ROUNDING)
      result[result.length - 1] = [last[0], Math.max(last[1], bottom)];
    else result.push([top, bottom]);
  }
  return result;
}
