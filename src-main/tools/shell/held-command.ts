import type { Connections } from '../../../src-preload/contract/tool-card.ts';
import { TimeLimit } from '../../base/time-limit.ts';
import type { SandboxNetwork } from '../../sandbox/gate/network-gate.ts';
import type { ToolContext } from '../contract.ts';
import { type AllowedRun, outcomeOf, type RunIn, type RunResult } from './allowed-run.ts';
import { CommandConnections } from './command-connections.ts';
import { fetchedMark } from './command-report.ts';
import { afterWriting, asideLine, connectionsLine, heldToRun, toldOf, type WritableRoot } from './held-run.ts';

interface Inside {
  readonly inside: Exclude<RunIn, undefined>;
  readonly writable: WritableRoot | undefined;
}

/** Runs an allowed command in the sandbox, once no other one can change what it may open. */
export function runHeld(allowed: AllowedRun, { inside, writable }: Inside, context: ToolContext): Promise<RunResult> {
  const run =
    writable === undefined
      ? () => runInside(allowed, { inside, writable }, context)
      : () => runConnected(allowed, { inside, writable }, context);
  return afterWriting(run, { writes: writable !== undefined, signal: context.signal });
}

/** How long the command may run, and what it can reach meanwhile. */
interface Around {
  readonly network: SandboxNetwork | undefined;
  /** Its time begins. */
  readonly begin: () => AbortSignal;
}

async function runInside(
  allowed: AllowedRun,
  { inside, writable }: Inside,
  context: ToolContext,
  around?: Around,
): Promise<RunResult> {
  const { written, folder, timeoutMs } = allowed;
  const held = await heldToRun(written, folder, context, { writable, network: around?.network });
  const { entries, place, command, args, environment, limits } = held;
  const time = around === undefined ? { timeoutMs } : { timeIsUp: around.begin() };
  const outcome = await outcomeOf(allowed, { command, args, environment, limits, ...time }, context);
  const told = toldOf(outcome, inside, place);
  const putAside = await entries?.putAside();
  return { outcome, putAside, aside: putAside && asideLine(putAside), connections: undefined, ...told };
}

/** Runs one that can write a root, with a network in which the user is asked for each host. */
async function runConnected(
  allowed: AllowedRun,
  { inside, writable }: Inside & { readonly writable: WritableRoot },
  context: ToolContext,
): Promise<RunResult> {
  const { line, timeoutMs } = allowed;
  const { gates, http, conversationId, mark, isAccessAllowed, allowAccesses, signal } = context;
  let limit: TimeLimit | undefined;
  const connections = new CommandConnections({
    http,
    isAccessAllowed,
    allowAccesses,
    signal,
    line,
    folder: writable.root,
    whileAsking: (ask) => (limit === undefined ? ask() : limit.whileStopped(ask)),
    onReached: () => mark(fetchedMark(line)),
  });
  const begin = () => {
    limit = new TimeLimit(timeoutMs);
    return limit.signal;
  };
  const run = async (network: SandboxNetwork | undefined) => {
    try {
      return await runInside(allowed, { inside, writable }, context, { network, begin });
    } finally {
      limit?.stop();
      connections.end();
    }
  };
  const place = { conversationId, root: writable.root };
  const result = await gates.use(place, connections.connect.bind(connections), run);
  return withConnections(result, connections.outcome());
}

function withConnections(result: RunResult, connections: Connections): RunResult {
  if (connections.reached.length + connections.refused.length === 0) return result;
  const told = [result.note, connectionsLine(connections)].filter((each) => each !== undefined);
  return { ...result, connections, note: told.length === 0 ? undefined : told.join('\n') };
}
