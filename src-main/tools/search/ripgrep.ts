import type { ProcessOutcome, ProcessRunner } from '../shell/process-runner.ts';

/** How long one search may take altogether. */
export const SEARCH_GUARD_MS = 30_000;

export interface Query {
  readonly text: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
}

/** Where ripgrep looks: below the directory, or in exactly these files (relative to it). */
export interface SearchScope {
  /** Real path. */
  readonly directory: string;
  readonly files?: readonly string[];
  readonly isRecursive: boolean;
  /** On base names, in ripgrep's syntax; `*` = all. */
  readonly namePattern: string;
  /** Paths below the directory that are not entered, relative with `/`. */
  readonly leftOut: readonly string[];
}

/** What is never searched (tool catalogue B.1, search_code), in any letter case. */
export const SKIPPED_NAMES = ['.git', '*.png', '*.jpg', '*.jpeg', '*.gif', '*.bmp', '*.pdf', '*.zip'];

/**
 * Runs ripgrep without a shell. Its output is records of `path NUL line ":" text LF`. Hidden and ignored files are
 * searched; symlinks are not followed. Order is left to the caller: ripgrep sorts only at the price of parallelism.
 */
export async function runRipgrep(
  query: Query,
  scope: SearchScope,
  { processes, signal, timeoutMs }: { processes: ProcessRunner; signal: AbortSignal; timeoutMs: number },
): Promise<ProcessOutcome> {
  const { rgPath } = await import('@vscode/ripgrep');
  return processes.run({
    // In a packaged app the path points into the archive; the binary lies unpacked beside it.
    command: rgPath.replace(/\bapp\.asar\b(?!\.unpacked)/, 'app.asar.unpacked'),
    args: argumentsFor(query, scope),
    directory: scope.directory,
    timeoutMs,
    signal,
    endWhenFull: true,
  });
}

function argumentsFor(query: Query, scope: SearchScope): string[] {
  const globs = scope.files === undefined ? globsFor(scope) : [];
  return [
    '--no-config',
    '--no-ignore',
    '--hidden',
    '--no-messages',
    '--color=never',
    '--no-heading',
    '--with-filename',
    '--line-number',
    '--null',
    '--path-separator=/',
    '--no-mmap',
    // Lines end before their \r, so that `$` finds it.
    '--crlf',
    query.isCaseSensitive ? '--case-sensitive' : '--ignore-case',
    ...patternArguments(query),
    ...(scope.isRecursive ? [] : ['--max-depth=1']),
    ...globs,
    '--',
    ...(scope.files ?? ['./']),
  ];
}

function patternArguments({ text, isRegex }: Query): string[] {
  const isAcrossLines = isRegex ? /\n|\\n/.test(text) : text.includes('\n');
  if (!isRegex && !isAcrossLines) return ['--fixed-strings', `--regexp=${text}`];
  // With --fixed-strings each line would be a pattern of its own. \r is optional: texts are compared without it.
  const pattern = isRegex ? text : escapeRegex(text).replace(/\r?\n/g, '\\r?\\n');
  return [...(isAcrossLines ? ['--multiline'] : []), '--engine=auto', `--regexp=${pattern}`];
}

function globsFor({ namePattern, leftOut }: SearchScope): string[] {
  const skipped = SKIPPED_NAMES.map((name) => `--iglob=!${name}`);
  const never = leftOut.map((path) => `--glob=!/${path.replace(/[\\*?[\]{}!#]/g, '\\$&')}`);
  // A leading "!" would turn the meaning round, "#" make a comment of it.
  const wanted = namePattern === '*' ? [] : [`--glob=${namePattern.replace(/^[!#]/, '\\$&')}`];
  // Of several globs that match, the last one decides.
  return [...wanted, ...never, ...skipped];
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
