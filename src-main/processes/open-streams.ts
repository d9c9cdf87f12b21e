import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';

/** A process that ended may leave children behind which hold its output open: how long after the last of it we go on. */
const QUIET_AFTER_EXIT_MS = 100;
const AT_MOST_AFTER_EXIT_MS = 1000;

/** Both output streams of a child, until they are closed or nobody waits for them any longer. */
export class OpenStreams {
  readonly #child: ChildProcess;
  readonly #closed: Promise<void>;
  #isClosed = false;
  #lastChunkAt = performance.now();

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#closed = new Promise((done) => {
      child.once('close', () => {
        this.#isClosed = true;
        done();
      });
    });
  }

  /** Reads both from now on. */
  onChunk(listener: (stream: 'stdout' | 'stderr', chunk: Buffer) => void): void {
    for (const name of ['stdout', 'stderr'] as const) {
      this.#child[name]?.on('data', (chunk: Buffer) => {
        this.#lastChunkAt = performance.now();
        listener(name, chunk);
      });
      // A pipe that breaks has said all it will say.
      this.#child[name]?.on('error', () => undefined);
    }
  }

  /** Resolves when both are closed, or have been quiet for a while although someone holds them open. */
  async settled(): Promise<void> {
    const start = performance.now();
    this.#lastChunkAt = start;
    while (!this.#isClosed) {
      await Promise.race([this.#closed, new Promise((done) => setTimeout(done, QUIET_AFTER_EXIT_MS))]);
      const now = performance.now();
      if (now - this.#lastChunkAt >= QUIET_AFTER_EXIT_MS || now - start >= AT_MOST_AFTER_EXIT_MS) return;
    }
  }

  /** Goes on reading, so that nobody is ended by a broken pipe, without keeping this process alive. */
  letGo(): void {
    if (this.#isClosed) return;
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream !== null && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
    }
  }

  /**
   * To a process that goes on reading when this one has ended: who writes to a stream that nobody reads is ended by it. POSIX
   * only.
   */
  handOver(): void {
    if (this.#isClosed) return;
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (!(stream instanceof Socket) || stream.destroyed) continue;
      const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
      const reader = spawn('cat', [], { cwd: '/', env, stdio: [stream, 'ignore', 'ignore'], detached: true });
      reader.on('error', () => undefined);
      reader.unref();
      stream.destroy();
    }
  }
}
