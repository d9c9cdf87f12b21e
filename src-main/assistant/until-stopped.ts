import type { ToolResult } from '../tools/contract.ts';
import { INTERRUPTED_RESULT } from './history.ts';

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
