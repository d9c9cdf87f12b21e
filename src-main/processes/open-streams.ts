import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';

/** How long to keep reading after the last output, since children that outlive a process may hold its output open. */
const QUIET_AFTER_EXIT_MS = 100;
const MAX_AFTER_EXIT_MS = 1000;

/** Both output streams of a child, until they are closed or no longer waited for. */
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

  /** Starts reading both streams. */
  onChunk(listener: (stream: 'stdout' | 'stderr', chunk: Buffer) => void): void {
    for (const name of ['stdout', 'stderr'] as const) {
      const output = this.#child[name];
      output?.on('data', (chunk: Buffer) => {
        this.#lastChunkAt = performance.now();
        listener(name, chunk);
        // Node reads up to 2 MB before anything else has its turn.
        output.pause();
        setImmediate(() => output.resume());
      });
      // Nothing more can come from a broken pipe.
      this.#child[name]?.on('error', () => undefined);
    }
  }

  /** Resolves when both streams are closed, or have been silent for a while although something holds them open. */
  async settled(): Promise<void> {
    const start = performance.now();
    this.#lastChunkAt = start;
    while (!this.#isClosed) {
      await Promise.race([this.#closed, new Promise((done) => setTimeout(done, QUIET_AFTER_EXIT_MS))]);
      const now = performance.now();
      if (now - this.#lastChunkAt >= QUIET_AFTER_EXIT_MS || now - start >= MAX_AFTER_EXIT_MS) return;
    }
  }

  /** Keeps reading, so that no process is ended by a broken pipe, without keeping this process alive. */
  letGo(): void {
    if (this.#isClosed) return;
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream !== null && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
    }
  }

  /**
   * Hands the streams to a process that keeps reading after this one has ended, because writing to a stream without a
   * reader would end the writer. This works on POSIX only.
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
