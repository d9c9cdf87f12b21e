import type { ServerRow, ServerUsage } from '../../../src-preload/contract/servers.ts';
import { type TreeUsage, usageOfTrees } from '../../processes/process-usage.ts';
import { type ServerViewServices, serverRows } from './server-view.ts';

/** Listing processes takes about a second on Windows. */
const LOOK_EVERY_MS = process.platform === 'win32' ? 10_000 : 2_000;
/** Changes in quick succession are sent together. */
const TELL_AFTER_MS = 50;

interface Look {
  readonly at: number;
  readonly usage: TreeUsage;
  readonly shown: ServerUsage;
}

/** Sends the window every change of MCP servers and, while the list is visible, their resource usage. */
export class ServerWatch {
  readonly #services: ServerViewServices;
  readonly #tell: (rows: readonly ServerRow[]) => void;
  readonly #ends: readonly (() => void)[];
  #looks: ReadonlyMap<number, Look> = new Map();
  #telling: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  #isWatched = false;

  constructor(services: ServerViewServices, tell: (rows: readonly ServerRow[]) => void) {
    this.#services = services;
    this.#tell = tell;
    const changed = () => this.#changed();
    this.#ends = [services.mcp.onChange(changed), services.onChange(changed), services.definitions.onChange(changed)];
  }

  rows(): ServerRow[] {
    return serverRows(this.#services, this.usageOf);
  }

  readonly usageOf = (pid: number): ServerUsage | null => this.#looks.get(pid)?.shown ?? null;

  /** Whether the list is visible. */
  watched(isWatched: boolean): void {
    if (isWatched === this.#isWatched) return;
    this.#isWatched = isWatched;
    clearTimeout(this.#looking);
    this.#looks = new Map();
    if (isWatched) void this.#look();
  }

  close(): void {
    this.watched(false);
    clearTimeout(this.#telling);
    for (const end of this.#ends) end();
  }

  #changed(): void {
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      this.#tell(this.rows());
    }, TELL_AFTER_MS);
  }

  async #look(): Promise<void> {
    const pids = this.#services.mcp.servers.flatMap(({ pid }) => pid ?? []);
    const usage = await usageOfTrees(pids);
    if (!this.#isWatched) return;
    const at = performance.now();
    this.#looks = new Map([...usage].map(([pid, now]) => [pid, look(now, at, this.#looks.get(pid))]));
    if (pids.length > 0) this.#changed();
    this.#looking = setTimeout(() => void this.#look(), LOOK_EVERY_MS);
  }
}

function look(usage: TreeUsage, at: number, before: Look | undefined): Look {
  const { memoryBytes, cpuSeconds } = usage;
  const elapsed = before === undefined ? 0 : (at - before.at) / 1_000;
  const used = before === undefined ? 0 : Math.max(0, cpuSeconds - before.usage.cpuSeconds);
  return { at, usage, shown: { memoryBytes, cpuPercent: elapsed > 0 ? (100 * used) / elapsed : null } };
}
