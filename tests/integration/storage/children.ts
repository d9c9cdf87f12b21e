import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';

export const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));

export interface Child {
  readonly process: ChildProcess;
  /** The next line that the child prints. Undefined if it printed no more. */
  next(): Promise<Record<string, unknown> | undefined>;
  /** What it printed and `next` did not take, once it has ended. */
  rest(): Promise<Record<string, unknown>[]>;
  ended(): Promise<void>;
}

const running: ChildProcess[] = [];

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

export function startChild(args: string[], options: SpawnOptions & { file?: string } = {}): Child {
  const file = options.file ?? process.execPath;
  const child = spawn(file, options.file ? args : [CHILD, ...args], { stdio: ['pipe', 'pipe', 'inherit'], ...options });
  running.push(child);
  const closed = once(child, 'close');
  if (child.stdout === null) throw new Error('The child has no stdout.');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  async function next(): Promise<Record<string, unknown> | undefined> {
    const { value, done } = await lines.next();
    // A killed process may leave half a line: it did not say it.
    if (done) return undefined;
    try {
      return JSON.parse(value) as Record<string, unknown>;
    } catch {
      return next();
    }
  }
  return {
    process: child,
    next,
    rest: async () => {
      const all: Record<string, unknown>[] = [];
      for (let line = await next(); line !== undefined; line = await next()) all.push(line);
      await closed;
      return all;
    },
    ended: async () => {
      await closed;
    },
  };
}
