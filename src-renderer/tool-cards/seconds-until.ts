/**
 * Whole seconds from `now` (ms since 1970) until `dueAt` (ISO 8601), rounded up; 0: it is over, or there is no time.
 */
export function secondsUntil(dueAt: string | undefined, now: number): number {
  const ms = Date.parse(dueAt ?? '') - now;
  return Number.isNaN(ms) ? 0 : Math.max(0, Math.ceil(ms / 1000));
}
