import { z } from 'zod';
import { pathOnOneLine } from '../../base/text.ts';
import { ToolFailure } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { orFailure } from './file-failure.ts';
import type { WorkspaceDirectory, WorkspaceFiles } from './workspace-files.ts';

/** Lists everything in one folder, with its kind. Source: tool catalogue B.1. */
export const listDirectory = defineTool({
  name: 'list_directory',
  access: 'read',
  nameAliases: ['list'],
  description:
    'List the entries of a folder, including hidden ones: the name and kind (file, directory, symlink, other) of each.',
  input: z.object({
    path: z.string().default('.').describe('Folder, relative to the workspace or absolute'),
  }),
  strictParameters: ['path'],
  words: { title: 'List directory', done: 'Listed', icon: 'folder-tree', about: ['path'] },
  manual: { example: { path: 'src' }, limits: ['One folder, without its subfolders.'] },
  async assess({ path }, { files }) {
    const folder = await existing(files, path);
    return {
      access: [{ class: 'read', kind: 'file', isFolder: true, path: folder.real, outsideRoots: false }],
      plan: folder,
    };
  },
  async execute(folder, { files }) {
    const entries = await orFailure('Error: ', folder.given, () => files.entries(folder));
    const header = `Here are the files in ${folder.absolute}:`;
    if (entries.length === 0) return header;
    return [header, '', ...entries.map(({ name, kind }) => `- ${pathOnOneLine(name)} (${kind})`)].join('\n');
  },
});

async function existing(files: WorkspaceFiles, path: string): Promise<WorkspaceDirectory> {
  return orFailure('Error: ', path, async () => {
    const folder = await files.resolveDirectory(path);
    if (folder !== null) return folder;
    const isThere = await (await files.resolve(path)).exists();
    throw new ToolFailure(isThere ? 'Error: path is not a directory' : `Error: directory not found: ${path}`);
  });
}
