import { z } from 'zod';
import { defineTool, ToolFailure } from '../contract.ts';
import { orFailure } from '../files/file-failure.ts';
import type { WorkspaceDirectory, WorkspaceFiles } from '../files/workspace-files.ts';
import { PathGlob } from '../path-glob.ts';
import { filesCard } from './matches-card.ts';

/** Files whose paths match a pattern. Source: tool catalogue B.1. */
export const glob = defineTool({
  name: 'glob',
  access: 'read',
  description:
    'Find files by path, such as **/*.ts. Returns absolute paths, one per line, sorted. Hidden files only if the pattern names their dot.',
  input: z.object({
    pattern: z.string().describe('** any folders, * any characters, ? one, [a-z] one of these, {a,b} either'),
    path: z.string().default('.').describe('Folder to start in, relative to the workspace or absolute'),
  }),
  manual: {
    example: { pattern: '**/*.{ts,tsx}', path: 'src' },
    limits: ['.git and links to folders are not entered.'],
  },
  async effects({ pattern, path }, { files }) {
    const { given, folder } = await locate(files, pattern, path);
    return { access: [{ class: 'read', kind: 'directory', path: (folder ?? given).real }] };
  },
  async execute({ pattern, path }, { files, signal, card }) {
    const { folder, matcher } = await locate(files, pattern, path);
    const found = folder === null ? [] : await orFailure('Error: ', path, () => files.glob(folder, matcher, signal));
    if (folder === null || found.length === 0) return `No files matched pattern: ${pattern}`;
    const base = folder.absolute.endsWith('/') ? folder.absolute : `${folder.absolute}/`;
    const paths = found.map((file) => base + file);
    card(filesCard(paths.map((each) => ({ path: each }))));
    return paths.join('\n');
  },
});

interface Located {
  readonly given: WorkspaceDirectory;
  /** `null`: there is no folder where the pattern begins. */
  readonly folder: WorkspaceDirectory | null;
  readonly matcher: PathGlob;
}

/** Rejects with `AccessDenied`, or with `ToolFailure` if there is no such folder or the pattern is none. */
function locate(files: WorkspaceFiles, pattern: string, path: string): Promise<Located> {
  return orFailure('Error: ', path, async () => {
    const given = await files.resolveDirectory(path);
    if (given === null) throw new ToolFailure(`Error: Directory not found: ${path}`);
    const { start, rest } = splitStart(process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern);
    const matcher = new PathGlob(rest);
    if (start === '') return { given, folder: given, matcher };
    const from = start.startsWith('..') ? `${given.absolute}/${start}` : start;
    return { given, folder: await files.resolveDirectory(from), matcher };
  });
}

/** A pattern that leaves the folder, or names one of its own, begins with where: it passes the same policy as any path. */
function splitStart(pattern: string): { start: string; rest: string } {
  if (!/^(?:\/|[A-Za-z]:\/|(?:\.\/)*\.\.(?:\/|$))/.test(pattern)) return { start: '', rest: pattern };
  const segments = pattern.replace(/^(?:\.\/)+/, '').split('/');
  const firstWild = segments.findIndex((segment) => /[*?[\]{}\\]/.test(segment));
  const names = segments.slice(0, firstWild === -1 ? -1 : firstWild);
  return { start: names.join('/') || '/', rest: segments.slice(names.length).join('/') };
}
