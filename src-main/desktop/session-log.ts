import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, crashReporter, shell } from 'electron';
import { errorFacts } from '../base/log.ts';
import { StewardLog } from '../diagnostics/steward-log.ts';
import { logsIn } from '../settings/profile.ts';
import { logFaultsTo } from './faults.ts';

/** What About says of crashes. */
export interface CrashDumps {
  readonly folder: string;
  readonly count: number;
  /** The time of the newest, in ISO 8601. */
  readonly latestAt: string;
}

/** Exists while a window runs. Found at a start, the last one did not end by itself. */
const RUNNING_FILE = 'window-running.json';

/** The log of a window from its start to its end, and the dumps of crashes, which stay on this computer. */
export class SessionLog {
  readonly log: StewardLog;
  readonly #running: string;
  readonly #crashes: string;

  /** Begins the log before Electron is ready, because a crash reporter that starts later misses processes. */
  static begin(profileDirectory: string): SessionLog {
    const session = new SessionLog(profileDirectory);
    session.#begin();
    return session;
  }

  private constructor(profileDirectory: string) {
    this.log = new StewardLog({ profileDirectory });
    this.#running = join(logsIn(profileDirectory), RUNNING_FILE);
    this.#crashes = join(profileDirectory, 'crashes');
  }

  get logFile(): string {
    return this.log.path;
  }

  /** Undefined if nothing has crashed, or if the dumps were removed. */
  crashDumps(): CrashDumps | undefined {
    const dumps = readdirSync(this.#crashes, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.dmp'))
      .map((entry) => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (dumps.length === 0) return undefined;
    return { folder: this.#crashes, count: dumps.length, latestAt: new Date(Math.max(...dumps)).toISOString() };
  }

  /** Opens the log with the program that the system has for it. */
  async showLog(): Promise<void> {
    this.log.flush();
    const problem = await shell.openPath(this.log.path);
    if (problem !== '') shell.showItemInFolder(this.log.path);
  }

  failed(error: unknown): void {
    this.log.write({ level: 'error', room: 'desktop', code: 'start_failed', facts: errorFacts(error) });
    this.log.flush();
  }

  /** The last thing before the process exits. */
  end(): void {
    this.log.write({ level: 'info', room: 'desktop', code: 'session_ended' });
    this.log.flush();
    rmSync(this.#running, { force: true });
  }

  #begin(): void {
    const { log } = this;
    const startedAt = new Date().toISOString();
    logFaultsTo(log);
    for (const folder of [join(this.#running, '..'), this.#crashes])
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    const last = startOfLast(this.#running);
    if (last !== undefined)
      log.write({ level: 'warning', room: 'desktop', code: 'last_session_did_not_end', facts: { startedAt: last } });
    writeFileSync(this.#running, JSON.stringify({ pid: process.pid, startedAt }), { mode: 0o600 });
    const { platform, arch, versions, pid } = process;
    const facts = { version: app.getVersion(), electron: versions.electron, platform, arch, pid };
    log.write({ level: 'info', room: 'desktop', code: 'session_started', facts });
    app.on('render-process-gone', (_event, contents, { reason, exitCode }) => {
      const page = URL.canParse(contents.getURL()) ? new URL(contents.getURL()).host : '';
      if (reason !== 'clean-exit') this.#gone('page_gone', { page, reason, exitCode });
    });
    app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
      if (reason !== 'clean-exit' && reason !== 'killed') this.#gone('process_gone', { type, reason, exitCode });
    });
    app.setPath('crashDumps', this.#crashes);
    crashReporter.start({ uploadToServer: false, ignoreSystemCrashHandler: true });
  }

  #gone(code: string, facts: Readonly<Record<string, string | number>>): void {
    this.log.write({ level: 'error', room: 'desktop', code, facts });
    // Main may be next.
    this.log.flush();
  }
}

/** The start of the last session in ISO 8601. Undefined if it ended, or if there was none. */
function startOfLast(file: string): string | undefined {
  try {
    const written: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const { startedAt } = Object(written);
    return typeof startedAt === 'string' ? startedAt.slice(0, 40) : 'unknown';
  } catch (error) {
    return Object(error).code === 'ENOENT' ? undefined : 'unknown';
  }
}
