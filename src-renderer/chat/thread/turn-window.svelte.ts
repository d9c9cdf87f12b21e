const FIRST_TURNS = 24;
const MORE_TURNS = 24;
/** Around a place that was jumped to. */
const BEFORE_TARGET = 6;

/**
 * Which turns of a long conversation are in the page. It starts with the latest turns, grows in the direction the
 * reader scrolls, and shrinks back when the reader returns to the end. `end` is exclusive; `null`: up to the newest,
 * whatever comes.
 */
export class TurnWindow {
  start = $state(0);
  end: number | null = $state(null);

  showLatest(count: number): void {
    this.end = null;
    this.start = Math.max(0, count - FIRST_TURNS);
  }

  showAround(index: number, count: number): void {
    this.start = Math.max(0, index - BEFORE_TARGET);
    this.end = index + MORE_TURNS >= count ? null : index + MORE_TURNS;
  }

  earlier(): void {
    this.start = Math.max(0, this.start - MORE_TURNS);
  }

  later(count: number): void {
    if (this.end === null) return;
    this.end = this.end + MORE_TURNS >= count ? null : this.end + MORE_TURNS;
  }

  /** Removes turns that were read long ago; only called when they are out of sight. */
  letGoOfEarlier(count: number): void {
    if (this.end === null && count - this.start > 3 * FIRST_TURNS) this.showLatest(count);
  }

  slice<T>(turns: readonly T[]): readonly T[] {
    return turns.slice(this.start, this.end ?? turns.length);
  }
}
