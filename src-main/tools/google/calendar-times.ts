import { ToolFailure } from '../contract.ts';

/** A time as a model writes it. If it has no offset, it is in the user's time zone. */
export type WrittenTime =
  | { readonly kind: 'date'; readonly date: string }
  | { readonly kind: 'time'; readonly local: string; readonly offset: string | undefined };

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** Returns `undefined` if the text is neither a date nor a time that exists. */
export function parseTime(text: string): WrittenTime | undefined {
  const written = text.trim();
  if (DATE.test(written)) return exists(written, '00:00:00') ? { kind: 'date', date: written } : undefined;
  const [, date = '', minutes = '', seconds = ':00', offset] = TIME.exec(written) ?? [];
  if (date === '' || !exists(date, `${minutes}${seconds}`)) return undefined;
  const time = { kind: 'time', local: `${date}T${minutes}${seconds}`, offset: offset && normalOffset(offset) } as const;
  // A number of more than a day is no offset.
  return Number.isNaN(momentOf(time).getTime()) ? undefined : time;
}

function exists(date: string, time: string): boolean {
  const parsed = new Date(`${date}T${time}Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(`${date}T${time}`);
}

function normalOffset(offset: string): string {
  if (/^z$/i.test(offset)) return 'Z';
  return offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`;
}

/** Returns the moment. That of a date is its midnight; a time that has no offset is in the user's time zone. */
export function momentOf(time: WrittenTime): Date {
  return new Date(time.kind === 'date' ? `${time.date}T00:00:00` : `${time.local}${time.offset ?? ''}`);
}

/**
 * Writes the time as RFC 3339 with its offset, the user's if none was written. Throws `ToolFailure` with the prefix.
 */
export function boundOf(name: string, text: string, prefix: string): string {
  const time = parseTime(text);
  if (time === undefined)
    throw new ToolFailure(`${prefix}${name} must be a date or time like 2026-03-01 or 2026-03-01T09:00, not ${text}`);
  if (time.kind === 'time' && time.offset !== undefined) return `${time.local}${time.offset}`;
  return withLocalOffset(momentOf(time));
}

/** Writes a moment in the user's time zone: `2026-03-01T00:00:00+01:00`. */
export function withLocalOffset(moment: Date): string {
  const minutes = -moment.getTimezoneOffset();
  const local = new Date(moment.getTime() + minutes * 60_000).toISOString().slice(0, 19);
  const sign = minutes < 0 ? '-' : '+';
  const of = (part: number) => String(Math.trunc(part)).padStart(2, '0');
  return `${local}${sign}${of(Math.abs(minutes) / 60)}:${of(Math.abs(minutes) % 60)}`;
}

/** Returns midnight of the user's day, some days later. */
export function startOfDay(now: Date, daysLater = 0): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + daysLater);
}

/** Returns the day after a date: `2026-03-01` for `2026-02-28`. */
export function dayAfter(date: string, days = 1): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}

/** Returns the IANA name of the user's time zone. */
export function userTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;

/**
 * Puts the days of an all-day event into words for the user: `Sunday 1 March 2026, all day`. `end` is the day after the
 * last one.
 */
export function daysInWords(start: string, end: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { ...DAY, timeZone: 'UTC' });
  const range = format.formatRange(new Date(`${start}T00:00:00Z`), new Date(`${dayAfter(end, -1)}T00:00:00Z`));
  return `${range}, all day`;
}

/**
 * Puts the time of an event into words for the user, in their time zone, with what was written if that was another one.
 */
export function timesInWords(start: WrittenTime, end: WrittenTime): string {
  const [from, to] = [momentOf(start), momentOf(end)];
  const format = new Intl.DateTimeFormat('en-GB', { ...DAY, hour: '2-digit', minute: '2-digit' });
  const range = to < from ? `${format.format(from)} – ${format.format(to)}` : format.formatRange(from, to);
  const written = [start, end].flatMap((each) =>
    each.kind === 'time' && each.offset !== undefined && isElsewhere(each.offset, momentOf(each))
      ? [`${each.local}${each.offset}`]
      : [],
  );
  const note = written.length === 0 ? '' : `\nWritten as ${written.join(' to ')}`;
  return `${range} (${userTimeZone()})${note}`;
}

function isElsewhere(offset: string, moment: Date): boolean {
  return withLocalOffset(moment).slice(19) !== (offset === 'Z' ? '+00:00' : offset);
}
