import type { CalledBy, CallOutcome, EventOf, Mark } from '../../src-preload/contract/events.ts';
import type { ToolCard } from '../../src-preload/contract/tool-card.ts';
import type { KnownSecrets } from '../secrets/known-secrets.ts';
import type { Tool, ToolResult } from '../tools/contract.ts';
import { resultForModel } from '../tools/registry/result-cap.ts';
import { INTERRUPTED_RESULT } from './history.ts';

/** The data of a result besides its text. */
export interface ResultDetails {
  readonly marks?: readonly Mark[];
  readonly elapsedMs?: number;
  /** Exit code of a finished command. */
  readonly exitCode?: number | undefined;
  readonly card?: ToolCard | undefined;
  /** Without this, the outcome follows from `isError`. */
  readonly outcome?: CallOutcome;
  readonly changed?: readonly string[] | undefined;
  /** Addresses it found, as URL fields or links. */
  readonly links?: readonly string[];
  /** See the event. */
  readonly linksFrom?: readonly string[];
  /** Wire names of the tools that `find_tools` found. */
  readonly foundTools?: readonly string[];
  /** Real paths of the files that it was allowed to read. */
  readonly readFiles?: readonly string[];
}

/** All results pass through this; it removes known secrets. */
export function resultEvent(
  { id, tool, calledBy }: { readonly id: string; readonly tool: Tool | undefined; readonly calledBy: CalledBy },
  result: ToolResult,
  {
    elapsedMs,
    outcome = result.outcome,
    exitCode,
    changed = [],
    links = [],
    linksFrom = [],
    readFiles,
    foundTools,
    ...details
  }: ResultDetails,
  { knownSecrets, maxResultChars }: { readonly knownSecrets: KnownSecrets; readonly maxResultChars: number },
): EventOf<'tool_result'> {
  const { isError } = result;
  const text = knownSecrets.redact(result.text, readFiles);
  const { card, marks } = knownSecrets.redactIn({ card: details.card, marks: details.marks ?? [] }, readFiles);
  // The bytes of a picture or sound contain no readable secret, and must not be changed.
  const parts = result.parts?.map((part) =>
    part.type === 'text' ? { ...part, text: knownSecrets.redact(part.text, readFiles) } : part,
  );
  const modelText = resultForModel(text, {
    toolName: tool?.name ?? 'unknown tool',
    maxChars: maxResultChars,
    hasOwnResultCap: tool?.hasOwnResultCap,
  });
  return {
    type: 'tool_result',
    id,
    calledBy,
    outcome: outcome ?? (isError ? 'failed' : 'completed'),
    ...(exitCode === undefined ? {} : { exitCode }),
    text,
    ...(parts === undefined ? {} : { parts }),
    isError,
    ...(modelText === text ? {} : { modelText }),
    ...(marks.length === 0 ? {} : { marks }),
    ...(elapsedMs === undefined ? {} : { elapsedMs }),
    ...(card === undefined ? {} : { card }),
    ...(links.length === 0 ? {} : { links }),
    ...(links.length === 0 || linksFrom.length === 0 ? {} : { linksFrom }),
    ...(changed.length === 0 ? {} : { changed }),
    ...(foundTools === undefined ? {} : { foundTools }),
    ...(result.remedies === undefined ? {} : { remedies: result.remedies }),
  };
}

/** How long a stopped call may take to return its partial result; a process tree is killed within two seconds. */
const STOP_GRACE_MS = 2_500;

/** A tool that ignores Stop must not delay the turn. */
export async function untilStopped(result: Promise<ToolResult>, signal: AbortSignal): Promise<ToolResult> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const grace = new Promise<ToolResult>((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => resolve({ text: INTERRUPTED_RESULT, isError: true, outcome: 'stopped' }), STOP_GRACE_MS);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([result, grace]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
    clearTimeout(timer);
  }
}
