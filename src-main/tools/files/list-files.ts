import { z } from 'zod';
import { pathOnOneLine } from '../../base/text.ts';
import { ToolFailure } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { orFailure } from './file-failure.ts';

const PREFIX = 'Error listing files: ';

/** Lists the files in a folder, by path. Source: tool catalogue B.1. */
export const listFiles = defineTool({
  name: 'list_files',
  access: 'read',
  errorPrefix: PREFIX,
  description:
    'List the files in a folder, including hidden ones, without its folders: one path per line, relative to the workspace. To find files by pattern, use glob.',
  input: z.object({
    directory: z.string().default('.').describe('Folder, relative to the workspace or absolute'),
    recursive: z.boolean().default(false).describe('Include subfolders'),
  }),
  strictParameters: ['directory'],
  words: {
    title: 'List files',
    done: 'Listed files',
    nothing: 'there are no files there.',
    icon: 'folder-tree',
    about: ['directory'],
  },
  manual: {
    example: { directory: 'src', recursive: true },
    limits: ['Links to folders are not followed.'],
  },
  async assess({ directory, recursive }, { files }) {
    const folder = await files.resolveDirectory(directory);
    if (folder === null) throw new ToolFailure(`Error: Directory not found: ${directory}`);
    return {
      access: [{ class: 'read', kind: 'file', isFolder: true, path: folder.real, outsideRoots: false }],
      plan: { folder, recursive },
    };
  },
  async execute({ folder, recursive }, { files, signal }) {
    const paths = await orFailure(PREFIX, folder.given, () => files.list(folder, { recursive, signal }));
    return paths.map(pathOnOneLine).join('\n');
  },
});
