import { type ChildProcess, spawn } from 'node:child_process';
import { errorMessage } from '../base/errors.ts';
import type { CallIdentity } from './call-members.ts';
import { isGroupLeftBehind } from './end-calls.ts';
import { WATCHER_SCRIPT } from './watcher-script.ts';

/** It needs a few milliseconds, on a busy machine more; quitting shall not hang on it. */
const CLOSE_WITHIN_MS = 1000;
const MOST_STARTS = 5;

/**
 * Ends what this process started when it is itself killed without a chance to do so (SIGKILL, a crash, no memory left). A small
 * shell in a session of its own knows which process trees there are; that the pipe to it breaks tells it of the end. Started
 * with the first process, and gone with this one, however that ends. For whatever starts processes: tools, servers.
 *
 * POSIX only. On Windows Node puts its direct children into a job that ends with it, but not what they start in turn.
 */
export class ProcessWatcher {
  readonly #log: (message: string) => void;
  readonly #running = new Set<number>();
  readonly #leftBehind = new Set<number>();
  #markers: readonly string[] = [];
  #since = 0;
  #watcher: ChildProcess | undefined;
  #startsLeft = process.platform === 'win32' ? 0 : MOST_STARTS;

  constructor({ log }: { log: (message: string) => void }) {
    this.#log = log;
  }

  /** From now on, what carries a marker of these calls; of their leaders `add` tells. */
  lookFor(calls: readonly CallIdentity[]): void {
    const markers = calls.map(({ marker }) => marker);
    if (markers.join() === this.#markers.join()) return;
    this.#markers = markers;
    this.#since = Math.min(...calls.map(({ startedAt }) => startedAt));
    this.#tell();
  }

  /** `leader`: of its own group, as `detached` makes it; of any other only the process and its descendants are known. */
  add(leader: number): void {
    this.#running.add(leader);
    this.#tell();
  }

  /** It was waited for, so that its number may be given away; what is left of its group stays known. */
  leaderEnded(leader: number): void {
    this.#running.delete(leader);
    if (isGroupLeftBehind(leader)) this.#leftBehind.add(leader);
    this.#tell();
  }

  /** Nothing of it lives any more, as far as was seen. */
  forget(leader: number): void {
    this.#running.delete(leader);
    this.#leftBehind.delete(leader);
    this.#tell();
  }

  /** Whoever started processes has ended them. Resolves when nothing of the watcher itself is left, and no other will come. */
  async close(): Promise<void> {
    const watcher = this.#watcher;
    // Whoever ended them has looked for what carries a marker; to look once more would only take time.
    if (this.#running.size === 0) this.#markers = [];
    if (watcher !== undefined) this.#tell();
    this.#watcher = undefined;
    // The end of a process that was killed is often reported only now, and shall not start another watcher.
    this.#startsLeft = 0;
    if (watcher === undefined) return;
    watcher.ref();
    watcher.stdin?.end();
    await new Promise<void>((done) => {
      const tooLate = setTimeout(() => {
        // What does not heed SIGTERM keeps it busy for a while; it goes on alone.
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
    // Always the whole list, in one write: it is taken as a whole or not at all, and a new watcher knows what the old one knew.
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
    // Somebody else ended it.
    watcher.once('exit', () => {
      if (this.#watcher !== watcher) return;
      this.#watcher = undefined;
      this.#startsLeft -= 1;
      if (this.#startsLeft === 0) this.#giveUp('it ends again and again');
      else this.#tell();
    });
    // A pipe that breaks is a watcher that ended.
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
