/**
 * A day of the calendar, `2031-03-04`. Days are compared and counted as such, never as spans of 24 hours: one may have
 * 23 or 25 of them.
 */
export type Day = string;

/** The place by which times are shown. What is undefined is as the system is set up. */
export interface Place {
  readonly locale?: string | undefined;
  /** The IANA name of the time zone. */
  readonly timeZone?: string | undefined;
}

const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

export function isDay(text: string): boolean {
  return DATE.test(text);
}

/** The day on which this moment falls there. */
export function dayOf(moment: Date, { timeZone }: Place): Day {
  const parts = new Intl.DateTimeFormat('en', {
    calendar: 'gregory',
    numberingSystem: 'latn',
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(moment);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

/** The day's noon in UTC, for formats with `timeZone: 'UTC'`. */
export function atUtc(day: Day): Date {
  return new Date(`${day}T12:00:00Z`);
}

export function addDays(day: Day, count: number): Day {
  return new Date(atUtc(day).getTime() + count * DAY_MS).toISOString().slice(0, 10);
}

/** Days from one to the other; negative if the other is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((atUtc(to).getTime() - atUtc(from).getTime()) / DAY_MS);
}

/** `Tuesday, March 4`, with the year if it is not that of `today`. */
export function dayTitle(day: Day, today: Day, { locale }: Place): string {
  const year = day.slice(0, 4) === today.slice(0, 4) ? {} : ({ year: 'numeric' } as const);
  const format = { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC', ...year } as const;
  return new Intl.DateTimeFormat(locale, format).format(atUtc(day));
}

/** `today`, `tomorrow` or `yesterday` in the user's language; otherwise undefined. */
export function nearDay(day: Day, today: Day, { locale }: Place): string | undefined {
  const days = daysBetween(today, day);
  if (Math.abs(days) > 1) return undefined;
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day');
}
