import type { Mark } from '../../src-preload/contract/events.ts';
import { firstCharacters } from '../base/text.ts';

const SHOWN_OF_COMMAND = 60;

/**
 * Whose text a server returns: that of strangers (`outside`), what anyone can read (`public`), or the user's (`own`).
 */
export type TextOrigin = 'outside' | 'public' | 'own';

/** The marks of a server's text, according to the user's setting for that server. */
export function marksOfServer({ source, whose }: { readonly source: string; readonly whose: TextOrigin }): Mark[] {
  const untrusted: Mark = { kind: 'untrusted', source };
  const ofUser: Mark = { kind: 'private', source };
  return whose === 'public' ? [untrusted] : whose === 'own' ? [ofUser] : [untrusted, ofUser];
}

export function privateMark(source: string): Mark[] {
  return [{ kind: 'private', source }];
}

/** The marks of a secret, which is always private as well. */
export function secretMarks(source: string): Mark[] {
  return [...privateMark(source), { kind: 'secret', source }];
}

/** Names a command's output as the source of text. `line` is as one would type it. */
export function outputOf(line: string): string {
  return `output of ${firstCharacters(line, SHOWN_OF_COMMAND)}`;
}

export function eachOnce<M extends Mark>(marks: readonly M[]): readonly M[] {
  return [...new Map(marks.map((mark) => [`${mark.kind} ${mark.source}`, mark])).values()];
}
