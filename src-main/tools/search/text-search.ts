import { join, relative, sep } from 'node:path';
import { grouped } from '../../base/text.ts';
import { isInSecretFolder } from '../../policy/secret-file-names.ts';
import { secretFileTest } from '../../policy/secret-files.ts';
import type { ProcessOutcome, ProcessRunner } from '../../processes/process-runner.ts';
import type { WorkspaceFiles } from '../files/workspace-files.ts';
import { type FilesApart, findFilesApart } from './files-apart.ts';
import { runRipgrep, type Search, type SearchScope } from './ripgrep.ts';

export interface SearchSurroundings {
  readonly files: WorkspaceFiles;
  readonly processes: ProcessRunner;
  readonly signal: AbortSignal;
  /** The time limit of the whole search, which then ends with what was found. */
  readonly guardMs: number;
}

/**
 * A search is `full` if it produced more output than is kept of a process, and `timed-out` if it reached the time
 * limit.
 */
export type SearchEnding = 'complete' | 'full' | 'timed-out';

export interface SearchOutput {
  /** The output of ripgrep, one text for each run. */
  readonly texts: readonly string[];
  /** There may be more, unless it is `complete`. */
  readonly ending: SearchEnding;
  /**
   * The files left out because they usually hold secrets, whatever their content. Their paths are relative to the
   * directory.
   */
  readonly secretFiles: readonly string[];
}

/**
 * The error of a search without a result. With `query` and `glob`, ripgrep rejected that one, for the reason in
 * `message`.
 */
export class SearchFailure extends Error {
  override readonly name = 'SearchFailure';
  readonly why: 'query' | 'glob' | 'stopped';

  constructor(why: SearchFailure['why'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.why = why;
  }
}

const SOME_FILES_FAILED = 2;
const GAVE_UP = /PCRE2: error matching: (.+)/;
/** How many files a run gets, because they are passed on the command line. */
const FILES_AT_ONCE = 50;

/** Searches in one place: its files, and those that symlinks there lead to, but no secret files. */
export class TextSearch {
  readonly #scope: SearchScope;
  readonly #surroundings: SearchSurroundings;
  readonly #deadline: number;
  #apart: Promise<FilesApart> | undefined;
  readonly #isSecret = secretFileTest();

  constructor(scope: SearchScope, surroundings: SearchSurroundings) {
    this.#scope = scope;
    this.#surroundings = surroundings;
    this.#deadline = performance.now() + surroundings.guardMs;
  }

  /** Runs a search. Rejects with `SearchFailure`. */
  async run(search: Search): Promise<SearchOutput> {
    if (this.#scope.files !== undefined) return this.runIn(this.#scope.files, search);
    this.#apart ??= this.#findApart();
    const isSecretFolder = isInSecretFolder(this.#scope.directory);
    const [found, apart] = await Promise.all([
      isSecretFolder ? undefined : this.#run(search, this.#scope),
      this.#apart,
    ]);
    const inApart = await this.runIn(apart.searchable, search);
    return {
      texts: [found?.stdout ?? '', ...inApart.texts],
      ending: endingOf([found?.ending, apart.isComplete ? undefined : 'timed-out', inApart.ending]),
      secretFiles: apart.secret,
    };
  }

  /**
   * Whether matches in a file may be shown. If the file is secret under another of its names (a hard link), which
   * ripgrep can't know, neither the matches nor their existence may be shown.
   */
  mayTellOf(path: string): boolean {
    return this.#scope.files !== undefined || !this.#isSecret(join(this.#scope.directory, path));
  }

  /** Searches only in these files, relative to the directory. Rejects with `SearchFailure`. */
  async runIn(files: readonly string[], search: Search): Promise<SearchOutput> {
    const outcomes: ProcessOutcome[] = [];
    for (let start = 0; start < files.length; start += FILES_AT_ONCE) {
      if (this.#leftMs() <= 0) return { texts: textsOf(outcomes), ending: 'timed-out', secretFiles: [] };
      const some = files.slice(start, start + FILES_AT_ONCE).map((file) => `./${file}`);
      outcomes.push(await this.#run(search, { ...this.#scope, files: some }));
    }
    return {
      texts: textsOf(outcomes),
      ending: endingOf(outcomes.map(({ ending }) => ending)),
      secretFiles: [],
    };
  }

  async #run(search: Search, scope: SearchScope): Promise<ProcessOutcome> {
    const outcome = await this.#runOnce(search, scope);
    if (outcome.exitCode !== SOME_FILES_FAILED || !search.query.isRegex) return outcome;
    // An unreadable file is skipped, but one that makes the expression fail would be missed silently.
    const { stderr } = await this.#runOnce({ ...search, saysProblems: true }, scope);
    const [, reason] = GAVE_UP.exec(stderr) ?? [];
    if (reason !== undefined) throw new SearchFailure('query', `${reason}. Make the expression simpler`);
    return outcome;
  }

  async #runOnce(search: Search, scope: SearchScope): Promise<ProcessOutcome> {
    const { processes, signal } = this.#surroundings;
    const timeoutMs = Math.max(1, this.#leftMs());
    const outcome = await runRipgrep(search, scope, { processes, signal, timeoutMs });
    if (outcome.ending === 'aborted')
      throw new SearchFailure('stopped', 'stopped by the user', { cause: signal.reason });
    return requireSuccess(search, outcome);
  }

  #findApart(): Promise<FilesApart> {
    const { files, signal } = this.#surroundings;
    const deadline = AbortSignal.timeout(Math.max(0, Math.ceil(this.#leftMs())));
    return findFilesApart(this.#scope, files, { signal, deadline });
  }

  #leftMs(): number {
    return this.#deadline - performance.now();
  }
}

function textsOf(outcomes: readonly ProcessOutcome[]): string[] {
  return outcomes.map(({ stdout }) => stdout);
}

export function endingOf(endings: readonly (ProcessOutcome['ending'] | SearchEnding | undefined)[]): SearchEnding {
  if (endings.includes('timed-out')) return 'timed-out';
  return endings.includes('full') ? 'full' : 'complete';
}

function requireSuccess({ saysProblems }: Search, outcome: ProcessOutcome): ProcessOutcome {
  if (outcome.exitSignal !== null && outcome.ending === 'exited')
    throw new Error(`ripgrep was ended by ${outcome.exitSignal}`);
  const reason = outcome.stderr.trim();
  // Exit code 2 without a message means that a file could not be searched, unless messages were requested.
  if (!saysProblems && outcome.ending === 'exited' && outcome.exitCode !== 0 && outcome.exitCode !== 1 && reason !== '')
    throw new SearchFailure(reason.includes('error parsing glob') ? 'glob' : 'query', shortened(reason));
  return outcome;
}

/**
 * Keeps the last of both engines' errors, which is from the engine with the wider dialect. The offset in it refers to
 * the pattern as ripgrep wraps it, not as written.
 */
function shortened(reason: string): string {
  const [, both] = reason.split('PCRE2 regex engine error:\n');
  return (both ?? reason)
    .replace(/^rg: /, '')
    .replace(/ at offset \d+(?=:)/, '')
    .trim();
}

/** The limit exists because a query is passed on a command line, which on Windows holds 32,767 characters in total. */
const MAX_QUERY_BYTES = 24_000;

/** Throws if one of these named texts can't be passed to ripgrep. */
export function requireSearchable(texts: Readonly<Record<string, string>>): void {
  const names = Object.keys(texts).join(' and ');
  for (const [name, text] of Object.entries(texts)) {
    if (text.includes('\0')) throw new Error(`${names} cannot contain a NUL character, because text files do not`);
    const bytes = Buffer.byteLength(text);
    if (bytes <= MAX_QUERY_BYTES) continue;
    throw new Error(
      `${name} has ${grouped(bytes)} bytes, more than the ${grouped(MAX_QUERY_BYTES)} that can be searched for. Search for a part of it`,
    );
  }
}

/** The path of the profile folder, if it is below a directory. */
export function leftOutBelow(directory: string, files: WorkspaceFiles): string[] {
  const path = relative(directory, files.profileDirectory);
  const isBelow = path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && files.contains(directory);
  return isBelow ? [path.split(sep).join('/')] : [];
}

/** Compares files by path, in the order of their code units. */
export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}
