import { PinnedDirectory } from '../../base/pinned-directory.ts';
import { secretNameGlobs } from '../../policy/secret-file-names.ts';
import type { ProcessOutcome, ProcessRunner } from '../../processes/process-runner.ts';
import { startFailure } from '../../processes/start-failure.ts';

export interface Query {
  readonly text: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
  /** If true, `.` also matches line ends. By default, only an explicit line end in the query matches one. */
  readonly spansLines?: boolean;
}

/** What ripgrep prints. */
export type Report =
  /**
   * For `lines`, it prints records of `path NUL line ":" text LF`, for context `path NUL line "-" text LF`, with `--`
   * LF between groups.
   */
  | { readonly kind: 'lines'; readonly before: number; readonly after: number }
  /** For `files`, it prints `path NUL` for each file with a match. */
  | { readonly kind: 'files' }
  /** For `counts`, it prints `path NUL count LF` for each file with a match. */
  | { readonly kind: 'counts' }
  /** For `first-offset`, it prints `path NUL offset ":" LF`: the first match in bytes from the start of the file. */
  | { readonly kind: 'first-offset'; readonly maxFileBytes: number };

export interface Search {
  readonly query: Query;
  readonly report: Report;
  /** Files are read beyond NUL bytes. By default, a file is left at its first one. */
  readonly readsBinary?: boolean;
  /** Reports files that could not be read or searched on stderr. */
  readonly saysProblems?: boolean;
}

/**
 * The files that ripgrep searches: all below the directory but those that could be secret by their name, or exactly
 * these files (relative to it).
 */
export interface SearchScope {
  /** The real path. */
  readonly directory: string;
  readonly files?: readonly string[];
  readonly isRecursive: boolean;
  /** A pattern for base names, in ripgrep's syntax; `*` matches all. */
  readonly namePattern: string;
  /** Names of files and folders that are never searched; lower-case, matched case-insensitively. */
  readonly skippedNames: readonly string[];
  /** Paths below the directory that are not entered, relative with `/`. */
  readonly leftOut: readonly string[];
}

/**
 * Runs ripgrep without a shell; paths in its output begin with `./`. Hidden and ignored files are searched; symlinks
 * are not followed. The caller sorts: ripgrep can sort only by giving up parallelism.
 */
export async function runRipgrep(
  search: Search,
  scope: SearchScope,
  { processes, signal, timeoutMs }: { processes: ProcessRunner; signal: AbortSignal; timeoutMs: number },
): Promise<ProcessOutcome> {
  const command = await ripgrepPath();
  const request = { command, args: argumentsFor(search, scope), timeoutMs, signal, endWhenFull: true };
  return PinnedDirectory.during(scope.directory, (directory) => processes.run({ ...request, directory })).catch(
    (error: unknown) => {
      throw startFailure(error, 'ripgrep', scope.directory);
    },
  );
}

export async function ripgrepPath(): Promise<string> {
  const { rgPath } = await import('@vscode/ripgrep');
  // In a packaged app the path points into the archive; the binary is unpacked beside it.
  return rgPath.replace(/\bapp\.asar\b(?!\.unpacked)/, 'app.asar.unpacked');
}

function argumentsFor(search: Search, scope: SearchScope): string[] {
  const { query, report, readsBinary = false, saysProblems = false } = search;
  const globs = scope.files === undefined ? globsFor(scope) : [];
  return [
    '--no-config',
    '--no-ignore',
    '--hidden',
    ...(saysProblems ? [] : ['--no-messages']),
    '--color=never',
    '--no-heading',
    '--with-filename',
    '--null',
    '--path-separator=/',
    '--no-mmap',
    // Lines end before their \r, so that `$` finds it.
    '--crlf',
    query.isCaseSensitive ? '--case-sensitive' : '--ignore-case',
    ...patternArguments(query),
    ...reportArguments(report),
    ...(readsBinary ? ['--text'] : []),
    ...(scope.isRecursive ? [] : ['--max-depth=1']),
    ...globs,
    '--',
    ...(scope.files ?? ['./']),
  ];
}

function reportArguments(report: Report): string[] {
  switch (report.kind) {
    case 'lines':
      return ['--line-number', `--before-context=${report.before}`, `--after-context=${report.after}`];
    case 'files':
      return ['--files-with-matches'];
    case 'counts':
      return ['--count'];
    case 'first-offset': {
      const size = `--max-filesize=${report.maxFileBytes}`;
      // It prints only where the match begins, not the match itself.
      return ['--no-line-number', '--byte-offset', '--only-matching', '--replace=', '--max-count=1', size];
    }
  }
}

function patternArguments({ text, isRegex, spansLines }: Query): string[] {
  if (spansLines === true) return ['--multiline', '--multiline-dotall', '--engine=auto', `--regexp=${text}`];
  if (spansLines === false && isRegex) return ['--engine=auto', `--regexp=${text}`];
  const isAcrossLines = isRegex ? /\n|\\n/.test(text) : text.includes('\n');
  if (!isRegex && !isAcrossLines) return ['--fixed-strings', `--regexp=${text}`];
  // With --fixed-strings each line would be a separate pattern. The \r is optional, because texts are compared without
  // it.
  const pattern = isRegex ? text : escapeRegex(text).replace(/\r?\n/g, '\\r?\\n');
  return [...(isAcrossLines ? ['--multiline'] : []), '--engine=auto', `--regexp=${pattern}`];
}

function globsFor({ namePattern, leftOut, skippedNames }: SearchScope): string[] {
  const skipped = skippedNames.map((name) => `--iglob=!${name}`);
  const never = leftOut.map((path) => `--glob=!/${path.replace(/[\\*?[\]{}!#]/g, '\\$&')}`);
  // A leading "!" would negate the glob, and "#" would make it a comment.
  const secret = secretNameGlobs.map((glob) => `--iglob=!${glob}`);
  const wanted = namePattern === '*' ? [] : [`--glob=${namePattern.replace(/^[!#]/, '\\$&')}`];
  // If several globs match, the last one decides.
  return [...wanted, ...never, ...skipped, ...secret];
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
