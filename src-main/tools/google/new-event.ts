import type { EventDetails } from '../../policy/access.ts';
import { ToolFailure } from '../contract.ts';
import { dayAfter, daysInWords, parseTime, timesInWords, userTimeZone, type WrittenTime } from './calendar-times.ts';
import { checkedAddress, MailAddressError } from './mail-addresses.ts';

/** What a call gives for an event. */
export interface GivenEvent {
  readonly summary: string;
  readonly start: string;
  readonly end: string;
  readonly description?: string | undefined;
  readonly location?: string | undefined;
  /** The addresses of the guests, separated by commas. */
  readonly attendees?: string | undefined;
}

/** The event as Google's API takes it. */
export interface NewEvent {
  readonly summary: string;
  readonly start: EventTime;
  readonly end: EventTime;
  readonly description?: string;
  readonly location?: string;
  readonly attendees?: { readonly email: string }[];
}

type EventTime =
  | { readonly date: string }
  /** `timeZone` is an IANA name, for a time without an offset. */
  | { readonly dateTime: string; readonly timeZone?: string };

/** The question shows title, time and place on lines of their own: one with a line break could pass for another. */
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/;

/** Makes the event that a call gives. Throws `ToolFailure` with the prefix. Source: tool catalogue B.6. */
export function newEvent(given: GivenEvent, prefix: string): NewEvent {
  const { summary, description, location } = given;
  for (const [name, text] of Object.entries({ summary, location }))
    if (text !== undefined && LINE_BREAK.test(text))
      throw new ToolFailure(`${prefix}${name} must be one line; details go into description`);
  const guests = guestsIn(given.attendees ?? '', prefix);
  return {
    summary,
    ...eventTimes(given, prefix),
    ...(description === undefined || description === '' ? {} : { description }),
    ...(location === undefined || location === '' ? {} : { location }),
    ...(guests.length === 0 ? {} : { attendees: guests.map((email) => ({ email })) }),
  };
}

function eventTimes(given: GivenEvent, prefix: string): Pick<NewEvent, 'start' | 'end'> {
  const start = writtenTime('start', given.start, prefix);
  const end = writtenTime('end', given.end, prefix);
  if (start.kind === 'date' && end.kind === 'date')
    // For Google, the end is the day after the last one.
    return { start: { date: start.date }, end: { date: end.date <= start.date ? dayAfter(start.date) : end.date } };
  if (start.kind === 'time' && end.kind === 'time') return { start: timed(start), end: timed(end) };
  throw new ToolFailure(`${prefix}start and end must both be dates or both be date-times`);
}

function writtenTime(name: string, text: string, prefix: string): WrittenTime {
  const time = parseTime(text);
  if (time === undefined)
    throw new ToolFailure(`${prefix}${name} must be a date or time like 2026-03-01 or 2026-03-01T09:00, not ${text}`);
  return time;
}

function timed({ local, offset }: Extract<WrittenTime, { kind: 'time' }>): EventTime {
  return offset === undefined ? { dateTime: local, timeZone: userTimeZone() } : { dateTime: `${local}${offset}` };
}

function guestsIn(attendees: string, prefix: string): readonly string[] {
  const guests = attendees
    .split(',')
    .map((guest) => guest.trim())
    .filter((guest) => guest !== '');
  try {
    return [...new Set(guests.map((guest) => checkedAddress(guest)))];
  } catch (error) {
    if (!(error instanceof MailAddressError)) throw error;
    throw new ToolFailure(`${prefix}attendees must be mail addresses separated by commas: ${error.message}`);
  }
}

/** Returns everything in the event for the user, except its guests. */
export function eventDetails({ summary, start, end, location, description }: NewEvent): EventDetails {
  return {
    title: summary,
    when: whenInWords(start, end),
    ...(location === undefined ? {} : { place: location }),
    ...(description === undefined ? {} : { description }),
  };
}

/** Returns the details as one text. */
export function eventInWords({ title, when, place, description }: EventDetails): string {
  return [
    title,
    when,
    ...(place === undefined ? [] : [`Location: ${place}`]),
    ...(description === undefined ? [] : ['', description]),
  ].join('\n');
}

function whenInWords(start: EventTime, end: EventTime): string {
  if ('date' in start && 'date' in end) return daysInWords(start.date, end.date);
  const [from, to] = [start, end].map((each) => parseTime('date' in each ? each.date : each.dateTime));
  return from === undefined || to === undefined ? '' : timesInWords(from, to);
}
