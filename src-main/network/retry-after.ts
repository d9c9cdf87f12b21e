/**
 * How long a server wants to be left alone, by its `Retry-After` header. Source:
 * https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function retryAfterMs(header: string | null | undefined, now: number): number | undefined {
  const stated = header?.trim() ?? '';
  // The RFC allows whole seconds, but some services send fractions.
  if (/^\d+(\.\d+)?$/.test(stated)) return Number(stated) * 1_000;
  const date = Date.parse(stated);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
