import { randomUUID } from 'node:crypto';
import type { LimitFunction } from 'p-limit';
import type { Mark } from '../../src-preload/contract/events.ts';
import { isMarkedBoth, type OutsideArrival } from '../policy/accesses/verdict.ts';
import type { AskedBy } from '../policy/gate-call.ts';
import type { KnownAddresses } from '../policy/known-addresses.ts';
import { eachOnce } from '../policy/mark-sources.ts';
import { type ModelQuestion, type Tool, ToolFailure } from '../tools/contract.ts';
import type { Toolset } from '../tools/registry/toolset.ts';
import { withoutTools } from '../tools/registry/without-tools.ts';
import type { RequestedCall } from './bounded-call.ts';
import type { ConversationLog } from './conversation-log.ts';
import type { PathLocks } from './path-locks.ts';
import { type AskedModels, SubTurn } from './sub-turn.ts';

/** What the policy knew about the conversation when the model made its calls, without their results. */
export interface KnownContext extends KnownAddresses {
  readonly marks: readonly Mark[];
  /**
   * See `PolicyInput`. It is not known of calls that another model makes, because what they read is not in the
   * conversation yet.
   */
  readonly outside?: readonly OutsideArrival[] | undefined;
}

/** Shared by the calls of one message and those inside them. */
export interface SharedByCalls {
  /**
   * The slots of calls inside calls. They are separate, so that a call that waits for those inside it can never keep
   * them from running.
   */
  readonly nestedSlots: LimitFunction;
  readonly locks: PathLocks;
}

/** What ties the calls of an asked model to the call that asked it. */
export interface NestedIn {
  readonly callId: string;
  readonly askedBy: AskedBy;
  /** What the policy knew when that call was made, and what the asked model has read since. */
  readonly known: () => KnownContext;
  readonly shared: SharedByCalls;
}

/** The call that asks, and what its model's calls run with. */
export interface Asking {
  readonly id: string;
  readonly tool: Tool;
  readonly known: KnownContext;
  /** Marks of the call's result. Whatever its model reads is added, because its answer may repeat any of it. */
  readonly marks: Mark[];
  /** Undefined if no model can be asked here. */
  readonly models: AskedModels | undefined;
  readonly tools: Toolset;
  readonly log: ConversationLog;
  readonly shared: SharedByCalls;
  readonly signal: AbortSignal;
  /**
   * Decides about the call's accesses once more, with what is known now. Rejects with a `ToolFailure` if they are not
   * allowed.
   */
  readonly authorize: (known: KnownContext) => Promise<void>;
  readonly run: (calls: readonly RequestedCall[], tools: Toolset, nestedIn: NestedIn) => Promise<void>;
}

/**
 * Asks another model. The calls that it makes are decided like all others, with what it has read so far; and so is the
 * question itself, again, once that is both private and from outside. Rejects like `SubTurn`.
 */
export async function answerOf(question: ModelQuestion, asking: Asking): Promise<string> {
  const { id, tool, known, marks, models, log, shared, signal } = asking;
  if (models === undefined || !asking.tools.asksModel(tool))
    throw new ToolFailure('Error: No other model can be asked here.');
  const tools = withoutTools(asking.tools, (each) => asking.tools.asksModel(each));
  const now = (): KnownContext => {
    // Adds what the calls inside have found; the count of followed links is shared with this call and those beside it.
    log.addresses();
    return { ...known, outside: undefined, marks: eachOnce([...known.marks, ...marks]) };
  };
  let isDecidedWithBoth = isMarkedBoth(known);
  const allowSending = async () => {
    const current = now();
    if (isDecidedWithBoth || !isMarkedBoth(current)) return;
    await asking.authorize(current);
    isDecidedWithBoth = true;
  };
  const nestedIn = { callId: id, askedBy: { provider: question.provider, tool: tool.name }, known: now, shared };
  const subTurn = new SubTurn(question, {
    models,
    tools,
    signal,
    allowSending,
    newCallId: () => `inside_${randomUUID().replaceAll('-', '')}`,
    record: (event) => log.append(event.type === 'usage' ? { ...event, inside: id } : event),
    runCalls: async (calls) => {
      await asking.run(calls, tools, nestedIn);
      const results = log.resultsOf(calls.map((call) => call.id));
      marks.push(...results.flatMap((result) => result?.marks ?? []));
      return results;
    },
  });
  return subTurn.answer();
}
