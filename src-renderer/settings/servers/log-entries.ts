import type { ServerLogEntry } from '../../../src-preload/contract/server-diagnostics.ts';
import { sizeText } from '../../ui/amounts.ts';

/** The filters of the log. */
export type LogKind = 'all' | 'stderr' | 'messages' | 'events';

const KINDS: Readonly<Record<ServerLogEntry['kind'], Exclude<LogKind, 'all'>>> = {
  stderr: 'stderr',
  stray: 'stderr',
  sent: 'messages',
  received: 'messages',
  message: 'events',
  skipped: 'events',
  state: 'events',
};

const LABELS: Readonly<Record<ServerLogEntry['kind'], string>> = {
  stderr: 'stderr',
  stray: 'stdout',
  sent: '→ sent',
  received: '← received',
  message: 'log',
  skipped: 'skipped',
  state: 'event',
};

/** Entries of a kind whose text or method contains the query, ignoring case. */
export function matchingEntries(
  entries: readonly ServerLogEntry[],
  kind: LogKind,
  query: string,
): readonly ServerLogEntry[] {
  const wanted = query.trim().toLowerCase();
  if (kind === 'all' && wanted === '') return entries;
  return entries.filter(
    (entry) =>
      (kind === 'all' || KINDS[entry.kind] === kind) &&
      (wanted === '' || entry.text.toLowerCase().includes(wanted) || summaryOf(entry).toLowerCase().includes(wanted)),
  );
}

export function kindLabel({ kind }: Pick<ServerLogEntry, 'kind'>): string {
  return LABELS[kind];
}

/** The summary of a message, such as `tools/call #4 · result · 12 kB · 40 ms`; empty for other entries. */
export function summaryOf({ message }: Pick<ServerLogEntry, 'message'>): string {
  if (message === undefined) return '';
  const { method = 'unknown', id, kind, bytes, afterMs } = message;
  const parts = [id === undefined ? method : `${method} #${id}`];
  if (kind === 'result' || kind === 'error') parts.push(kind);
  parts.push(sizeText(bytes));
  if (afterMs !== undefined) parts.push(`${afterMs} ms`);
  return parts.join(' · ');
}

/** The time with milliseconds, because messages follow each other closely. */
export function timeOf({ at }: Pick<ServerLogEntry, 'at'>): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${time}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** The log as plain text, for copying. */
export function logText(entries: readonly ServerLogEntry[]): string {
  return entries
    .map((entry) =>
      [timeOf(entry), kindLabel(entry), summaryOf(entry), entry.text].filter((part) => part !== '').join('  '),
    )
    .join('\n');
}

/** The visible rows of a list, with a margin. `end` is exclusive. */
export function rowsInView(
  scrollTop: number,
  height: number,
  rowHeight: number,
  count: number,
): { readonly start: number; readonly end: number } {
  const AROUND = 12;
  const start = Math.max(0, Math.floor(scrollTop / rowHeight) - AROUND);
  return { start: Math.min(start, count), end: Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + AROUND) };
}
