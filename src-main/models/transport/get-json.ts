import { accepted } from './error-shape.ts';
import { failureOf } from './failures.ts';
import { guardFetch } from './guarded-fetch.ts';
import type { Service } from './service.ts';

/** Within this time a list must arrive, because a user waits for it. */
const ANSWER_WITHIN_MS = 20_000;
const MAX_BYTES = 16 * 1024 * 1024;

export interface JsonRequest {
  readonly url: string;
  readonly service: Service;
  readonly key: string | undefined;
  /** The headers of the request, including the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
}

/** Makes one GET request without repeats. Throws `ModelError`, or the signal's reason. */
export async function getJson({ url, service, key, headers, fetch: ownFetch, signal }: JsonRequest): Promise<unknown> {
  signal.throwIfAborted();
  const guarded = guardFetch({ fetch: ownFetch, service, idleMs: ANSWER_WITHIN_MS, maxBytes: MAX_BYTES, headers });
  try {
    const response = await accepted(guarded(url, { signal, headers: { accept: 'application/json' } }));
    return JSON.parse(await response.text());
  } catch (thrown) {
    signal.throwIfAborted();
    throw failureOf(thrown, { service, model: '', key, now: Date.now }).error;
  }
}
