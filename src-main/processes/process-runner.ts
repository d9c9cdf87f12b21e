import { type ChildProcess, spawn } from 'node:child_process';
import { OutputCapture } from './output-capture.ts';
import { isGroupLeftBehind, killProcessTree, killProcessTreesNow } from './process-tree.ts';
import type { ProcessWatcher } from './process-watcher.ts';

export const MAX_STREAM_BYTES = 10 * 1024 * 1024;
/** setTimeout's limit; beyond it the time would be up at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** A process that ended may leave children behind which hold its output open: how long after the last of it we go on. */
const QUIET_AFTER_EXIT_MS = 100;
const AT_MOST_AFTER_EXIT_MS = 1000;
/** From the end of a process to Node's report of it. */
const EXIT_REPORT_MS = 500;
/** Quitting takes less than two seconds, also on a busy machine; who has not heeded SIGTERM by then is killed. */
const GRACE_AT_APP_END_MS = 700;

export interface ProcessRequest {
  /** Started as it is, without a shell. */
  readonly command: string;
  readonly args: readonly string[];
  /** Real path. */
  readonly directory: string;
  /** Absent: no limit. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
  /** What it reads on stdin. Absent: stdin is closed. */
  readonly input?: string;
  /** Default: the runner's. */
  readonly environment?: Readonly<NodeJS.ProcessEnv> | undefined;
  /** Of each stream; what goes beyond is dropped. Default 10 MB. */
  readonly maxStreamBytes?: number;
  /** End the process when a stream is full, instead of dropping what it still says. */
  readonly endWhenFull?: boolean;
  readonly onOutput?: (chunk: string) => void;
  /** Windows: the arguments are quoted already. */
  readonly windowsVerbatimArguments?: boolean;
}

export type ProcessEnding = 'exited' | 'timed-out' | 'aborted' | 'full';

export interface ProcessOutcome {
  readonly ending: ProcessEnding;
  readonly stdout: string;
  readonly stderr: string;
  /** `null`: killed by a signal. */
  readonly exitCode: number | null;
  readonly exitSignal: NodeJS.Signals | null;
  readonly droppedBytes: { readonly stdout: number; readonly stderr: number };
}

/** A process that was started, and how to wait for it. */
export interface RunningProcess {
  /** Of the leader of its group. */
  readonly pid: number;
  /** What it said so far. */
  readonly output: Pick<ProcessOutcome, 'stdout' | 'stderr' | 'droppedBytes'>;
  /** Never rejects. */
  readonly finished: Promise<ProcessOutcome>;
}

export interface ProcessRunnerPorts {
  /** What a process is given that is given nothing of its own. Secrets are for the caller to leave out: see `childEnvironment`. */
  readonly environment: () => NodeJS.ProcessEnv;
  /** Ends what runs here when this process is killed and cannot do it itself. */
  readonly watcher: ProcessWatcher;
}

/**
 * Starts all processes that tools run: each in its own group and session, both streams read while it runs. On
 * timeout or abort its whole tree ends before `run` resolves. Source: tool catalogue B.2.
 */
export class ProcessRunner {
  readonly #environment: () => NodeJS.ProcessEnv;
  /** Leaders that ended while children of theirs (`server &`) went on. */
  readonly #leftBehind = new Set<number>();
  readonly #running = new Set<number>();
  readonly #watcher: ProcessWatcher;

  constructor({ environment, watcher }: ProcessRunnerPorts) {
    this.#environment = environment;
    this.#watcher = watcher;
  }

  /** Rejects only if the process cannot be started (system error). */
  async run(request: ProcessRequest): Promise<ProcessOutcome> {
    if (request.signal.aborted) return { ...NOTHING_SAID, ending: 'aborted' };
    const running = await this.start(request);
    return running.finished;
  }

  /** As `run`, but resolves when the process has been started. */
  async start(request: ProcessRequest): Promise<RunningProcess> {
    const child = spawn(request.command, [...request.args], {
      cwd: request.directory,
      env: request.environment ?? this.#environment(),
      stdio: [request.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: request.windowsVerbatimArguments ?? false,
    });
    const maxBytes = request.maxStreamBytes ?? MAX_STREAM_BYTES;
    const stdout = new OutputCapture(maxBytes, request.onOutput);
    const stderr = new OutputCapture(maxBytes, request.onOutput);
    const finished = this.#follow(child, request, stdout, stderr);
    // A process that ends before it has read everything has read enough.
    child.stdin?.on('error', () => undefined);
    await new Promise<void>((spawned, failed) => {
      child.once('spawn', spawned);
      child.once('error', failed);
    });
    const { pid } = child;
    if (pid === undefined) throw new TypeError('A process that was started has no number');
    child.stdin?.end(request.input);
    return {
      pid,
      get output() {
        return {
          stdout: stdout.text,
          stderr: stderr.text,
          droppedBytes: { stdout: stdout.droppedBytes, stderr: stderr.droppedBytes },
        };
      },
      finished,
    };
  }

  /** Whether something that a process started (`server &`) goes on, although it itself has ended. */
  hasLeftBehind(pid: number): boolean {
    return this.#leftBehind.has(pid) && isGroupLeftBehind(pid);
  }

  async endLeftBehind(pid: number): Promise<void> {
    // Until somebody asks for its exit code, what was killed still counts as a member of the group.
    if (this.hasLeftBehind(pid) && (await this.#kill(pid))) this.#leftBehind.delete(pid);
  }

  /** Ends everything that was started here and still runs, also what finished commands left behind. For the app's end. */
  async killAll(): Promise<void> {
    await Promise.all(this.#alive().map((leader) => this.#kill(leader, GRACE_AT_APP_END_MS)));
    this.#leftBehind.clear();
  }

  /** As `killAll` where nothing can be awaited any more (the `exit` event of the process). */
  killAllNow(): void {
    killProcessTreesNow(this.#alive());
  }

  async #kill(leader: number, graceMs?: number): Promise<boolean> {
    const isGone = await killProcessTree(leader, graceMs);
    if (isGone) this.#watcher.forget(leader);
    return isGone;
  }

  #alive(): number[] {
    return [...this.#running, ...[...this.#leftBehind].filter(isGroupLeftBehind)];
  }

  async #follow(
    child: ChildProcess,
    request: ProcessRequest,
    stdout: OutputCapture,
    stderr: OutputCapture,
  ): Promise<ProcessOutcome> {
    const { pid } = child;
    let giveUp: () => void = () => undefined;
    const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done) => {
      child.once('exit', (code, signal) => {
        if (pid !== undefined) this.#watcher.leaderEnded(pid);
        done({ code, signal });
      });
      giveUp = () => done({ code: null, signal: 'SIGKILL' });
    });
    // A process that could not be started is reported by `start`.
    if (pid === undefined) return { ...NOTHING_SAID, ending: 'exited' };
    this.#running.add(pid);
    this.#watcher.add(pid);

    let ending: ProcessEnding = 'exited';
    let killing: Promise<void> | undefined;
    const endBecause = (why: ProcessEnding) => {
      if (killing !== undefined) return;
      ending = why;
      // A process that hangs in the kernel outlives SIGKILL; nobody shall wait for it.
      killing = this.#kill(pid).then(() => void setTimeout(giveUp, EXIT_REPORT_MS).unref());
    };
    const onAbort = () => endBecause('aborted');
    request.signal.addEventListener('abort', onAbort, { once: true });
    if (request.signal.aborted) onAbort();
    const timer =
      request.timeoutMs === undefined
        ? undefined
        : setTimeout(() => endBecause('timed-out'), Math.min(request.timeoutMs, LONGEST_TIMER_MS));

    const streams = new OpenStreams(child, (stream, chunk) => {
      const capture = stream === 'stdout' ? stdout : stderr;
      capture.add(chunk);
      if (request.endWhenFull && capture.droppedBytes > 0) endBecause('full');
    });
    const { code, signal } = await exit;
    clearTimeout(timer);
    request.signal.removeEventListener('abort', onAbort);
    await killing;
    await streams.settled();
    stdout.end();
    stderr.end();
    streams.letGo();
    this.#running.delete(pid);
    if (isGroupLeftBehind(pid)) this.#leftBehind.add(pid);

    return {
      ending,
      stdout: stdout.text,
      stderr: stderr.text,
      exitCode: code,
      exitSignal: signal,
      droppedBytes: { stdout: stdout.droppedBytes, stderr: stderr.droppedBytes },
    };
  }
}

const NOTHING_SAID = {
  stdout: '',
  stderr: '',
  exitCode: null,
  exitSignal: null,
  droppedBytes: { stdout: 0, stderr: 0 },
};

/** Both output streams of a child, until they are closed or nobody waits for them any longer. */
class OpenStreams {
  readonly #child: ChildProcess;
  readonly #closed: Promise<void>;
  #isClosed = false;
  #lastChunkAt = performance.now();

  constructor(child: ChildProcess, onChunk: (stream: 'stdout' | 'stderr', chunk: Buffer) => void) {
    this.#child = child;
    this.#closed = new Promise((done) => {
      child.once('close', () => {
        this.#isClosed = true;
        done();
      });
    });
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.on('data', (chunk: Buffer) => {
        this.#lastChunkAt = performance.now();
        onChunk(name, chunk);
      });
      // A pipe that breaks has said all it will say.
      child[name]?.on('error', () => undefined);
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
}
