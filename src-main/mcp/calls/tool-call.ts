import type { Client, Progress, RequestOptions } from '@modelcontextprotocol/client';
import { signInRemedy } from '../../../src-preload/contract/remedies.ts';
import { errorMessage } from '../../base/errors.ts';
import { grouped } from '../../base/text.ts';
import { FixableError } from '../../tools/contract.ts';
import { MAX_MESSAGE_BYTES, oversizedBytes } from '../messages/oversized-message.ts';
import { signInText } from '../status/server-problem.ts';
import { type Handshake, NO_SDK_TIMEOUT_MS } from '../transport/handshake.ts';
import { isScopeMissing, isSignIn } from '../transport/sdk-errors.ts';
import { CallClock, callTimeoutSeconds } from './call-clock.ts';
import { type CallResult, callResult } from './call-result.ts';
import type { CallHooks } from './running-calls.ts';
import { callAsTask, takesTasks } from './task-call.ts';
import type { ServerTool } from './tool-list.ts';

/** A parameter that the SDK sends as a header does not match the server's current schema. Source: SEP-2243. */
const HEADER_MISMATCH = -32_020;

/** The signal is aborted on Stop; the server is then notified (`notifications/cancelled`). */
export interface CallOptions extends CallHooks {
  /** The limit if there is no progress; see `callTimeoutSeconds`. */
  readonly timeoutSeconds: number;
  readonly onProgress?: (progress: Progress) => void;
}

/** Why a call has no result. */
export type CallProblem =
  | { readonly code: 'not_connected' }
  | { readonly code: 'needs_sign_in' }
  /** The sign-in granted too few scopes, and the user did not grant more. */
  | { readonly code: 'scope_missing' }
  | { readonly code: 'tool_unknown' }
  /** The tool's definition has changed since the decision. */
  | { readonly code: 'tool_changed' }
  | { readonly code: 'timed_out'; readonly seconds: number }
  | { readonly code: 'too_large'; readonly bytes: number }
  | { readonly code: 'connection_lost' }
  /** The server or the SDK reported it. */
  | { readonly code: 'protocol'; readonly reason: string };

export class CallFailure extends FixableError {
  override readonly name = 'CallFailure';
  readonly problem: CallProblem;

  constructor(problem: CallProblem, server: string, options?: ErrorOptions) {
    super(callProblemText(problem, server), {
      ...options,
      remedies: problem.code === 'needs_sign_in' ? [signInRemedy(server)] : [],
    });
    this.problem = problem;
  }
}

/** The problem for the model and for people. Source: tool catalogue C.1, C.5. */
function callProblemText(problem: CallProblem, server: string): string {
  switch (problem.code) {
    case 'not_connected':
      return `MCP server '${server}' is not connected`;
    case 'needs_sign_in':
      return signInText(server);
    case 'scope_missing':
      return `MCP server '${server}' needs more permissions than you granted when you signed in. ${signInText(server)}`;
    case 'tool_unknown':
      return `MCP server '${server}' no longer offers this tool`;
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
export function callTool(
  server: string,
  { client }: Pick<Handshake, 'client'>,
  tool: ServerTool,
  input: Readonly<Record<string, unknown>>,
  { timeoutSeconds, onProgress, onTask, ...options }: CallOptions,
): Promise<CallResult> {
  const seconds = callTimeoutSeconds({ input, inputSchema: tool.inputSchema, configured: timeoutSeconds });
  return timedRequest(server, client, { ...options, timeoutSeconds: seconds }, async (requestOptions, beginAnew) => {
    const onprogress = (progress: Progress) => {
      beginAnew();
      onProgress?.(progress);
    };
    const given = { ...requestOptions, onprogress };
    if (tool.taskSupport === 'required' && takesTasks(client))
      return callResult(await callAsTask(client, { name: tool.name, arguments: input }, { ...given, onTask }));
    return callResult(
      await client.callTool(
        { name: tool.name, arguments: { ...input } },
        // The SDK is not given the output schema, so that a mismatching result is still shown.
        { ...given, toolDefinition: { name: tool.name, inputSchema: { ...tool.inputSchema, type: 'object' } } },
      ),
    );
  });
}

/**
 * Sends any request to a server, under our own clock. `work` receives the options for the SDK and a function that
 * restarts the clock. Rejects with `CallFailure`, and on Stop with the signal's reason.
 */
export async function timedRequest<T>(
  server: string,
  client: Client,
  { timeoutSeconds: seconds, signal, onClock }: Omit<CallOptions, 'onProgress'>,
  work: (options: ServerRequestOptions, beginAnew: () => void) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const clock = new CallClock(seconds);
  onClock?.(clock);
  try {
    if (client.transport === undefined) throw new CallFailure({ code: 'not_connected' }, server);
    const options = { signal: AbortSignal.any([signal, clock.signal]), timeout: NO_SDK_TIMEOUT_MS };
    return await work(options, () => clock.beginAnew());
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CallFailure) throw error;
    if (clock.signal.aborted) throw new CallFailure({ code: 'timed_out', seconds }, server, { cause: error });
    throw new CallFailure(problemOf(error), server, { cause: error });
  } finally {
    clock.stop();
  }
}

/** The options for a request of the SDK. */
export type ServerRequestOptions = RequestOptions & { readonly signal: AbortSignal };

/** The tool's parameters have changed; the tools have to be listed again. */
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
