import { z } from 'zod';
import { withoutClasses } from '../../base/glob.ts';
import { PathGlob } from '../../base/path-glob.ts';
import { pathOnOneLine } from '../../base/text.ts';
import { ToolFailure } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { orFailure } from '../files/file-failure.ts';
import type { WorkspaceDirectory, WorkspaceFiles } from '../files/workspace-files.ts';
import { filesCard } from './matches-card.ts';

/** Lists the files whose paths match a pattern. Source: tool catalogue B.1. */
export const glob = defineTool({
  name: 'glob',
  access: 'read',
  description:
    'Find files by path, such as **/*.ts. Returns absolute paths, one per line, sorted. Hidden files only if the pattern names their dot.',
  input: z.object({
    pattern: z.string().describe('** any folders, * any characters, ? one, [a-z] one of these, {a,b} either'),
    path: z.string().default('.').describe('Folder to start in, relative to the workspace or absolute'),
  }),
  strictParameters: ['path'],
  words: { title: 'Find files', done: 'Looked for files', icon: 'search', about: ['pattern', 'path'] },
  manual: {
    example: { pattern: '**/*.{ts,tsx}', path: 'src' },
    limits: [
      '.git and links to folders are not entered.',
      'If [ ] finds nothing as a set of characters, it is taken literally: app/[id]/page.tsx.',
    ],
  },
  async assess({ pattern, path }, { files }) {
    const { given, folder, matchers } = await locate(files, pattern, path);
    const access = [
      { class: 'read', kind: 'file', isFolder: true, path: (folder ?? given).real, outsideRoots: false },
    ] as const;
    return { access, plan: { pattern, path, folder, matchers } };
  },
  async execute({ pattern, path, folder, matchers }, { files, signal, card }) {
    const found =
      folder === null ? [] : await orFailure('Error: ', path, () => firstFound(files, folder, matchers, signal));
    if (folder === null || found.length === 0) return `No files matched pattern: ${pattern}`;
    const base = folder.absolute.endsWith('/') ? folder.absolute : `${folder.absolute}/`;
    const paths = found.map((file) => base + file);
    card(filesCard(paths.map((each) => ({ path: each }))));
    return paths.map(pathOnOneLine).join('\n');
  },
});

interface Located {
  readonly given: WorkspaceDirectory;
  /** Null if the folder that the pattern starts in does not exist. */
  readonly folder: WorkspaceDirectory | null;
  /** The pattern as intended, then, if it can also be read as a literal name, that name. */
  readonly matchers: readonly PathGlob[];
}

async function firstFound(
  files: WorkspaceFiles,
  folder: WorkspaceDirectory,
  matchers: readonly PathGlob[],
  signal: AbortSignal,
): Promise<string[]> {
  for (const matcher of matchers) {
    const found = await files.glob(folder, matcher, signal);
    if (found.length > 0) return found;
  }
  return [];
}

/** Rejects with `AccessDenied`, or with `ToolFailure` if the folder does not exist or the pattern is invalid. */
function locate(files: WorkspaceFiles, pattern: string, path: string): Promise<Located> {
  return orFailure('Error: ', path, async () => {
    const given = await files.resolveDirectory(path);
    if (given === null) throw new ToolFailure(`Error: Directory not found: ${path}`);
    const { start, rest } = splitStart(
      withoutWaysBack(process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern),
    );
    // Some frameworks have folders called [id], and models write their names literally.
    const matchers = [rest, withoutClasses(rest)].flatMap((each) => (each === undefined ? [] : [new PathGlob(each)]));
    if (start === '') return { given, folder: given, matchers };
    const from = start.startsWith('..') ? `${given.absolute}/${start}` : start;
    return { given, folder: await files.resolveDirectory(from), matchers };
  });
}

/** `a/../b` is `b`, as in all paths here, whether or not `a` exists. Only a leading `..` that leads out remains. */
function withoutWaysBack(pattern: string): string {
  if (!/[^/]\/+(?:\.\/+)*\.\.(?:\/|$)/.test(pattern)) return pattern;
  const segments: string[] = [];
  for (const [index, segment] of pattern.split('/').entries()) {
    const last = segments.at(-1);
    if (segment === '.' || (segment === '' && index > 0)) continue;
    if (segment !== '..' || last === undefined || last === '' || last === '..') segments.push(segment);
    else if (last === '**' || /\{[^{}]*$|^[^{]*\}/.test(last)) throw new ToolFailure(noWayBack(pattern, last));
    else segments.pop();
  }
  return segments.join('/');
}

function noWayBack(pattern: string, behind: string): string {
  return `Error: the pattern ${pattern} has .. after ${behind}, which can match several folders. Give the folder in path instead`;
}

/**
 * Splits off the leading folder of a pattern that is absolute or leaves the workspace: that path is subject to the
 * usual policy.
 */
function splitStart(pattern: string): { start: string; rest: string } {
  if (!/^(?:\/|[A-Za-z]:\/|(?:\.\/)*\.\.(?:\/|$))/.test(pattern)) return { start: '', rest: pattern };
  const segments = pattern.replace(/^(?:\.\/)+/, '').split('/');
  const firstWild = segments.findIndex((segment) => /[*?[\]{}\\]/.test(segment));
  const names = segments.slice(0, firstWild === -1 ? -1 : firstWild);
  return { start: names.join('/') || '/', rest: segments.slice(names.length).join('/') };
}
