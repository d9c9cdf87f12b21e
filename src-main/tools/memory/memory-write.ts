import type { Mark } from '../../../src-preload/contract/events.ts';
import { eachOnce } from '../../policy/mark-sources.ts';
import type { Assessment } from '../define-tool.ts';

/** The access of every write to memory. Asks while text from outside is in the conversation. */
export async function memoryWrite<Input>(input: Input): Promise<Assessment<Input>> {
  return { access: [{ class: 'write', kind: 'app', memory: true }], plan: input };
}

/** At most this many sources are stored; what matters is that there is at least one. */
const MAX_SOURCES = 20;

/**
 * The marks stored with a text in memory: those for text from outside and for secret files, since the text may be
 * derived from them. Everything in memory is private, so that mark is set when it is read.
 */
export function marksKept(marks: readonly Mark[]): readonly Mark[] {
  return eachOnce(marks.filter(({ kind }) => kind !== 'private')).slice(0, MAX_SOURCES);
}
