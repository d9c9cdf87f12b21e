import { join, relative, sep } from 'node:path';
import { grouped } from '../../base/text.ts';
import { isInSecretFolder, secretFileTest } from '../../policy/secret-files.ts';
import type { ProcessOutcome, ProcessRunner } from '../../processes/process-runner.ts';
import type { WorkspaceFiles } from '../files/workspace-files.ts';
import { type FilesApart, findFilesApart } from './files-apart.ts';
import { runRipgrep, type Search, type SearchScope } from './ripgrep.ts';

export interface SearchSurroundings {
  readonly files: WorkspaceFiles;
  readonly processes: ProcessRunner;
  readonly signal: AbortSignal;
  /** How long the whole search may take. Then it ends with what was found. */
  readonly guardMs: number;
}

/** `full`: there was more than is kept of a process's output. `timed-out`: the guard time passed first. */
export type SearchEnding = 'complete' | 'full' | 'timed-out';

export interface SearchOutput {
  /** What ripgrep printed, a text for each of its runs. */
  readonly texts: readonly string[];
  /** Unless it is `complete`, there may be more. */
  readonly ending: SearchEnding;
  /** Files that were left out because they usually hold secrets, relative to the directory, whatever is in them. */
  readonly secretFiles: readonly string[];
}

/** A search that gave no answer. `query`, `glob`: ripgrep refused it, for the reason in `message`. */
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
/** They travel on the command line. */
const FILES_AT_ONCE = 50;

/** Searches in one place: in the files there, and in those that symlinks there lead to, but in no secret file. */
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

  /** Rejects with `SearchFailure`. */
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
   * Whether matches in a file may be shown. For a file that is secret by another of its names (a hard link), which
   * ripgrep cannot know, it may not, nor that something was found there.
   */
  mayTellOf(path: string): boolean {
    return this.#scope.files !== undefined || !this.#isSecret(join(this.#scope.directory, path));
  }

  /** Only in these files, relative to the directory. Rejects with `SearchFailure`. */
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
    // A file that may not be read is skipped, but one on which the expression gives up would be missed without a word.
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
  // Unless it was asked to say more, 2 without a word is a file that could not be searched.
  if (!saysProblems && outcome.ending === 'exited' && outcome.exitCode !== 0 && outcome.exitCode !== 1 && reason !== '')
    throw new SearchFailure(reason.includes('error parsing glob') ? 'glob' : 'query', shortened(reason));
  return outcome;
}

/**
 * Of both engines' errors the last, which is that of the engine with the wider dialect. Its offset counts in the pattern as
 * ripgrep wraps it, which nobody wrote.
 */
function shortened(reason: string): string {
  const [, both] = reason.split('PCRE2 regex engine error:\n');
  return (both ?? reason)
    .replace(/^rg: /, '')
    .replace(/ at offset \d+(?=:)/, '')
    .trim();
}

/** It travels on a command line, which on Windows holds 32,767 characters altogether. */
const LONGEST_QUERY_BYTES = 24_000;

/** Throws if one of these texts, by their names, cannot be given to ripgrep. */
export function requireSearchable(texts: Readonly<Record<string, string>>): void {
  const names = Object.keys(texts).join(' and ');
  for (const [name, text] of Object.entries(texts)) {
    if (text.includes('\0')) throw new Error(`${names} cannot contain a NUL character, because text files do not`);
    const bytes = Buffer.byteLength(text);
    if (bytes <= LONGEST_QUERY_BYTES) continue;
    throw new Error(
      `${name} has ${grouped(bytes)} bytes, more than the ${grouped(LONGEST_QUERY_BYTES)} that can be searched for. Search for a part of it`,
    );
  }
}

/** The profile folder, if it is below a directory. */
export function leftOutBelow(directory: string, files: WorkspaceFiles): string[] {
  const path = relative(directory, files.profileDirectory);
  const isBelow = path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && files.contains(directory);
  return isBelow ? [path.split(sep).join('/')] : [];
}

/** By path, in the order of their code units. */
export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}
