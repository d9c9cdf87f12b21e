const FIRST_TURNS = 24;
const MORE_TURNS = 24;
/** Around a place that was jumped to. */
const BEFORE_TARGET = 6;

/**
 * Which turns of a long conversation are in the page. It begins with the latest, grows towards where the reader goes, and
 * falls back to the latest when the reader does. `end` is exclusive; `null`: up to the newest, whatever comes.
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

  /** What was read long ago leaves the page; only called where that cannot be seen. */
  letGoOfEarlier(count: number): void {
    if (this.end === null && count - this.start > 3 * FIRST_TURNS) this.showLatest(count);
  }

  slice<T>(turns: readonly T[]): readonly T[] {
    return turns.slice(this.start, this.end ?? turns.length);
  }
}
