const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const NUMBER = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** Of an ISO 8601 time. */
export function shownDate(iso: string): string {
  return DATE.format(new Date(iso));
}

export function shownDateTime(iso: string): string {
  return DATE_TIME.format(new Date(iso));
}

export function shownBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${NUMBER.format(bytes / 1_000)} kB`;
  if (bytes < 1_000_000_000) return `${NUMBER.format(bytes / 1_000_000)} MB`;
  return `${NUMBER.format(bytes / 1_000_000_000)} GB`;
}
