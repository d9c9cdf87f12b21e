import { hasOption, type ParsedCall, valuesOf, type Walk } from './reading-command.ts';

/** Exactly this many files. */
export function atMost(count: number): (call: ParsedCall) => readonly string[] | null {
  return ({ operands }) => (operands.length <= count ? operands : null);
}

/** No files; each operand has this form. */
export function noPaths(form: RegExp): (call: ParsedCall) => readonly string[] | null {
  return ({ operands }) => (operands.every((operand) => form.test(operand)) ? [] : null);
}

/** Names of programs, not paths. */
export const onlyNames = noPaths(/^[\w.+-]+$/);
/** Non-negative integers: a minus would begin an option. */
export const onlyNumbers = noPaths(/^\d+$/);

/**
 * The first operand is the pattern, unless an option contains it. In a recursive search without further operands, the
 * current folder is searched.
 */
export function grepFiles(call: ParsedCall): readonly string[] | null {
  if (!valuesOf(call, 'exclude-dir').every(isLiteralName)) return null;
  const files = hasOption(call, 'e', 'regexp', 'f', 'file') ? call.operands : call.operands.slice(1);
  return files.length === 0 && hasOption(call, 'r', 'recursive') ? ['.'] : files;
}

export function grepWalk(call: ParsedCall): Walk | null {
  if (!hasOption(call, 'r', 'recursive')) return null;
  // What matches no pattern is read, unless the first one says what to include.
  const first = call.options.find(({ name }) => name === 'include' || name === 'exclude');
  const only = first?.name === 'include' ? valuesOf(call, 'include') : [];
  return { followsLinks: false, leftOut: ['.git', ...valuesOf(call, 'exclude-dir')], only };
}

/** A repository keeps what secret files held once. */
export function grepWords(call: ParsedCall): readonly string[] {
  return hasOption(call, 'r', 'recursive') ? ['--exclude-dir=.git'] : [];
}

/** A pattern leaves out other folders than the one that is called like it; a path or a slash leaves out none. */
function isLiteralName(name: string): boolean {
  return /^[\w@%+=:,.~ -]+$/.test(name) && name !== '.' && name !== '..';
}

/** It is recursive by default; `--files` searches for nothing. */
export function rgFiles(call: ParsedCall): readonly string[] | null {
  const isPatternGiven = hasOption(call, 'e', 'regexp', 'f', 'file', 'files', 'type-list');
  const files = isPatternGiven ? call.operands : call.operands.slice(1);
  return files.length === 0 ? ['.'] : files;
}

export function rgWalk(call: ParsedCall): Walk {
  return { followsLinks: false, leftOut: rgWords(call).length > 0 ? ['.git'] : [], only: [] };
}

/** The last matching pattern decides, and these are read behind `--glob`. */
export function rgWords(call: ParsedCall): readonly string[] {
  return hasOption(call, 'iglob', 'glob-case-insensitive') ? [] : ['--iglob=!.git'];
}

/** Folders are compared file by file, even without `-r`. Links are followed, also to folders. */
export function diffWalk(): Walk {
  return { followsLinks: true, leftOut: [], only: [] };
}
