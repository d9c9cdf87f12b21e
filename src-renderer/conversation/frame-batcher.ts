/** One frame at 60 Hz. A timer, because no frame is drawn for a window that is not to be seen. */
const FRAME_MS = 16;

/**
 * Hands over at once what comes alone, and together, in order, what comes within a frame of it: fifty calls that return at
 * one stroke are drawn once and not fifty times.
 */
export class FrameBatcher<Each extends object> {
  private readonly take: (each: Each) => void;
  private readonly waiting: Each[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(take: (each: Each) => void) {
    this.take = take;
  }

  push(each: Each): void {
    this.waiting.push(each);
    if (this.timer === undefined) this.handOver();
  }

  private handOver(): void {
    this.timer = undefined;
    if (this.waiting.length === 0) return;
    // First of all: what is still there when one of them cannot be taken comes with the next frame.
    this.timer = setTimeout(() => this.handOver(), FRAME_MS);
    for (let each = this.waiting.shift(); each !== undefined; each = this.waiting.shift()) this.take(each);
  }
}
