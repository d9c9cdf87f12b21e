import { z } from 'zod';
import { FILE_LENGTH } from '../argument-limits.ts';
import { ToolFailure } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { diffCard, secretDiffCard } from './diff-card.ts';
import { orFailure } from './file-failure.ts';
import { withObeyed } from './obeyed-by-name.ts';
import { changeOf, plannedFor, shownOf } from './secret-plan.ts';
import type { WorkspaceFile } from './workspace-file.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

const PREFIX = 'Error appending to file: ';

/** Adds text to the end of an existing file, keeping its encoding. Source: tool catalogue B.1. */
export const appendFile = defineTool({
  name: 'append_file',
  access: 'write',
  errorPrefix: PREFIX,
  description: 'Add text to the end of an existing file. Use write_file to create a new one.',
  longest: { content: FILE_LENGTH },
  input: z.object({
    path: z.string().describe('Existing file, relative to the workspace or absolute'),
    content: z.string().describe('Text to add, unchanged; no newline is inserted'),
  }),
  aliases: { file_path: 'path' },
  emptyAllowed: ['content'],
  undo: 'before-image',
  words: { title: 'Append to file', done: 'Appended to', icon: 'pencil-line', about: ['path'] },
  manual: {
    example: { path: 'notes.md', content: '- call Ada\n' },
    limits: [
      'Nothing is inserted between the end of the file and the text.',
      'The file keeps its encoding; text that this can’t hold is an error.',
    ],
  },
  async assess({ path, content }, { files, signal }) {
    const file = await existing(files, path);
    const isSecret = file.isSecret();
    const planned = await plannedFor(PREFIX, { file, isSecret }, () => file.planAppend(content, signal));
    const access = await withObeyed(file.accessToStore(content), file, files);
    return { access, ...shownOf(planned), plan: { file, planned, isSecret } };
  },
  async execute({ file, planned, isSecret }, { signal, card }) {
    const change = changeOf(planned);
    const path = file.given;
    await orFailure(PREFIX, path, async () => {
      await file.append(change, signal);
      card(isSecret ? secretDiffCard(path) : await diffCard(path, change));
    });
    return `Successfully appended to ${path}`;
  },
});

async function existing(files: WorkspaceFiles, path: string): Promise<WorkspaceFile> {
  const file = await files.resolve(path);
  if (await file.exists()) return file;
  throw new ToolFailure(`Error: file does not exist: ${path}. Use write_file to create it first.`);
}
