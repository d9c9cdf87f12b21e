import { ModelError, type ModelRequest, type ModelStreamEvent } from '../provider.ts';
import type { RefusedMedia } from './refused-media.ts';
import type { RefusedTools } from './refused-tools.ts';
import type { RequestFailure } from './request-failure.ts';
import { abortableSleep, retryWaitMs } from './retry.ts';

/** How often and how fast a provider repeats a request; tests replace the clock. */
export interface AttemptOptions {
  /** The number of retries; 4 by default. */
  readonly maxRetries?: number;
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** A number in [0, 1). */
  readonly random?: () => number;
}

export interface Attempts extends AttemptOptions {
  readonly request: ModelRequest;
  /** The tools that the service is known to refuse. The attempts add to them. */
  readonly refusedTools: RefusedTools;
  readonly refusedMedia: RefusedMedia;
  /** Makes one exchange with what is left of the request. Returns why it failed, or `undefined` if it succeeded. */
  readonly attempt: (request: ModelRequest) => AsyncGenerator<ModelStreamEvent, RequestFailure | undefined>;
  /** Returns true if the next request will leave out what the service refused. It is then sent at once. */
  readonly adapt: (failure: RequestFailure) => boolean;
}

/**
 * The most calls in one message. Models make a few dozen; running thousands, one after the other, could not be stopped
 * within a second.
 */
const MAX_CALLS = 500;

function tooManyCalls(): ModelError {
  return new ModelError('bad_answer', `The model made more than ${MAX_CALLS} tool calls in one message. Try again.`);
}

/**
 * Repeats a request until it succeeds or repeating is pointless. Once a part of the answer was emitted, the request
 * can't be repeated unnoticed, and its failure is thrown. Throws `ModelError`, or the signal's reason.
 */
export async function* withRetries(attempts: Attempts): AsyncGenerator<ModelStreamEvent> {
  const {
    request,
    refusedTools,
    refusedMedia,
    maxRetries = 4,
    sleep = abortableSleep,
    random = Math.random,
  } = attempts;
  const { signal } = request;
  const announced = { tools: 0, files: 0 };
  /** Each undoes what was learned from this request about refused files. */
  const unlearn: (() => void)[] = [];
  let calls = 0;
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    const { accepted, refused } = refusedTools.split(request.tools);
    const { messages, leftOut } = refusedMedia.without(request);
    if (leftOut !== undefined && leftOut.names.length > announced.files) {
      announced.files = leftOut.names.length;
      yield leftOut;
    }
    if (refused.length > announced.tools) {
      announced.tools = refused.length;
      yield { type: 'left_out', reason: 'refused', names: refused };
    }
    let hasYielded = false;
    let failure: RequestFailure | undefined;
    const events = attempts.attempt({ ...request, tools: accepted, messages });
    try {
      for (;;) {
        const next = await events.next();
        if (next.done) {
          failure = next.value;
          break;
        }
        hasYielded ||= next.value.type !== 'left_out';
        if (next.value.type === 'block' && next.value.block.type === 'tool_use') calls++;
        if (calls > MAX_CALLS) throw tooManyCalls();
        yield next.value;
      }
    } finally {
      // The consumer may have stopped listening: the exchange has to end with it.
      await events.return(undefined);
    }
    if (failure === undefined) return;
    signal.throwIfAborted();
    if (hasYielded) throw failure.error;

    // The order matters: what is said of a tool may contain the word for a file, such as the name of its parameter.
    const refusesTools = refusedTools.add(failure, accepted);
    const forget = refusesTools ? undefined : refusedMedia.add(request, failure, unlearn.length > 0);
    if (forget !== undefined) unlearn.push(forget);
    const isAdapted = refusesTools || forget !== undefined || attempts.adapt(failure);
    const waitMs = isAdapted ? 0 : retryWaitMs(failure, attempt, maxRetries, random);
    if (waitMs === undefined) {
      // The files were not the reason, so later messages have them again.
      if (failure.refusedMedia !== undefined) for (const take of unlearn) take();
      throw failure.error;
    }
    yield { type: 'retry', attempt, most: maxRetries, waitMs, error: failure.error };
    signal.throwIfAborted();
    if (waitMs > 0) await sleep(waitMs, signal);
  }
}

/** The error for an answer that ended with nothing in it. */
export function emptyAnswer(): ModelError {
  return new ModelError('bad_answer', 'The service sent an empty answer. Check the base URL, then try again.');
}
