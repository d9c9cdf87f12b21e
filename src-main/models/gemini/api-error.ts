import { list, record, text } from '../transport/answer-fields.ts';
import { ReportedError } from '../transport/error-shape.ts';

/**
 * Adds to an error of the service what Google's error model says of it (https://google.aip.dev/193), in the places
 * where errors of other services have it: the wait stated in its details becomes a header, and the reason becomes the
 * code. Anything else is returned unchanged.
 */
export function withDetails(thrown: unknown): unknown {
  if (!(thrown instanceof ReportedError)) return thrown;
  // A gateway may answer a stream with an array.
  const body = record(Array.isArray(thrown.error) ? thrown.error[0] : thrown.error);
  const { code: status, message, status: type, details: found } = record(body.error ?? body);
  const details = list(found).map(record);
  const delay = /^(\d+(?:\.\d+)?)s$/.exec(text(details.find(({ retryDelay }) => retryDelay)?.retryDelay) ?? '')?.[1];
  const headers = new Headers(thrown.headers);
  if (delay !== undefined) headers.set('retry-after', delay);
  // A daily quota does not become free again within any wait of ours.
  if (details.some(isDailyQuota)) headers.set('x-should-retry', 'false');
  const code = details.find(({ reason }) => reason)?.reason;
  const stated = typeof status === 'number' ? status : undefined;
  return new ReportedError({ message, type, code }, { status: thrown.status ?? stated, headers }, thrown.message);
}

function isDailyQuota({ violations }: Readonly<Record<string, unknown>>): boolean {
  return list(violations).some((each) => /PerDay/i.test(text(record(each).quotaId) ?? ''));
}
