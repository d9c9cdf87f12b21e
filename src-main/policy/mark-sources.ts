import type { Mark } from '../../src-preload/contract/events.ts';
import { firstCharacters } from '../base/text.ts';

const SHOWN_OF_COMMAND = 60;

/** Whose text it is: a stranger's (`outside`), published (`public`), the user's (`own`). */
export type TextOrigin = 'outside' | 'public' | 'own';

/** The marks of a server's text, by the user's setting for that server. */
export function marksOfServer({ source, whose }: { readonly source: string; readonly whose: TextOrigin }): Mark[] {
  const untrusted: Mark = { kind: 'untrusted', source };
  const ofUser: Mark = { kind: 'private', source };
  return whose === 'public' ? [untrusted] : whose === 'own' ? [ofUser] : [untrusted, ofUser];
}

export function privateMark(source: string): Mark[] {
  return [{ kind: 'private', source }];
}

/** A secret is always private. */
export function secretMarks(source: string): Mark[] {
  return [...privateMark(source), { kind: 'secret', source }];
}

/** The source text for a command's output. `line`: as one would type it. */
export function outputOf(line: string): string {
  return `output of ${firstCharacters(line, SHOWN_OF_COMMAND)}`;
}

export function eachOnce<M extends Mark>(marks: readonly M[]): readonly M[] {
  return [...new Map(marks.map((mark) => [`${mark.kind} ${mark.source}`, mark])).values()];
}
