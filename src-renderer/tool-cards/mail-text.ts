import { dayOf, nearDay, type Place } from './calendar-days.ts';

/**
 * When a mail was sent, in words: `today, 9:12 AM`, `Mar 2, 9:12 AM`, `Mar 2, 2030`. `header` is the Date header, which
 * the sender wrote; one that is not a date is returned as it is.
 */
export function mailDate(header: string, now: Date, place: Place = {}): string {
  const sent = new Date(header);
  if (Number.isNaN(sent.getTime())) return header;
  const { locale, timeZone } = place;
  const day = dayOf(sent, place);
  const today = dayOf(now, place);
  const near = nearDay(day, today, place);
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone }).format(sent);
  // A date in the future is the sender's mistake, or a trick to stay at the top.
  if (near !== undefined && day <= today) return `${near}, ${time}`;
  if (day.slice(0, 4) !== today.slice(0, 4))
    return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone }).format(sent);
  const date = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone }).format(sent);
  return `${date}, ${time}`;
}

/** The date and time in full; empty if the header is not a date. */
export function wholeMailDate(header: string, { locale, timeZone }: Place = {}): string {
  const sent = new Date(header);
  if (Number.isNaN(sent.getTime())) return '';
  return new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short', timeZone }).format(sent);
}

export interface Correspondent {
  /** The name, which whoever wrote the header chose. Empty if there is none. */
  readonly name: string;
  readonly address: string;
}

/**
 * The name and address in a From header with one address. The name alone would say nothing, because anyone can use any.
 */
export function correspondent(header: string): Correspondent {
  const written = header.trim();
  const open = written.lastIndexOf('<');
  const address = open !== -1 && written.endsWith('>') ? written.slice(open + 1, -1).trim() : '';
  if (address === '' || address.includes('>')) return { name: '', address: written };
  const name = written.slice(0, open).trim();
  return {
    name: name.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1').trim(),
    address,
  };
}

/** The page of a message in Gmail; main adds the account to it. `id` is that of the API. Undefined if it is none. */
export function gmailPage(id: string): string | undefined {
  return /^[0-9a-f]{8,32}$/.test(id) ? `https://mail.google.com/mail/#all/${id}` : undefined;
}

const FIRST_LINES = 6;
/** This many characters fill those lines. */
const FIRST_CHARACTERS = 600;
/** What is left out has to be worth a click. */
const SPARE = 1.5;

/** The beginning of a text; all of it if little more would be left out. */
export function firstOfText(text: string): string {
  const lines = text.split('\n');
  if (lines.length <= FIRST_LINES * SPARE && text.length <= FIRST_CHARACTERS * SPARE) return text;
  const first = lines.slice(0, FIRST_LINES).join('\n');
  if (first.length <= FIRST_CHARACTERS * SPARE) return first;
  // An address that is cut off would lead somewhere else.
  const [words] = /^.*\s(?=\S*$)/s.exec(first.slice(0, FIRST_CHARACTERS)) ?? [];
  return words === undefined ? (/^\S+/.exec(first)?.[0] ?? '') : `${words.trimEnd()} …`;
}

/** The text of a mail in the tool's result: after the first empty line. */
export function mailText(result: string): string {
  const end = /\r?\n\r?\n/.exec(result);
  return end === null ? '' : result.slice(end.index + end[0].length);
}
