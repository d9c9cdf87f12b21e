import { type ChildProcess, spawn } from 'node:child_process';
import { errorMessage } from '../base/errors.ts';
import type { CallIdentity } from './call-members.ts';
import { isGroupLeftBehind } from './end-calls.ts';
import { WATCHER_SCRIPT } from './watcher-script.ts';

/** Closing needs a few milliseconds, more on a busy machine, and quitting must not hang on it. */
const CLOSE_WITHIN_MS = 1000;
const MAX_STARTS = 5;

/**
 * Ends what this process started when it is killed without a chance to clean up (SIGKILL, a crash, out of memory). A
 * small shell in its own session knows the process trees, and notices the end of this process by the broken pipe. It is
 * started with the first process and always ends with this one. Everything that starts processes uses it: tools and
 * servers.
 *
 * It exists on POSIX only. On Windows Node puts its direct children into a job that ends with it, but not their own
 * children.
 */
export class ProcessWatcher {
  readonly #log: (message: string) => void;
  readonly #running = new Set<number>();
  readonly #leftBehind = new Set<number>();
  #markers: readonly string[] = [];
  #since = 0;
  #watcher: ChildProcess | undefined;
  #startsLeft = process.platform === 'win32' ? 0 : MAX_STARTS;

  constructor({ log }: { log: (message: string) => void }) {
    this.#log = log;
  }

  /** Sets the calls whose markers to look for; their leaders are reported with `add`. */
  lookFor(calls: readonly CallIdentity[]): void {
    const markers = calls.map(({ marker }) => marker);
    if (markers.join() === this.#markers.join()) return;
    this.#markers = markers;
    this.#since = Math.min(...calls.map(({ startedAt }) => startedAt));
    this.#tell();
  }

  /**
   * Adds a process. A `leader` leads its own group, as with `detached`; for any other process only it and its
   * descendants are known.
   */
  add(leader: number): void {
    this.#running.add(leader);
    this.#tell();
  }

  /** Tells that a leader has been reaped, so that its pid may be reused. The rest of its group stays known. */
  leaderEnded(leader: number): void {
    this.#running.delete(leader);
    if (isGroupLeftBehind(leader)) this.#leftBehind.add(leader);
    this.#tell();
  }

  /** Forgets a leader of whose group, as far as is known, nothing is alive. */
  forget(leader: number): void {
    this.#running.delete(leader);
    this.#leftBehind.delete(leader);
    this.#tell();
  }

  /**
   * Closes the watcher when all processes have been ended. Resolves when it is gone; no other is started afterwards.
   */
  async close(): Promise<void> {
    const watcher = this.#watcher;
    // The markers of the processes have already been searched for, and another scan would only take time.
    if (this.#running.size === 0) this.#markers = [];
    if (watcher !== undefined) this.#tell();
    this.#watcher = undefined;
    // The end of a killed process is often reported only now, and must not start another watcher.
    this.#startsLeft = 0;
    if (watcher === undefined) return;
    watcher.ref();
    watcher.stdin?.end();
    await new Promise<void>((done) => {
      const tooLate = setTimeout(() => {
        // Processes that ignore SIGTERM keep the watcher busy for a while, and it finishes on its own.
        watcher.unref();
        done();
      }, CLOSE_WITHIN_MS);
      watcher.once('exit', () => {
        clearTimeout(tooLate);
        done();
      });
    });
  }

  #tell(): void {
    for (const leader of this.#leftBehind) if (!isGroupLeftBehind(leader)) this.#leftBehind.delete(leader);
    if (this.#startsLeft === 0) return;
    this.#watcher ??= this.#start();
    // The whole list is always sent in one write, so that it is received completely or not at all, and a new watcher
    // knows what the old one knew.
    const [since, markers] = this.#markers.length === 0 ? [0, '-'] : [this.#since, this.#markers.join(',')];
    this.#watcher.stdin?.write(`${[since, markers, ...this.#running, '/', ...this.#leftBehind].join(' ')}\n`);
  }

  #start(): ChildProcess {
    const watcher = spawn('/bin/sh', ['-c', WATCHER_SCRIPT, 'steward-watcher'], {
      cwd: '/',
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    watcher.once('error', (error) => this.#giveUp(errorMessage(error)));
    // Here something else has ended the watcher.
    watcher.once('exit', () => {
      if (this.#watcher !== watcher) return;
      this.#watcher = undefined;
      this.#startsLeft -= 1;
      if (this.#startsLeft === 0) this.#giveUp('it ends again and again');
      else this.#tell();
    });
    // A broken pipe means that the watcher has ended.
    watcher.stdin?.on('error', () => undefined);
    watcher.unref();
    if (watcher.stdin !== null && 'unref' in watcher.stdin && typeof watcher.stdin.unref === 'function')
      watcher.stdin.unref();
    return watcher;
  }

  #giveUp(reason: string): void {
    this.#startsLeft = 0;
    this.#watcher = undefined;
    this.#log(`If Steward is killed, what it started goes on: the shell that would end it does not run (${reason}).`);
  }
}
