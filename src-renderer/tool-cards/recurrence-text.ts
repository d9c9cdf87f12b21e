import { counted } from '../ui/amounts.ts';
import { atUtc, isDay, type Place } from './calendar-days.ts';

/** The parts of a rule of RFC 5545 that people use. A rule with any other part is shown as it is written. */
interface Rule {
  readonly unit: 'day' | 'week' | 'month' | 'year';
  readonly interval: number;
  /** `nth` is 1 for the first in the month, -1 for the last, and 0 for every one. */
  readonly weekdays: readonly { readonly nth: number; readonly day: number }[];
  readonly monthDays: readonly number[];
  readonly months: readonly number[];
  readonly count?: number | undefined;
  readonly until?: string | undefined;
}

const UNITS: Readonly<Record<string, Rule['unit']>> = {
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
};
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const WORKDAYS = '1,2,3,4,5';
const KNOWN_PARTS = new Set([
  'FREQ',
  'INTERVAL',
  'BYDAY',
  'BYMONTHDAY',
  'BYMONTH',
  'COUNT',
  'UNTIL',
  'WKST',
  'BYSETPOS',
]);

/** `Every 2 weeks on Monday and Thursday, until Jun 30, 2031`: one text per line of an event's recurrence. */
export function recurrenceTexts(lines: readonly string[], place: Place = {}): readonly string[] {
  return lines.map((line) => {
    const [name = '', value = ''] = split(line, ':');
    const property = split(name, ';')[0].toUpperCase();
    if (property === 'EXDATE') return `Except on ${counted(value.split(',').length, 'date')}`;
    if (property === 'RDATE') return `Also on ${counted(value.split(',').length, 'date')}`;
    const rule = property === 'RRULE' ? parsed(value) : undefined;
    return rule === undefined ? line : ruleText(rule, place);
  });
}

function parsed(value: string): Rule | undefined {
  const parts = new Map(value.split(';').map((part) => split(part, '=')));
  const unit = UNITS[parts.get('FREQ') ?? ''];
  if (unit === undefined || [...parts.keys()].some((key) => !KNOWN_PARTS.has(key))) return undefined;
  const weekdays = list(parts.get('BYDAY')).map(weekdayOf);
  const monthDays = list(parts.get('BYMONTHDAY')).map(Number);
  const months = list(parts.get('BYMONTH')).map(Number);
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const count = parts.has('COUNT') ? Number(parts.get('COUNT')) : undefined;
  const until = parts.has('UNTIL') ? dayIn(parts.get('UNTIL') ?? '') : undefined;
  const position = parts.get('BYSETPOS');
  const isReadable =
    [...monthDays, ...months, interval, count ?? 1].every(Number.isInteger) &&
    weekdays.every(({ day }) => day >= 0) &&
    (!parts.has('UNTIL') || until !== undefined) &&
    // `BYDAY=TU;BYSETPOS=2` is another spelling of `BYDAY=2TU`.
    (position === undefined || (weekdays.length === 1 && weekdays[0]?.nth === 0));
  if (!isReadable) return undefined;
  const placed = position === undefined ? weekdays : weekdays.map(({ day }) => ({ nth: Number(position), day }));
  return { unit, interval, weekdays: placed, monthDays, months, count, until };
}

function ruleText({ unit, interval, weekdays, monthDays, months, count, until }: Rule, place: Place): string {
  const isWorkdays = unit !== 'month' && weekdays.map(({ day }) => day).join(',') === WORKDAYS;
  const every = interval === 1 ? `Every ${isWorkdays ? 'weekday' : unit}` : `Every ${counted(interval, unit)}`;
  const on = [
    ...(isWorkdays && interval === 1
      ? []
      : weekdays.map(({ nth, day }) =>
          nth === 0 ? weekdayName(day, place) : `the ${nthText(nth)} ${weekdayName(day, place)}`,
        )),
    ...monthDays.map((day) => (day === -1 ? 'the last day' : `the ${nthText(day)}`)),
  ];
  const ends =
    count === undefined
      ? until === undefined
        ? ''
        : `, until ${dateText(until, place)}`
      : `, ${counted(count, 'time')}`;
  return (
    [
      every,
      ...(months.length === 0 ? [] : [`in ${joined(months.map((month) => monthName(month, place)))}`]),
      ...(on.length === 0 ? [] : [`on ${joined(on)}`]),
    ].join(' ') + ends
  );
}

function weekdayOf(text: string): Rule['weekdays'][number] {
  const [, nth = '', name = ''] = /^([+-]?\d+)?([A-Z]{2})$/.exec(text) ?? [];
  return { nth: Number(nth), day: WEEKDAYS.indexOf(name) };
}

/** `20310630T215959Z` → `2031-06-30`. */
function dayIn(text: string): string | undefined {
  const day = text.replace(/^(\d{4})(\d{2})(\d{2}).*$/, '$1-$2-$3');
  return isDay(day) ? day : undefined;
}

const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' });
const ENDINGS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' };

function nthText(nth: number): string {
  if (nth === -1) return 'last';
  const text = `${Math.abs(nth)}${ENDINGS[ORDINALS.select(Math.abs(nth))] ?? 'th'}`;
  return nth < 0 ? `${text} to last` : text;
}

/** 4 January 1970 was a Sunday. */
function weekdayName(day: number, { locale }: Place): string {
  return new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(1970, 0, 4 + day)),
  );
}

function monthName(month: number, { locale }: Place): string {
  return new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(1970, month - 1, 1)),
  );
}

function dateText(day: string, { locale }: Place): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(atUtc(day));
}

const joined = (texts: readonly string[]) => new Intl.ListFormat('en').format(texts);
const list = (text: string | undefined) => (text === undefined || text === '' ? [] : text.split(','));

function split(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}
