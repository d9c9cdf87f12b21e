import type { AgendaEvent, CalendarTime } from '../../src-preload/contract/tool-card.ts';
import { addDays, atUtc, type Day, dayOf, daysBetween, dayTitle, isDay, nearDay, type Place } from './calendar-days.ts';

/** An event on one of its days. */
export interface AgendaRow {
  readonly event: AgendaEvent;
  /** `9:00 – 9:45 AM`, `All day`, `until 2:00 AM`. */
  readonly time: string;
  /** The day of the event, such as `day 2 of 4`. Empty if it takes one day. */
  readonly part: string;
  readonly isCancelled: boolean;
}

export interface AgendaDay {
  readonly day: Day;
  /** `Tuesday, March 4`. */
  readonly title: string;
  /** `today`, `tomorrow` or `yesterday`; empty for any other day. */
  readonly near: string;
  readonly rows: readonly AgendaRow[];
}

interface Span {
  readonly event: AgendaEvent;
  readonly first: Day;
  readonly last: Day;
}

/**
 * Events by day, in order. An event that takes several days is shown on its first one, and again on each later one that
 * has a heading anyway. Events whose times can't be read come last, under no day (`day` and `title` empty).
 */
export function agendaDays(events: readonly AgendaEvent[], now: Date, place: Place = {}): readonly AgendaDay[] {
  const spans = events.map((event) => spanOf(event, place));
  const known = spans.filter((span) => span !== undefined);
  const today = dayOf(now, place);
  const days = [...new Set(known.map(({ first }) => first))].sort();
  const shown = days.map((day) => {
    const rows = known
      .filter(({ first, last }) => first <= day && day <= last)
      // What takes the whole day comes first, as in every calendar; the rest stays in the order of its start.
      .sort((a, b) => Number(takesDay(b, day)) - Number(takesDay(a, day)))
      .map((span) => rowOf(span, day, place));
    return { day, title: dayTitle(day, today, place), near: nearDay(day, today, place) ?? '', rows };
  });
  const unknown = events.filter((_event, index) => spans[index] === undefined);
  if (unknown.length === 0) return shown;
  const rows = unknown.map((event) => ({ event, time: event.start, part: '', isCancelled: isCancelled(event) }));
  return [...shown, { day: '', title: '', near: '', rows }];
}

export function isCancelled({ status }: Pick<AgendaEvent, 'status'>): boolean {
  return status === 'cancelled';
}

/** When an event takes place, in full: `Tuesday, March 4, 2031, 9:00 – 9:45 AM`. */
export function wholeTime({ start, end }: Pick<AgendaEvent, 'start' | 'end'>, place: Place = {}): string {
  const { locale, timeZone } = place;
  if (isDay(start)) {
    const format = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' });
    return format.formatRange(atUtc(start), atUtc(lastDay(start, end)));
  }
  const [from, to] = [momentOf(start), momentOf(end)];
  if (from === undefined) return start;
  const zone = to !== undefined && changesClock(from, to, place) ? ({ timeZoneName: 'short' } as const) : {};
  const format = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    timeZone,
    ...CLOCK,
    ...zone,
  });
  if (to === undefined || to <= from) return format.format(from);
  if (changesClock(from, to, place)) return `${format.format(from)} – ${timeText(to, place, zone)}`;
  return format.formatRange(from, to);
}

/**
 * The name of the user's time zone at that moment: `Central European Summer Time`; empty for an event without times.
 */
export function zoneName({ start }: Pick<AgendaEvent, 'start'>, { locale, timeZone }: Place = {}): string {
  const from = isDay(start) ? undefined : momentOf(start);
  if (from === undefined) return '';
  return zoneIn(new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'long' }), from);
}

function spanOf(event: AgendaEvent, place: Place): Span | undefined {
  const { start, end } = event;
  if (isDay(start)) return { event, first: start, last: lastDay(start, end) };
  const from = momentOf(start);
  if (from === undefined) return undefined;
  const first = dayOf(from, place);
  const to = momentOf(end);
  // An event that ends at midnight does not take the next day.
  const last = to === undefined || to <= from ? first : dayOf(new Date(to.getTime() - 1), place);
  return { event, first, last };
}

function rowOf({ event, first, last }: Span, day: Day, place: Place): AgendaRow {
  const days = daysBetween(first, last) + 1;
  return {
    event,
    time: dayTime({ event, first, last }, day, place),
    part: days === 1 ? '' : `day ${daysBetween(first, day) + 1} of ${days}`,
    isCancelled: isCancelled(event),
  };
}

function dayTime({ event, first, last }: Span, day: Day, place: Place): string {
  const from = isDay(event.start) ? undefined : momentOf(event.start);
  if (from === undefined) return ALL_DAY;
  const to = momentOf(event.end);
  if (to === undefined || to <= from) return timeText(from, place);
  if (first === last) return timeRange(from, to, place);
  if (day === first) return `from ${timeText(from, place)}`;
  return day === last ? `until ${timeText(to, place)}` : ALL_DAY;
}

const ALL_DAY = 'All day';

function takesDay({ event, first, last }: Span, day: Day): boolean {
  return isDay(event.start) || (first < day && day < last);
}

/** `9:00 – 9:45 AM`; with the zones if the clocks change in between, where the times alone would mislead. */
function timeRange(from: Date, to: Date, place: Place): string {
  if (changesClock(from, to, place)) {
    const zone = { timeZoneName: 'short' } as const;
    return `${timeText(from, place, zone)} – ${timeText(to, place, zone)}`;
  }
  const { locale, timeZone } = place;
  // Midnight is on the next day, and a range over two days would repeat the dates.
  if (dayOf(from, place) !== dayOf(to, place)) return `${timeText(from, place)} – ${timeText(to, place)}`;
  return new Intl.DateTimeFormat(locale, { ...CLOCK, timeZone }).formatRange(from, to);
}

function timeText(moment: Date, { locale, timeZone }: Place, zone: { readonly timeZoneName?: 'short' } = {}): string {
  const format = zone.timeZoneName === undefined ? { timeStyle: 'short' as const } : { ...CLOCK, ...zone };
  return new Intl.DateTimeFormat(locale, { ...format, timeZone }).format(moment);
}

const CLOCK = { hour: 'numeric', minute: '2-digit' } as const;

/** Whether the clock changes within the time, as at the start and end of summer time. */
function changesClock(from: Date, to: Date, { timeZone }: Place): boolean {
  const offsets = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return dayOf(from, { timeZone }) === dayOf(to, { timeZone }) && zoneIn(offsets, from) !== zoneIn(offsets, to);
}

function zoneIn(format: Intl.DateTimeFormat, moment: Date): string {
  return format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** The end of an all-day event is the day after its last one. */
function lastDay(start: Day, end: CalendarTime): Day {
  return isDay(end) && end > start ? addDays(end, -1) : start;
}

function momentOf(time: CalendarTime): Date | undefined {
  const moment = new Date(time);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}
