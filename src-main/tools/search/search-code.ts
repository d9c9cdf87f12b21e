import { relative, sep } from 'node:path';
import { z } from 'zod';
import { defineTool, ToolFailure } from '../contract.ts';
import type { WorkspaceDirectory, WorkspaceFiles } from '../files/workspace-files.ts';
import { GlobError } from '../glob.ts';
import { grouped } from '../result-cap.ts';
import type { ProcessOutcome, ProcessRunner } from '../shell/process-runner.ts';
import { findLinkedFiles } from './linked-files.ts';
import { type FileMatches, parseMatchRecords } from './match-records.ts';
import { type Query, runRipgrep, SEARCH_GUARD_MS, type SearchScope } from './ripgrep.ts';

const PREFIX = 'Error searching code: ';
/** It travels on a command line, which on Windows holds 32,767 characters altogether. */
const LONGEST_QUERY_BYTES = 24_000;
const STOPPED =
  '[More was found than can be shown: the search was stopped at 10 MB. Narrow it with directory, pattern or a longer query.]';

/** Lines that hold a text or match a regular expression. Source: tool catalogue B.1. */
export const searchCode = defineTool({
  name: 'search_code',
  access: 'read',
  errorPrefix: PREFIX,
  description:
    'Search the text of all files in a folder, line by line. Returns path:line: text for each matching line. Hidden and ignored files are searched too.',
  input: z.object({
    query: z.string().describe('Text to find, or a regular expression if regex is true'),
    directory: z.string().default('.').describe('Folder, relative to the workspace'),
    pattern: z.string().default('*').describe('Which files, by name: *.cs or *.{js,ts}'),
    recursive: z.boolean().default(true).describe('Include subfolders'),
    regex: z.boolean().default(false).describe('query is a regular expression'),
    case_sensitive: z.boolean().default(false).describe('Letter case must match'),
  }),
  async effects({ directory }, { files }) {
    const folder = await existing(files, directory);
    return { access: [{ class: 'read', kind: 'directory', path: folder.real }] };
  },
  async execute({ query, directory, pattern, recursive, regex, case_sensitive }, { files, processes, signal, mark }) {
    const folder = await existing(files, directory);
    requireSearchable(query, pattern);
    const scope: SearchScope = {
      directory: folder.real,
      isRecursive: recursive,
      // Only names are matched; what stands before the last slash says nothing about them.
      namePattern: pattern.slice(pattern.lastIndexOf('/') + 1) || '*',
      leftOut: leftOut(folder.real, files),
    };
    const { matches, isComplete } = await search(
      { text: query, isRegex: regex, isCaseSensitive: case_sensitive },
      scope,
      { files, processes, signal },
    );
    if (matches.length > 0) mark({ kind: 'private', source: `files in ${directory}` });
    const lines = inPathOrder(matches, folder).flatMap(({ path, lines }) => lines.map((line) => `${path}:${line}`));
    return (isComplete ? lines : [...lines, STOPPED]).join('\n');
  },
});

interface Surroundings {
  readonly files: WorkspaceFiles;
  readonly processes: ProcessRunner;
  readonly signal: AbortSignal;
}

async function search(
  query: Query,
  scope: SearchScope,
  { files, processes, signal }: Surroundings,
): Promise<{ matches: FileMatches[]; isComplete: boolean }> {
  const deadline = performance.now() + SEARCH_GUARD_MS;
  const timeLeft = () => Math.max(1, deadline - performance.now());
  const guard = AbortSignal.any([signal, AbortSignal.timeout(SEARCH_GUARD_MS)]);
  const [found, links] = await Promise.all([
    runRipgrep(query, scope, { processes, signal, timeoutMs: timeLeft() }),
    findLinkedFiles(scope, files, guard).catch((error: unknown) => {
      if (error instanceof GlobError || guard.aborted) return [];
      throw error;
    }),
  ]);
  const outcomes = [requireSuccess(found)];
  for (let start = 0; start < links.length; start += LINKS_AT_ONCE) {
    const inLinks = { ...scope, files: links.slice(start, start + LINKS_AT_ONCE).map((link) => `./${link}`) };
    outcomes.push(requireSuccess(await runRipgrep(query, inLinks, { processes, signal, timeoutMs: timeLeft() })));
  }
  return {
    matches: outcomes.flatMap(({ stdout }) => parseMatchRecords(stdout)),
    isComplete: outcomes.every(({ ending }) => ending === 'exited'),
  };
}

/** They too travel on the command line. */
const LINKS_AT_ONCE = 50;

function requireSuccess(outcome: ProcessOutcome): ProcessOutcome {
  if (outcome.ending === 'timed-out')
    throw new Error(`timed out after ${SEARCH_GUARD_MS / 1000} s. Narrow the search with directory or pattern`);
  if (outcome.ending === 'aborted') throw new Error('stopped by the user');
  if (outcome.exitSignal !== null && outcome.ending === 'exited')
    throw new Error(`ripgrep was ended by ${outcome.exitSignal}`);
  const reason = outcome.stderr.trim();
  // 2 without a word is a file that could not be read, which is skipped.
  if (outcome.ending === 'exited' && outcome.exitCode !== 0 && outcome.exitCode !== 1 && reason !== '')
    throw new Error(shortened(reason));
  return outcome;
}

/** Of both engines' errors the last, which is that of the engine with the wider dialect. */
function shortened(reason: string): string {
  const [, both] = reason.split('PCRE2 regex engine error:\n');
  return (both ?? reason).replace(/^rg: /, '').trim();
}

async function existing(files: WorkspaceFiles, directory: string): Promise<WorkspaceDirectory> {
  const folder = await files.resolveDirectory(directory);
  if (folder === null) throw new ToolFailure(`Error: Directory not found: ${directory}`);
  return folder;
}

function requireSearchable(query: string, pattern: string): void {
  if (query.includes('\0') || pattern.includes('\0'))
    throw new Error('query and pattern cannot hold a NUL character: text files do not');
  for (const [name, text] of [
    ['query', query],
    ['pattern', pattern],
  ] as const) {
    const bytes = Buffer.byteLength(text);
    if (bytes > LONGEST_QUERY_BYTES) {
      throw new Error(
        `${name} has ${grouped(bytes)} bytes, more than the ${grouped(LONGEST_QUERY_BYTES)} that can be searched for. Search for a part of it`,
      );
    }
  }
}

/** The profile folder, if it lies below. */
function leftOut(directory: string, files: WorkspaceFiles): string[] {
  const path = relative(directory, files.profileDirectory);
  const isBelow = path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && files.contains(directory);
  return isBelow ? [path.split(sep).join('/')] : [];
}

/** Paths as they are shown, sorted by code unit; a file's lines stay in their order. */
function inPathOrder(matches: readonly FileMatches[], { shownPrefix }: WorkspaceDirectory): FileMatches[] {
  const shown = matches.map(({ path, lines }) => ({ path: shownPrefix + path.replace(/^\.\//, ''), lines }));
  return shown.sort((a, b) => (a.path < b.path ? -1 : 1));
}
