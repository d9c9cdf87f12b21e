const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const NUMBER = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** The date of an ISO 8601 time. */
export function shownDate(iso: string): string {
  return DATE.format(new Date(iso));
}

export function shownDateTime(iso: string): string {
  return DATE_TIME.format(new Date(iso));
}

const AGO: Intl.RelativeTimeFormat = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
/** Further away, a date says more. */
const MAX_MS = 7 * 86_400_000;

/** An ISO 8601 time in words, such as `5 minutes ago` or `in 2 hours`, or its date if it is further away. */
export function shownMoment(iso: string, now: Date): string {
  const distance = Date.parse(iso) - now.getTime();
  if (Math.abs(distance) > MAX_MS) return shownDate(iso);
  const [unit, ms] = UNITS.find(([, each]) => Math.abs(distance) >= each) ?? ['second', 1_000];
  // Seconds would change while they are read.
  return unit === 'second' ? AGO.format(0, 'second') : AGO.format(Math.trunc(distance / ms), unit);
}

export function shownBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${NUMBER.format(bytes / 1_000)} kB`;
  if (bytes < 1_000_000_000) return `${NUMBER.format(bytes / 1_000_000)} MB`;
  return `${NUMBER.format(bytes / 1_000_000_000)} GB`;
}
