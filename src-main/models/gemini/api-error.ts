import { isRecord } from '../../base/json.ts';
import { list, record, text } from '../transport/answer-fields.ts';

/**
 * An error of the service, with what Google's error model says of it (https://google.aip.dev/193), in the shape in
 * which errors of services are read. `headers` has the wait that the details state, which is where Google puts it.
 */
export class GeminiApiError extends Error {
  override readonly name = 'GeminiApiError';
  readonly status: number | undefined;
  readonly headers: Headers;
  readonly error: Readonly<Record<string, unknown>> | undefined;

  /** `body`: as received; HTML of a proxy becomes the message. */
  constructor(status: number | undefined, headers: Headers, body: string) {
    const found = errorIn(body);
    super(found === undefined ? body : String(found.message ?? ''));
    const details = list(found?.details).map(record);
    const delay = /^(\d+(?:\.\d+)?)s$/.exec(text(details.find(({ retryDelay }) => retryDelay)?.retryDelay) ?? '')?.[1];
    this.status = status;
    this.headers = new Headers(headers);
    if (delay !== undefined) this.headers.set('retry-after', delay);
    // A quota of a day is not free again within any wait.
    if (details.some(isDailyQuota)) this.headers.set('x-should-retry', 'false');
    this.error =
      found === undefined
        ? undefined
        : { message: found.message, type: found.status, code: details.find(({ reason }) => reason)?.reason };
  }
}

function isDailyQuota({ violations }: Readonly<Record<string, unknown>>): boolean {
  return list(violations).some((each) => /PerDay/i.test(text(record(each).quotaId) ?? ''));
}

/** Through this fetch, an error keeps its status, headers and details; the SDK passes on only its text. */
export function fetchWithErrors(guarded: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await guarded(input, init);
    if (response.ok) return response;
    throw new GeminiApiError(response.status, response.headers, await response.text());
  };
}

/**
 * What the SDK throws for an error inside a stream, whose text ends with the JSON of the error; anything else
 * unchanged.
 */
export function withDetails(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown.name !== 'ApiError') return thrown;
  const status = Reflect.get(thrown, 'status');
  const json = thrown.message.slice(Math.max(0, thrown.message.indexOf('{')));
  return new GeminiApiError(typeof status === 'number' ? status : undefined, new Headers(), json);
}

function errorIn(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    // A gateway may answer a stream with an array.
    const { error } = record(Array.isArray(parsed) ? parsed[0] : parsed);
    return isRecord(error) ? error : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
