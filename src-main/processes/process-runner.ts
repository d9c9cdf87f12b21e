import { type ChildProcess, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { CallMarkers, markedEnvironment } from './call-marker.ts';
import type { CallIdentity } from './call-members.ts';
import { endCalls, endCallsNow } from './end-calls.ts';
import { type LeftRunning, LeftRunningList, programsOf } from './left-running.ts';
import { OpenStreams } from './open-streams.ts';
import { OutputCapture } from './output-capture.ts';
import { type ProcessEntry, startOf } from './process-table.ts';
import type { ProcessWatcher } from './process-watcher.ts';
import { StartedCall } from './started-call.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from './temporary-folder.ts';
import { limitedCommand, type PassedLimit, type UsageLimits, UsageWatch } from './usage-limits.ts';

export const MAX_STREAM_BYTES = 10 * 1024 * 1024;
/** The limit of setTimeout: a longer delay would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** The time from the end of a process until Node reports it. */
const EXIT_REPORT_MS = 500;
/** Quitting must take less than two seconds, even on a busy machine. What ignores SIGTERM for this long is killed. */
const GRACE_AT_APP_END_MS = 700;

export interface ProcessRequest {
  /** The command as the user gave or allowed it. If set, what it leaves running is reported. */
  readonly line?: string;
  /** The process outlives the call that started it, and counts as left running from the start. */
  readonly inBackground?: boolean;
  /** The program, which is started directly, without a shell. */
  readonly command: string;
  readonly args: readonly string[];
  /** The real path of the folder that it runs in. */
  readonly directory: string;
  /** The time limit. There is none if this is absent. */
  readonly timeoutMs?: number;
  /** Aborts when the time is up, if the limit stands still meanwhile; then `timeoutMs` is absent. */
  readonly timeIsUp?: AbortSignal | undefined;
  readonly signal: AbortSignal;
  /** The text that the process reads on stdin, which is closed if this is absent. */
  readonly input?: string;
  /** Set for an interactive process. Its stdin stays open, and its output is passed on as it arrives and not kept. */
  readonly dialogue?: ProcessDialogue;
  /** The environment, by default the runner's. */
  readonly environment?: Readonly<NodeJS.ProcessEnv> | undefined;
  /** The limit for each stream; anything beyond is dropped. The default is 10 MB. */
  readonly maxStreamBytes?: number;
  /** The process ends when a stream is full, instead of the rest being dropped. */
  readonly endWhenFull?: boolean;
  readonly onOutput?: (chunk: string) => void;
  /** If set, the process and all that it starts end when they pass a limit, and have a temporary folder of their own. */
  readonly limits?: UsageLimits;
  /** The arguments are already quoted for Windows. */
  readonly windowsVerbatimArguments?: boolean;
}

export interface ProcessDialogue {
  readonly onStdout: (chunk: Buffer) => void;
  readonly onStderr: (chunk: Buffer) => void;
}

export type ProcessEnding = 'exited' | 'timed-out' | 'aborted' | 'full' | PassedLimit;

export interface ProcessOutcome {
  readonly ending: ProcessEnding;
  readonly stdout: string;
  readonly stderr: string;
  /** Null if the process was killed by a signal. */
  readonly exitCode: number | null;
  readonly exitSignal: NodeJS.Signals | null;
  readonly droppedBytes: { readonly stdout: number; readonly stderr: number };
  /** What is still running although the process has ended. */
  readonly leftRunning?: LeftRunning;
}

/** A program that needs a temporary file where no folder could be made says that it has none. */
const NO_FOLDER = '/nonexistent';

interface Limited {
  readonly limits: UsageLimits;
  /** The temporary folder of the call, if one could be made. */
  readonly folder: string | undefined;
}

/** Resolves with false if something outlived SIGKILL. */
type EndBecause = (why: Exclude<ProcessEnding, 'exited'>, graceMs?: number) => Promise<boolean>;

/** A process that was started, and the means to wait for it. */
export interface RunningProcess {
  /** The id for `leftRunning`. */
  readonly id: string;
  /** The id of the process, which leads its group. */
  readonly pid: number;
  /** The stream is open only for an interactive process. */
  readonly stdin: Writable | null;
  /** The output so far. */
  readonly output: Pick<ProcessOutcome, 'stdout' | 'stderr' | 'droppedBytes'>;
  /** The outcome of the process. Never rejects. */
  readonly finished: Promise<ProcessOutcome>;
  /**
   * Ends the process with everything that it started, even what it left behind when it ended: with SIGTERM, and after
   * `graceMs` (two seconds) with SIGKILL. Resolves with false if something outlived even that.
   */
  end(graceMs?: number): Promise<boolean>;
}

export interface ProcessRunnerPorts {
  /** The environment of processes whose request has none. The caller leaves out secrets: see `childEnvironment`. */
  readonly environment: () => NodeJS.ProcessEnv;
  /** Ends what is running when this process is killed and can't do it itself. */
  readonly watcher: ProcessWatcher;
}

/**
 * Starts all processes that tools run. Each has its own group and session and a marker in its environment, and both
 * streams are read while it runs. On timeout or abort, everything that it started ends before `run` resolves. Source:
 * tool catalogue B.2.
 */
export class ProcessRunner {
  readonly #environment: () => NodeJS.ProcessEnv;
  readonly #markers = new CallMarkers();
  /** Stands for everything that was started here, even by forgotten calls. */
  readonly #everything: CallIdentity;
  readonly #running = new Map<StartedCall, EndBecause>();
  readonly #left = new LeftRunningList();
  readonly #watcher: ProcessWatcher;
  readonly #usage = new UsageWatch();
  #hasStarted = false;
  #goesOnWithout = false;

  constructor({ environment, watcher }: ProcessRunnerPorts) {
    this.#environment = environment;
    this.#watcher = watcher;
    this.#everything = { leader: undefined, marker: this.#markers.all, startedAt: startOf(process.pid) };
  }

  /** What is running although no call waits for it. */
  get leftRunning(): Pick<LeftRunningList, 'list' | 'onChange'> {
    return this.#left;
  }

  /** The lines of the commands that a call is waiting for. */
  runningLines(): string[] {
    return [...this.#running.keys()].flatMap(({ line, inBackground }) => (inBackground ? [] : (line ?? [])));
  }

  /** Rejects only if the process cannot be started (system error). */
  async run(request: ProcessRequest): Promise<ProcessOutcome> {
    if (request.signal.aborted) return { ...NOTHING_SAID, ending: 'aborted' };
    const running = await this.start(request);
    return running.finished;
  }

  /** Like `run`, but resolves as soon as the process has started. */
  async start(request: ProcessRequest): Promise<RunningProcess> {
    const { limits } = request;
    if (limits === undefined) return this.#start(request, undefined);
    const limited = { limits, folder: await makeTemporaryFolder() };
    try {
      return await this.#start({ ...request, ...limitedCommand(request, limits) }, limited);
    } catch (error) {
      if (limited.folder !== undefined) await removeTemporaryFolder(limited.folder);
      throw error;
    }
  }

  async #start(request: ProcessRequest, limited: Limited | undefined): Promise<RunningProcess> {
    if (this.#goesOnWithout) throw new Error('Steward is closing');
    this.#hasStarted = true;
    // The watcher is told before anything is started, so that it knows what to look for if this process is killed right
    // now.
    this.#watcher.lookFor([this.#everything]);
    const marker = this.#markers.next();
    const temporary = limited && { TMPDIR: limited.folder ?? NO_FOLDER };
    const child = spawn(request.command, [...request.args], {
      cwd: request.directory,
      env: markedEnvironment({ ...(request.environment ?? this.#environment()), ...temporary }, marker),
      stdio: [request.input === undefined && request.dialogue === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: request.windowsVerbatimArguments ?? false,
    });
    const { pid } = child;
    const failed = new Promise<unknown>((resolve) => child.once('error', resolve));
    if (pid === undefined) throw await failed;
    const maxBytes = request.dialogue === undefined ? (request.maxStreamBytes ?? MAX_STREAM_BYTES) : 0;
    const stdout = new OutputCapture(maxBytes, request.onOutput);
    const stderr = new OutputCapture(maxBytes, request.onOutput);
    const { line, inBackground = false } = request;
    const call = new StartedCall({ pid, marker, line, inBackground, streams: new OpenStreams(child) });
    const finished = this.#follow(call, child, request, limited, stdout, stderr);
    if (inBackground) this.#left.add(call, [{ pid, command: line ?? request.command }]);
    // A process may end without reading all of its input.
    child.stdin?.on('error', () => undefined);
    if (request.dialogue === undefined) child.stdin?.end(request.input);
    return {
      id: call.id,
      pid,
      stdin: child.stdin,
      get output() {
        return {
          stdout: stdout.text,
          stderr: stderr.text,
          droppedBytes: { stdout: stdout.droppedBytes, stderr: stderr.droppedBytes },
        };
      },
      finished,
      end: async (graceMs) => (await this.#running.get(call)?.('aborted', graceMs)) ?? this.#end(call, graceMs),
    };
  }

  isLeftRunning(id: string): boolean {
    return this.#left.call(id)?.isAlive ?? false;
  }

  /** Ends what is left running. Resolves when nothing of it is running, or with false after some seconds. */
  async endLeftRunning(id: string): Promise<boolean> {
    const call = this.#left.call(id);
    if (call === undefined) return true;
    const endBecause = this.#running.get(call);
    if (endBecause !== undefined) return endBecause('aborted');
    return this.#end(call);
  }

  /**
   * Lets what is left running outlive this process when it quits. Everything else that is running still ends with it.
   */
  leaveRunning(): void {
    this.#goesOnWithout = true;
    this.#watcher.lookFor(this.#toEnd());
    for (const call of this.#left.calls()) {
      call.streams.handOver();
      this.#watcher.forget(call.pid);
    }
  }

  /**
   * Ends everything that was started here and is still running, including what finished commands left behind. It is
   * used when Steward quits.
   */
  async killAll(): Promise<void> {
    this.#left.close();
    await endCalls(this.#toEnd(), { graceMs: GRACE_AT_APP_END_MS, known: this.#known() });
  }

  /** Does the same as `killAll` where nothing can be awaited (in the `exit` event of the process). */
  killAllNow(): void {
    endCallsNow(this.#toEnd(), this.#known());
  }

  #calls(): StartedCall[] {
    const goOn = this.#goesOnWithout ? this.#left.calls() : [];
    return [...new Set([...this.#running.keys(), ...this.#left.calls()])].filter((call) => !goOn.includes(call));
  }

  #toEnd(): readonly CallIdentity[] {
    const calls = this.#calls().map(({ identity }) => identity);
    return this.#goesOnWithout || !this.#hasStarted ? calls : [...calls, this.#everything];
  }

  #known(): readonly ProcessEntry[] {
    return this.#calls().flatMap(({ left }) => left);
  }

  async #end(call: StartedCall, graceMs?: number): Promise<boolean> {
    const isGone = await call.end(graceMs);
    if (!isGone) return false;
    this.#watcher.forget(call.pid);
    if (call.hasEnded) this.#left.remove(call);
    return true;
  }

  async #follow(
    call: StartedCall,
    child: ChildProcess,
    request: ProcessRequest,
    limited: Limited | undefined,
    stdout: OutputCapture,
    stderr: OutputCapture,
  ): Promise<ProcessOutcome> {
    let giveUp: () => void = () => undefined;
    const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done) => {
      child.once('exit', (code, signal) => {
        call.leaderEnded();
        this.#watcher.leaderEnded(call.pid);
        done({ code, signal });
      });
      giveUp = () => done({ code: null, signal: 'SIGKILL' });
    });
    this.#watcher.add(call.pid);

    let ending: ProcessEnding = 'exited';
    let killing: Promise<boolean> | undefined;
    const endBecause: EndBecause = (why, graceMs) => {
      if (killing !== undefined) return killing;
      ending = why;
      // A process that hangs in the kernel outlives SIGKILL, so this doesn't wait for it.
      killing = this.#end(call, graceMs).finally(() => void setTimeout(giveUp, EXIT_REPORT_MS).unref());
      return killing;
    };
    this.#running.set(call, endBecause);
    const onAbort = () => void endBecause('aborted');
    request.signal.addEventListener('abort', onAbort, { once: true });
    if (request.signal.aborted) onAbort();
    const onTimeUp = () => void endBecause('timed-out');
    request.timeIsUp?.addEventListener('abort', onTimeUp, { once: true });
    const end = (why: PassedLimit) => void endBecause(why, 0);
    const timers = [timer(request.timeoutMs, onTimeUp), timer(limited?.limits.timeMs, () => end('over-time'))];
    const endWatch = limited && this.#usage.add(call, { ...limited, end });

    call.streams.onChunk((stream, chunk) => {
      if (request.dialogue !== undefined) {
        if (stream === 'stdout') request.dialogue.onStdout(chunk);
        else request.dialogue.onStderr(chunk);
        return;
      }
      const capture = stream === 'stdout' ? stdout : stderr;
      capture.add(chunk);
      if (request.endWhenFull && capture.droppedBytes > 0) void endBecause('full');
    });
    const { code, signal } = await exit;
    for (const each of timers) clearTimeout(each);
    request.timeIsUp?.removeEventListener('abort', onTimeUp);
    endWatch?.();
    await killing;
    await call.streams.settled();
    const leftRunning = request.line === undefined ? undefined : await this.#leftBy(call);
    // Up to here the process could be stopped, together with what it leaves running.
    request.signal.removeEventListener('abort', onAbort);
    const isAllGone = await killing;
    stdout.end();
    stderr.end();
    call.streams.letGo();
    this.#running.delete(call);
    if (limited?.folder !== undefined) await removeTemporaryFolder(limited.folder);

    return {
      ending,
      stdout: stdout.text,
      stderr: stderr.text,
      exitCode: code,
      exitSignal: signal,
      droppedBytes: { stdout: stdout.droppedBytes, stderr: stderr.droppedBytes },
      ...(leftRunning === undefined || isAllGone ? {} : { leftRunning }),
    };
  }

  async #leftBy(call: StartedCall): Promise<LeftRunning | undefined> {
    const left = await call.lookForLeft();
    if (left.length > 0) return this.#left.add(call, await programsOf(left));
    this.#left.remove(call);
    return undefined;
  }
}

function timer(afterMs: number | undefined, end: () => void): NodeJS.Timeout | undefined {
  return afterMs === undefined ? undefined : setTimeout(end, Math.min(afterMs, MAX_TIMER_MS));
}

const NOTHING_SAID = {
  stdout: '',
  stderr: '',
  exitCode: null,
  exitSignal: null,
  droppedBytes: { stdout: 0, stderr: 0 },
};
