import { programAsSource } from './client-reason.ts';
import type { ShownMark } from './events.ts';

const NOTES: Readonly<Record<ShownMark['kind'], string>> = { untrusted: 'from outside', private: 'private' };

/** What was read, with the kind of mark, for people. */
export function markText({ kind, source }: ShownMark): string {
  return `${source} (${NOTES[kind]})`;
}

/** The source of what a client says about its tools. */
export function descriptionsOfClient(client: string): string {
  return `what ${programAsSource(client)} says about its tools`;
}
