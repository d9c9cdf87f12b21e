/** One frame at 60 Hz: a faster cadence cannot be seen. */
const FRAME_MS = 16;

/**
 * Coalesces text deltas so that at most one per frame is committed and sent on. The first one goes out at once, so that
 * the reader sees the answer begin.
 */
export class LiveText {
  private readonly commit: (text: string) => void;
  private pending = '';
  private timer: NodeJS.Timeout | undefined;
  private failure: unknown;

  constructor(commit: (text: string) => void) {
    this.commit = commit;
  }

  /** Throws what an earlier, timed commit threw: a full disk must stop the turn. */
  push(text: string): void {
    if (this.failure !== undefined) throw this.failure;
    this.pending += text;
    if (this.timer !== undefined) return;
    this.flush();
    this.timer = setTimeout(() => this.onFrame(), FRAME_MS);
  }

  /**
   * What is not committed yet, for the caller to commit with what follows. Throws as `push` does: what could not be
   * committed must not be passed over.
   */
  take(): string {
    if (this.failure !== undefined) throw this.failure;
    if (this.timer !== undefined) clearTimeout(this.timer);
    this.timer = undefined;
    const text = this.pending;
    this.pending = '';
    return text;
  }

  private flush(): void {
    const text = this.take();
    if (text !== '') this.commit(text);
  }

  private onFrame(): void {
    this.timer = undefined;
    if (this.pending === '') return;
    try {
      this.flush();
    } catch (error) {
      this.failure = error;
      return;
    }
    this.timer = setTimeout(() => this.onFrame(), FRAME_MS);
  }
}
