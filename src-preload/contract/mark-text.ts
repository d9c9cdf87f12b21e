import type { Mark } from './events.ts';

const NOTES: Readonly<Record<Mark['kind'], string>> = { untrusted: 'from outside', private: 'private' };

/** What was read and what that means, for people. */
export function markText({ kind, source }: Mark): string {
  return `${source} (${NOTES[kind]})`;
}
