import { hasOption, type ParsedCall, valuesOf, type Walk } from './reading-command.ts';

/** Accepts operands that are files, at most this many of them. */
export function atMost(count: number): (call: ParsedCall) => readonly string[] | null {
  return ({ operands }) => (operands.length <= count ? operands : null);
}

/** Accepts operands that are not files and have this form. */
export function noPaths(form: RegExp): (call: ParsedCall) => readonly string[] | null {
  return ({ operands }) => (operands.every((operand) => form.test(operand)) ? [] : null);
}

/** Accepts operands that are names of programs, not paths. */
export const onlyNames = noPaths(/^[\w.+-]+$/);
/** Accepts operands that are non-negative integers. A minus would begin an option. */
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
  // A file whose name matches no pattern is read, unless the first pattern says what to include.
  const first = call.options.find(({ name }) => name === 'include' || name === 'exclude');
  const only = first?.name === 'include' ? valuesOf(call, 'include') : [];
  return { followsLinks: false, leftOut: ['.git', ...valuesOf(call, 'exclude-dir')], only };
}

/** The `.git` folder is left out, because a repository keeps what secret files held once. */
export function grepWords(call: ParsedCall): readonly string[] {
  return hasOption(call, 'r', 'recursive') ? ['--exclude-dir=.git'] : [];
}

/**
 * Whether this is a plain name, which leaves out only folders that are called so. A pattern leaves out other folders
 * too, and a path or a slash leaves out none.
 */
function isLiteralName(name: string): boolean {
  return /^[\w@%+=:,.~ -]+$/.test(name) && name !== '.' && name !== '..';
}

/** rg is recursive by default, and with `--files` it searches for nothing. */
export function rgFiles(call: ParsedCall): readonly string[] | null {
  const isPatternGiven = hasOption(call, 'e', 'regexp', 'f', 'file', 'files', 'type-list');
  const files = isPatternGiven ? call.operands : call.operands.slice(1);
  return files.length === 0 ? ['.'] : files;
}

export function rgWalk(call: ParsedCall): Walk {
  return { followsLinks: false, leftOut: rgWords(call).length > 0 ? ['.git'] : [], only: [] };
}

/**
 * The `.git` folder is left out. The last pattern that matches decides, and those of `--iglob` are read behind
 * `--glob`.
 */
export function rgWords(call: ParsedCall): readonly string[] {
  return hasOption(call, 'iglob', 'glob-case-insensitive') ? [] : ['--iglob=!.git'];
}

/** Folders are compared file by file, even without `-r`. Links are followed, also to folders. */
export function diffWalk(): Walk {
  return { followsLinks: true, leftOut: [], only: [] };
}
