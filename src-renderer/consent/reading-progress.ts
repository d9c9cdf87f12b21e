/** Scaling a page can lose half a pixel. */
const ROUNDING = 2;

type Interval = readonly [top: number, bottom: number];

/** Which part of a scrolling text has been in view, in pixels from its start. */
export class ReadingProgress {
  #total = 0;
  #seen: readonly Interval[] = [];

  /**
   * Records that this part is in view. Returns whether everything has been. Earlier parts count only while the layout
   * is unchanged: if the text became longer or shorter, reading starts over from here.
   */
  inView(top: number, bottom: number, total: number): boolean {
    if (Math.abs(total - this.#total) > ROUNDING) this.#seen = [];
    this.#total = total;
    this.#seen = merged([...this.#seen, [top, bottom]]);
    return this.isComplete;
  }

  /** The text is laid out anew: what was in view is somewhere else. */
  startOver(): void {
    this.#seen = [];
  }

  get isComplete(): boolean {
    return this.firstUnseen >= this.#total - ROUNDING;
  }

  /** The position at which the first part begins that has not been in view. */
  get firstUnseen(): number {
    const [first] = this.#seen;
    return first !== undefined && first[0] <= ROUNDING ? first[1] : 0;
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
