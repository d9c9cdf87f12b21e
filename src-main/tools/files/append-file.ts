import { z } from 'zod';
import { defineTool, ToolFailure } from '../contract.ts';
import { diffCard, diffOf } from './diff-card.ts';
import { orFailure } from './file-failure.ts';
import type { WorkspaceFile } from './workspace-file.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

const PREFIX = 'Error appending to file: ';

/** Adds text to the end of an existing file, keeping its encoding. Source: tool catalogue B.1. */
export const appendFile = defineTool({
  name: 'append_file',
  access: 'write',
  errorPrefix: PREFIX,
  description: 'Add text to the end of an existing file. Use write_file to create a new one.',
  input: z.object({
    path: z.string().describe('Existing file, relative to the workspace or absolute'),
    content: z.string().describe('Text to add as it is; no newline is inserted'),
  }),
  aliases: { file_path: 'path' },
  emptyAllowed: ['content'],
  undo: 'before-image',
  manual: {
    example: { path: 'notes.md', content: '- call Ada\n' },
    limits: ['Nothing is put between the end of the file and the text.', 'The encoding of the file stays.'],
  },
  async effects({ path, content }, { files, signal }) {
    const file = await existing(files, path);
    return orFailure(PREFIX, path, async () => {
      const { beforeImage, preview } = await file.plan((before) => (before ?? '') + content, signal);
      return { access: [file.access('write')], previews: [preview], beforeImage };
    });
  },
  async execute({ path, content }, { files, signal, authorized, card }) {
    const file = await existing(files, path);
    await orFailure(PREFIX, path, async () => {
      const diff = diffOf(authorized) ?? (await file.plan((before) => (before ?? '') + content, signal)).preview;
      await file.append(content);
      card(await diffCard(path, diff));
    });
    return `Successfully appended to ${path}`;
  },
});

async function existing(files: WorkspaceFiles, path: string): Promise<WorkspaceFile> {
  const file = await files.resolve(path);
  if (await file.exists()) return file;
  throw new ToolFailure(`Error: file does not exist: ${path}. Use write_file to create it first.`);
}
