import type { Progress } from '@modelcontextprotocol/client';
import { errorMessage } from '../base/errors.ts';
import { grouped } from '../base/text.ts';
import { CallClock, callTimeoutSeconds } from './call-clock.ts';
import { type CallResult, callResult } from './call-result.ts';
import { type Handshake, NO_SDK_TIMEOUT_MS } from './handshake.ts';
import { MAX_MESSAGE_BYTES, oversizedBytes } from './oversized-message.ts';
import { isScopeMissing, isSignIn } from './sdk-errors.ts';
import { signInText } from './server-problem.ts';
import type { ServerTool } from './tool-list.ts';

/** A parameter that the SDK sends as a header did not match what the server expects now. Source: SEP-2243. */
const HEADER_MISMATCH = -32_020;

export interface CallOptions {
  /** Without a sign of progress; see `callTimeoutSeconds`. */
  readonly timeoutSeconds: number;
  /** Aborted on Stop: the server is told (`notifications/cancelled`). */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Given the clock, so that it can stand still while the call waits for a person. */
  readonly onClock?: (clock: Pick<CallClock, 'pause'>) => void;
}

/** Why a call has no result. */
export type CallProblem =
  | { readonly code: 'not_connected' }
  | { readonly code: 'needs_sign_in' }
  /** The person agreed to less at the sign-in, and did not agree to more now. */
  | { readonly code: 'scope_missing' }
  | { readonly code: 'tool_unknown' }
  /** The server says something else of it than what was decided on. */
  | { readonly code: 'tool_changed' }
  | { readonly code: 'timed_out'; readonly seconds: number }
  | { readonly code: 'too_large'; readonly bytes: number }
  | { readonly code: 'connection_lost' }
  /** The server (or the SDK) said so. */
  | { readonly code: 'protocol'; readonly reason: string };

export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  readonly problem: CallProblem;

  constructor(problem: CallProblem, server: string, options?: ErrorOptions) {
    super(callProblemText(problem, server), options);
    this.problem = problem;
  }
}

/** For the model and for people. Source: tool catalogue C.1, C.5. */
function callProblemText(problem: CallProblem, server: string): string {
  switch (problem.code) {
    case 'not_connected':
      return `MCP server '${server}' is not connected`;
    case 'needs_sign_in':
      return signInText(server);
    case 'scope_missing':
      return `MCP server '${server}' does this only with more rights than you gave Steward when you signed in. ${signInText(server)}`;
    case 'tool_unknown':
      return `MCP server '${server}' does not offer this tool any more`;
    case 'tool_changed':
      return `MCP server '${server}' has changed this tool. It is left out until the change has been reviewed.`;
    case 'timed_out':
      return `MCP server '${server}' did not answer within ${problem.seconds} seconds`;
    case 'too_large':
      return `The answer is too large (${grouped(problem.bytes)} bytes, max ${grouped(MAX_MESSAGE_BYTES)} bytes)`;
    case 'connection_lost':
      return `The connection to MCP server '${server}' was lost`;
    case 'protocol':
      return problem.reason;
  }
}

/** Rejects with `CallFailure`, and on Stop with the signal's reason. */
export async function callTool(
  server: string,
  { client }: Pick<Handshake, 'client'>,
  tool: ServerTool,
  input: Readonly<Record<string, unknown>>,
  { timeoutSeconds, signal, onProgress, onClock }: CallOptions,
): Promise<CallResult> {
  signal.throwIfAborted();
  const seconds = callTimeoutSeconds(input, timeoutSeconds);
  const clock = new CallClock(seconds);
  onClock?.(clock);
  const call = () =>
    client.callTool(
      { name: tool.name, arguments: { ...input } },
      {
        signal: AbortSignal.any([signal, clock.signal]),
        timeout: NO_SDK_TIMEOUT_MS,
        // Without its output schema: what does not match that is shown as it came.
        toolDefinition: { name: tool.name, inputSchema: { ...tool.inputSchema, type: 'object' } },
        onprogress: (progress) => {
          clock.beginAnew();
          onProgress?.(progress);
        },
      },
    );
  try {
    return callResult(await call());
  } catch (error) {
    signal.throwIfAborted();
    if (clock.signal.aborted) throw new CallFailure({ code: 'timed_out', seconds }, server, { cause: error });
    throw new CallFailure(problemOf(error), server, { cause: error });
  } finally {
    clock.stop();
  }
}

/** The server's parameters have changed; its tools have to be listed again. */
export function isHeaderMismatch(error: unknown): boolean {
  const cause = error instanceof CallFailure ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === HEADER_MISMATCH;
}

function problemOf(error: unknown): CallFailure['problem'] {
  if (isScopeMissing(error)) return { code: 'scope_missing' };
  if (isSignIn(error)) return { code: 'needs_sign_in' };
  const bytes = oversizedBytes(error);
  if (bytes !== undefined) return { code: 'too_large', bytes };
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'CONNECTION_CLOSED') return { code: 'connection_lost' };
  if (code === 'NOT_CONNECTED') return { code: 'not_connected' };
  return { code: 'protocol', reason: errorMessage(error) };
}
