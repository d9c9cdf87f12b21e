const TICK_MS = 1;

/** The longest time for which nothing else could run on this thread. */
export interface LongestBlock {
  /** The time by the clock, which includes what the machine gave to others meanwhile. */
  readonly wallMs: number;
  /** What this thread itself computed between two ticks. */
  readonly cpuMs: number;
}

/** Watches the event loop with a timer that is due every millisecond. Gives what it saw when it is stopped. */
export function watchEventLoop(): { stop(): LongestBlock } {
  const longest = { wallMs: 0, cpuMs: 0 };
  let last = { at: performance.now(), cpuMs: threadCpuMs() };
  const look = () => {
    const now = { at: performance.now(), cpuMs: threadCpuMs() };
    longest.wallMs = Math.max(longest.wallMs, now.at - last.at - TICK_MS);
    longest.cpuMs = Math.max(longest.cpuMs, now.cpuMs - last.cpuMs);
    last = now;
  };
  let timer = setTimeout(function tick() {
    look();
    timer = setTimeout(tick, TICK_MS);
  }, TICK_MS);
  return {
    stop: () => {
      clearTimeout(timer);
      look();
      return longest;
    },
  };
}

/** Since Node 23.9; the types are those of Node 20. */
const { threadCpuUsage } = process as NodeJS.Process & { threadCpuUsage?: () => NodeJS.CpuUsage };

/** What this thread computes until the work is done, and whatever else is due meanwhile. */
export async function computed(work: () => Promise<unknown>): Promise<{ readonly cpuMs: number }> {
  const before = threadCpuMs();
  await work();
  return { cpuMs: threadCpuMs() - before };
}

function threadCpuMs(): number {
  if (threadCpuUsage === undefined) throw new Error(`process.threadCpuUsage is missing in Node ${process.version}`);
  const { user, system } = threadCpuUsage.call(process);
  return (user + system) / 1_000;
}
