import { systemCode } from '../../../base/errors.ts';
import type { GivenCommand } from '../command-line.ts';
import { quoted } from '../command-words.ts';
import { gitReads } from '../git/git-reads.ts';
import { parseShellLine, type Redirection, type ShellLine } from '../shell-line.ts';
import { expandWildcards, MAX_WORDS } from './expand-wildcards.ts';
import { findProgram } from './find-program.ts';
import { readablePaths } from './readable-path.ts';
import { NotReading, type ReadingPlace } from './reading-place.ts';
import { readsOf } from './reads-of.ts';
import { versionWords } from './version-commands.ts';

/** The programs of a pipeline run at the same time, and nobody reads with more than a few. */
const MAX_PROGRAMS_AT_ONCE = 16;

/** A read-only line, in the form in which it is run. */
export interface ReadingLine {
  /**
   * The commands of the line, each with the path of its program and the words as judged, so that nothing is left for a
   * shell to resolve.
   */
  readonly pipelines: readonly (readonly ReadingProgram[])[];
  /** The real paths of the files and folders that it reads. */
  readonly paths: readonly string[];
  /** The real path of the repository that git reads, or null if there is none. */
  readonly repository: string | null;
}

export interface ReadingProgram {
  readonly argv: readonly string[];
  readonly redirections: readonly Redirection[];
}

interface ReadingArgv extends Pick<ReadingLine, 'paths' | 'repository'> {
  readonly argv: readonly string[];
}

/**
 * What a command reads in a real folder. Undefined if it may not be read-only, or may read something that requires
 * asking.
 */
export async function readingOf(
  command: GivenCommand,
  folder: string,
  place: ReadingPlace,
): Promise<ReadingLine | undefined> {
  // No table covers the names and options of programs on Windows.
  if (place.platform === 'win32') return undefined;
  try {
    if (command.kind === 'shell') {
      const line = parseShellLine(command.line);
      return line === null ? undefined : await readingLine(line, folder, place);
    }
    const { argv, paths, repository } = await readingArgv(command.argv, folder, place);
    return { pipelines: [[{ argv, redirections: [] }]], paths, repository };
  } catch (error) {
    // A file that can't be checked now is not known to be harmless.
    if (error instanceof NotReading || systemCode(error) !== '') return undefined;
    throw error;
  }
}

/** The script for any shell, with the same meaning in each, because every word is quoted. */
export function scriptOf({ pipelines }: ReadingLine): string {
  return pipelines.map((programs) => programs.map(programText).join(' | ')).join(' && ');
}

function programText({ argv, redirections }: ReadingProgram): string {
  return [...argv.map(quoted), ...redirections].join(' ');
}

async function readingLine(line: ShellLine, folder: string, place: ReadingPlace): Promise<ReadingLine> {
  let repository: string | null = null;
  const paths = new Set<string>();
  const pipelines: ReadingProgram[][] = [];
  for (const pipeline of line.pipelines) {
    if (pipeline.length > MAX_PROGRAMS_AT_ONCE) throw new NotReading('too many programs at once');
    const programs: ReadingProgram[] = [];
    for (const { words, redirections } of pipeline) {
      const expanded = await expandWildcards(words, folder, place);
      const read = await readingArgv(expanded.words, folder, place);
      repository ??= read.repository;
      for (const path of [...expanded.found, ...read.paths]) paths.add(path);
      programs.push({ argv: read.argv, redirections });
    }
    pipelines.push(programs);
  }
  return { pipelines, paths: [...paths], repository };
}

async function readingArgv(argv: readonly string[], folder: string, place: ReadingPlace): Promise<ReadingArgv> {
  if (argv.length > MAX_WORDS) throw new NotReading('too many words');
  place.work.add(argv.length);
  const [program = '', ...words] = argv;
  const name = program.split('/').at(-1) ?? '';
  const path = await programPath(program, name, folder, place);
  if (name === 'git') {
    const { safeWords, repository } = await gitReads(words, folder, place);
    return { argv: [path, ...safeWords], paths: [repository], repository };
  }
  const version = await versionWords(name, path, words);
  if (version !== undefined) return { argv: [path, ...version], paths: [], repository: null };
  const reads = readsOf(name, words, place.platform);
  if (reads === null) throw new NotReading('more than reading');
  const paths: string[] = [];
  for (const given of reads.paths) paths.push(...(await readablePaths(given, folder, reads, place)));
  return { argv: [path, ...(reads.safeWords ?? words)], paths, repository: null };
}

/** The path of a program that is given by its name, or by the path that the name resolves to. */
async function programPath(program: string, name: string, folder: string, place: ReadingPlace): Promise<string> {
  const found = await findProgram(name, folder, place);
  if (found === undefined || found.isInsideRoots || found.isMultiCall) throw new NotReading('not the system’s program');
  if (program !== name && program !== found.path) throw new NotReading('a program at another place');
  return found.path;
}
