import { z } from 'zod';
import { compileGlob } from '../../base/glob.ts';
import { pathOnOneLine } from '../../base/text.ts';
import { ToolFailure } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { orFailure } from '../files/file-failure.ts';
import { requireSamePlace } from '../files/place.ts';
import type { WorkspaceDirectory, WorkspaceFiles } from '../files/workspace-files.ts';
import { matchesCard } from './matches-card.ts';
import type { SearchScope } from './ripgrep.ts';
import { searchNotices } from './search-notices.ts';
import { textMatches } from './text-matches.ts';
import { byPath, leftOutBelow, requireSearchable } from './text-search.ts';

const PREFIX = 'Error searching code: ';
const GUARD_MS = 30_000;
/** These names are never searched, whatever their case. */
const SKIPPED_NAMES = ['.git', '*.png', '*.jpg', '*.jpeg', '*.gif', '*.bmp', '*.pdf', '*.zip'];
const NOTICES = { guardMs: GUARD_MS, narrowWith: 'directory, pattern or a longer query' };

/** Finds lines that contain a text or match a regular expression. Source: tool catalogue B.1. */
export const searchCode = defineTool({
  name: 'search_code',
  access: 'read',
  errorPrefix: PREFIX,
  description:
    'Find lines that contain a text, ignoring case, or match a regular expression. Returns path:line: text for each, paths relative to the workspace. Hidden and ignored files are searched too.',
  input: z.object({
    query: z.string().describe('Text to find, or a regular expression if regex is true'),
    directory: z.string().default('.').describe('Folder, relative to the workspace or absolute'),
    pattern: z.string().default('*').describe('Which files, by name: *.cs or *.{js,ts}'),
    recursive: z.boolean().default(true).describe('Include subfolders'),
    regex: z.boolean().default(false).describe('query is a regular expression'),
    case_sensitive: z.boolean().default(false).describe('Letter case must match'),
  }),
  async assess(input, { files }) {
    const folder = await existing(files, input.directory);
    return {
      access: [{ class: 'read', kind: 'file', isFolder: true, path: folder.real, outsideRoots: false }],
      plan: { folder, input },
    };
  },
  strictParameters: ['directory', 'pattern', 'recursive'],
  words: {
    title: 'Search code',
    done: 'Searched code for',
    nothing: 'nothing was found.',
    icon: 'search',
    about: ['query', 'directory'],
  },
  manual: {
    example: { query: 'class.*Agent', pattern: '*.cs', regex: true },
    limits: [
      'Not searched: .git, links to folders, files that usually hold secrets (they are named), and .png .jpg .jpeg .gif .bmp .pdf .zip.',
      'A file with a NUL byte in its first 8 KB is not searched, as it is hardly text; the card names it.',
      'The search stops after 30 seconds, or at 10 MB of output, and returns what was found by then.',
    ],
  },
  async execute({ folder, input }, { files, processes, signal, card }) {
    const { directory, pattern, recursive, regex, case_sensitive } = input;
    requireSearchable({ query: input.query, pattern });
    const scope: SearchScope = {
      directory: folder.real,
      isRecursive: recursive,
      // Only names are matched; anything before the last slash is ignored.
      namePattern: pattern.slice(pattern.lastIndexOf('/') + 1) || '*',
      skippedNames: SKIPPED_NAMES,
      leftOut: leftOutBelow(folder.real, files),
    };
    compileGlob(scope.namePattern);
    const query = { text: input.query, isRegex: regex, isCaseSensitive: case_sensitive };
    const request = { query, report: { kind: 'lines', before: 0, after: 0 } } as const;
    const output = await orFailure(PREFIX, directory, async () => {
      await requireSamePlace(folder, 'read');
      return textMatches(request, scope, { files, processes, signal, guardMs: GUARD_MS });
    });
    const shown = (path: string) => folder.shownPrefix + path;
    const found = output.files.map((file) => ({ ...file, path: shown(file.path) })).sort(byPath);
    if (found.length === 0 && output.ending === 'timed-out')
      throw new Error(`timed out after ${GUARD_MS / 1000} s. Narrow the search with directory or pattern`);
    const secretFiles = output.secretFiles.map(shown);
    card(matchesCard(found, { secretFiles, binaryFiles: output.binaryFiles.map(shown) }));
    const lines = found.flatMap(({ path, lines }) =>
      lines.map(({ number, text }) => `${pathOnOneLine(path)}:${number}: ${text}`),
    );
    return [...lines, ...searchNotices({ ending: output.ending, secretFiles }, NOTICES)].join('\n');
  },
});

async function existing(files: WorkspaceFiles, directory: string): Promise<WorkspaceDirectory> {
  const folder = await files.resolveDirectory(directory);
  if (folder === null) throw new ToolFailure(`Error: Directory not found: ${directory}`);
  return folder;
}
