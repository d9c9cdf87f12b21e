import { hasOption, type ParsedCall, valuesOf, type Walk } from './reading-command.ts';

/** So many files, and no more. */
export function atMost(count: number): (call: ParsedCall) => readonly string[] | null {
  return ({ operands }) => (operands.length <= count ? operands : null);
}

/** No file at all; each operand is of this form. */
export function noPaths(form: RegExp): (call: ParsedCall) => readonly string[] | null {
  return ({ operands }) => (operands.every((operand) => form.test(operand)) ? [] : null);
}

/** Names of programs, no paths of them. */
export const onlyNames = noPaths(/^[\w.+-]+$/);
/** Whole, and not negative: a minus would begin an option. */
export const onlyNumbers = noPaths(/^\d+$/);

/** The first operand is what is looked for, unless an option said it. In a folder, without any, it looks where it is. */
export function grepFiles(call: ParsedCall): readonly string[] | null {
  const files = hasOption(call, 'e', 'regexp', 'f', 'file') ? call.operands : call.operands.slice(1);
  return files.length === 0 && hasOption(call, 'r', 'recursive') ? ['.'] : files;
}

export function grepWalk(call: ParsedCall): Walk | null {
  if (!hasOption(call, 'r', 'recursive')) return null;
  // What no pattern matches is read, unless the first one says what to include.
  const first = call.options.find(({ name }) => name === 'include' || name === 'exclude');
  const only = first?.name === 'include' ? valuesOf(call, 'include') : [];
  return { followsLinks: false, leftOut: valuesOf(call, 'exclude-dir'), only };
}

/** It goes into folders by itself; `--files` looks for nothing. */
export function rgFiles(call: ParsedCall): readonly string[] | null {
  const isPatternGiven = hasOption(call, 'e', 'regexp', 'f', 'file', 'files', 'type-list');
  const files = isPatternGiven ? call.operands : call.operands.slice(1);
  return files.length === 0 ? ['.'] : files;
}

export function rgWalk(): Walk {
  return { followsLinks: false, leftOut: [], only: [] };
}

/** Folders are compared file by file, also without `-r`. Links are followed, to folders too. */
export function diffWalk(): Walk {
  return { followsLinks: true, leftOut: [], only: [] };
}
