import { existsSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { isRecord } from '../../../src-main/base/json.ts';

const PROXY = fileURLToPath(new URL('proxy.mjs', import.meta.url));
/** On a busy machine some take a minute. */
const START_MS = 120_000;
const CALL_MS = 20_000;

/** How a server is started. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface OfficialCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The same program behind a proxy that writes every line to `log`. */
export function logged({ command, args, env }: Program, log: string): Program {
  return { command: process.execPath, args: [PROXY, log, command, ...args], env };
}

/** A tool as a server wrote it; nothing is sure of it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly annotations?: { readonly readOnlyHint?: boolean };
}

export interface Listing {
  readonly tools: readonly ListedTool[];
  /** The official client takes none of them. */
  readonly isRefused: boolean;
  /** What the server wrote, before any client read it: a JSON array. */
  readonly verbatim: string;
}

/** What a server lists. Rejects if it doesn't start or doesn't answer. */
export async function officialListing(program: Program, log: string): Promise<Listing> {
  rmSync(log, { force: true });
  return withClient(logged(program, log), async (client) => {
    let isRefused = false;
    let cursor: string | undefined;
    try {
      do {
        const page = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: START_MS });
        cursor = page.nextCursor;
      } while (cursor !== undefined);
    } catch (error) {
      if (listedIn(log).length === 0) throw error;
      isRefused = true;
    }
    const tools = listedIn(log);
    return { tools, isRefused, verbatim: JSON.stringify(tools) };
  });
}

/** Whether each call failed, by the official client. */
export async function officialCalls(program: Program, calls: readonly OfficialCall[]): Promise<readonly boolean[]> {
  return withClient(program, async (client) => {
    const failures: boolean[] = [];
    for (const { tool, input } of calls) {
      const result = await client
        .callTool({ name: tool, arguments: { ...input } }, { timeout: CALL_MS })
        .catch(() => ({ isError: true }));
      failures.push(result.isError === true);
    }
    return failures;
  });
}

async function withClient<T>({ command, args, env }: Program, work: (client: Client) => Promise<T>): Promise<T> {
  const transport = new StdioClientTransport({ command, args: [...args], env: { ...env }, stderr: 'pipe' });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-4_000);
  });
  const client = new Client({ name: 'official', version: '1.0.0' });
  try {
    await client.connect(transport, { timeout: START_MS });
    return await work(client);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}${lastLine(said)}`, { cause: error });
  } finally {
    await client.close();
  }
}

function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => /error|require|missing|must|cannot/i.test(line));
  const line = lines.at(-1)?.trim();
  return line === undefined ? '' : ` (${line.slice(0, 200)})`;
}

/** All pages joined, as the server wrote them. */
function listedIn(log: string): readonly ListedTool[] {
  return linesTo('client', log).flatMap((line) => {
    const { result } = parsed(line);
    return isRecord(result) && Array.isArray(result.tools) ? result.tools : [];
  });
}

/** What was sent to one side, line by line. */
export function linesTo(side: 'server' | 'client', log: string): readonly string[] {
  return linesIn(log).flatMap((entry) => {
    const { to, line } = JSON.parse(entry);
    return to === side ? [line] : [];
  });
}

export function linesIn(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    const message: unknown = JSON.parse(line);
    return isRecord(message) ? message : {};
  } catch {
    // A server may write anything to its output.
    return {};
  }
}
