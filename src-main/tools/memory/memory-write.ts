import type { Mark } from '../../../src-preload/contract/events.ts';
import { eachOnce } from '../../policy/access-marks.ts';
import type { Assessment } from '../define-tool.ts';

/** What every write to memory touches. It asks while text from outside is in the conversation. */
export async function memoryWrite<Input>(input: Input): Promise<Assessment<Input>> {
  return { access: [{ class: 'write', kind: 'app', memory: true }], plan: input };
}

/** So many sources are named; what matters is that there is one. */
const MAX_SOURCES = 20;

/**
 * The marks that go into memory with a text: those of text from outside and of secret files, because the text may have been made
 * from it. That it is private is true of all that is remembered, and said when it is read.
 */
export function marksKept(marks: readonly Mark[]): readonly Mark[] {
  return eachOnce(marks.filter(({ kind }) => kind !== 'private')).slice(0, MAX_SOURCES);
}
