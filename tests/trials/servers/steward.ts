import { text } from 'node:stream/consumers';
import { parse, stringify } from 'lossless-json';
import { isRecord } from '../../../src-main/base/json.ts';
import { wireNameOf } from '../../../src-main/tools/registry/wire-names.ts';
import { type AskRig, askRig } from '../../fixtures/ask.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import type { Call } from './compared.ts';
import type { Program } from './official.ts';

/** Calls in one answer of the model. */
const CALLS_A_ROUND = 20;
const RUN_MS = 240_000;

export interface AskedCall extends Call {
  readonly server: string;
}

export interface AnsweredCall {
  /** What the event `tool_call` showed; absent: there was none. */
  readonly shown?: unknown;
  readonly text: string;
  readonly isError: boolean;
}

export interface StewardRun {
  /** All tools that the first request defined, in wire form. */
  readonly offered: readonly { readonly name: string; readonly description: string; readonly inputSchema: unknown }[];
  /** In the order of the calls. */
  readonly answers: readonly AnsweredCall[];
}

/**
 * What `ask --approve all` does with these servers when a model makes these calls: a real process with a profile of its
 * own, whose model is a script behind the Messages API.
 */
export async function askWith(
  programs: Readonly<Record<string, Program>>,
  calls: readonly AskedCall[],
): Promise<StewardRun> {
  const rounds = Array.from({ length: Math.ceil(calls.length / CALLS_A_ROUND) }, (_, index) =>
    calls.slice(index * CALLS_A_ROUND, (index + 1) * CALLS_A_ROUND).map(({ server, tool, input }, within) => ({
      type: 'tool_use' as const,
      id: idOf(index * CALLS_A_ROUND + within),
      name: wireNameOf(`${server}__${tool}`),
      rawInput: stringify(input) ?? '{}',
    })),
  );
  const api = await startMessagesApi({ turns: [...rounds.map((blocks) => ({ blocks })), { text: 'Done.' }] });
  const mcpServers = Object.fromEntries(
    Object.entries(programs).map(([name, program]) => [name, { ...program, timeoutSeconds: 20, roots: false }]),
  );
  const rig = askRig({ api: api.url, config: { mcpServers, limits: { rounds: rounds.length + 5 } } });
  try {
    // Waits for every server, and keeps its list.
    await ask(rig, ['/tools list']);
    const events = (await ask(rig, ['--json', 'Go on.']))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => parse(line))
      .filter(isRecord);
    const [first] = api.requests;
    return { offered: offeredIn(first?.body), answers: calls.map((_, index) => answerIn(events, idOf(index))) };
  } finally {
    await api.close();
  }
}

async function ask(rig: AskRig, args: readonly string[]): Promise<string> {
  const child = await rig.start(['--approve', 'all', ...args]);
  child.stdin.end();
  const end = setTimeout(() => child.kill('SIGKILL'), RUN_MS);
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [printed, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  clearTimeout(end);
  if ((await code) !== 0) throw new Error(`ask ended with ${await code}: ${said.trim().slice(-500)}`);
  return printed;
}

const idOf = (index: number) => `call_${index}`;

function offeredIn(body: unknown): StewardRun['offered'] {
  const tools = isRecord(body) && Array.isArray(body.tools) ? body.tools : [];
  return tools.filter(isRecord).map(({ name, description, input_schema }) => ({
    name: String(name),
    description: String(description),
    inputSchema: input_schema,
  }));
}

function answerIn(events: readonly Readonly<Record<string, unknown>>[], id: string): AnsweredCall {
  const of = (type: string) => events.find((event) => event.type === type && event.id === id);
  const shown = of('tool_call');
  const result = of('tool_result');
  return {
    ...(shown === undefined ? {} : { shown: shown.input }),
    text: String(result?.text ?? 'no result'),
    isError: result?.isError !== false,
  };
}

/** The calls that a program's log holds, one JSON-RPC request a line. */
export function receivedCalls(lines: Iterable<string>): readonly Call[] {
  return [...lines].flatMap((line) => {
    const message = parse(line);
    if (!isRecord(message) || message.method !== 'tools/call' || !isRecord(message.params)) return [];
    const { name, arguments: input } = message.params;
    return [{ tool: String(name), input }];
  });
}

/** Every number as a `LosslessNumber`, as after `parse`. */
export function asParsed(value: unknown): unknown {
  return parse(stringify(value) ?? 'null');
}
