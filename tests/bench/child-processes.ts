import { type SpawnOptions, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** From the start of a process to its end. `expected`: its exit code. */
export async function msToExit(command: Command, expected = 0): Promise<number> {
  const startedAt = performance.now();
  const child = start(command, { stdio: ['ignore', 'ignore', 'pipe'] });
  let endedAt = startedAt;
  const complaints = child.stderr === null ? Promise.resolve('') : text(child.stderr);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode) => {
      endedAt = performance.now();
      resolve(exitCode);
    });
  });
  requireCode(command, code, expected, await complaints);
  return endedAt - startedAt;
}

/** From the start of a process to the first byte of its standard output. It has ended when this resolves. */
export async function msToFirstByte(command: Command): Promise<number> {
  const startedAt = performance.now();
  const child = start(command, { stdio: ['ignore', 'pipe', 'pipe'] });
  let firstByteAt: number | undefined;
  child.stdout?.on('data', () => {
    firstByteAt ??= performance.now();
  });
  const complaints = child.stderr === null ? Promise.resolve('') : text(child.stderr);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  requireCode(command, code, 0, await complaints);
  if (firstByteAt === undefined) throw new Error(`${shown(command)} printed nothing`);
  return firstByteAt - startedAt;
}

/** Standard output as text, all of it in memory, as a program that uses another one has it. */
export async function outputOf(command: Command): Promise<string> {
  const child = start(command, { stdio: ['ignore', 'pipe', 'pipe'] });
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('unreachable: both are pipes');
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [output, complaints, code] = await Promise.all([text(stdout), text(stderr), closed]);
  requireCode(command, code, 0, complaints);
  return output;
}

export interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** A program that prints its URL as its first line and ends with its standard input. */
export async function startServer(command: Command): Promise<Server> {
  const child = start(command, { stdio: ['pipe', 'pipe', 'inherit'] });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('unreachable: both are pipes');
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: stdout }).once('line', resolve);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${shown(command)} ended with ${code} before it said its URL`)));
  });
  return {
    url,
    stop: async () => {
      stdin.end();
      await exited;
    },
  };
}

function start({ program, args, cwd, env }: Command, options: SpawnOptions) {
  return spawn(program, [...args], { ...options, cwd, env, windowsHide: true });
}

function requireCode(command: Command, code: number | null, expected: number, complaints: string): void {
  if (code !== expected) throw new Error(`${shown(command)} ended with ${code}: ${complaints.slice(-2_000)}`);
}

function shown({ program, args }: Command): string {
  return [program, ...args].join(' ').slice(0, 200);
}
