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

const PREFIX = 'Error: ';

/** Replaces text in a file and leaves every other byte unchanged. Source: tool catalogue B.1. */
export const edit = defineTool({
  name: 'edit',
  access: 'write',
  nameAliases: ['edit_file'],
  description: 'Replace text in an existing file: the first occurrence, or all of them.',
  longest: { old_string: FILE_LENGTH, new_string: FILE_LENGTH },
  input: z.object({
    file_path: z.string().describe('Existing file, relative to the workspace or absolute'),
    old_string: z.string().describe('Text to replace, exactly as in the file'),
    new_string: z.string().describe('Replacement text, taken literally; may be empty'),
    replace_all: z.boolean().default(false).describe('Replace every occurrence, not just the first'),
  }),
  aliases: { path: 'file_path' },
  emptyAllowed: ['new_string'],
  undo: 'before-image',
  words: { title: 'Edit', done: 'Edited', icon: 'pencil-line', about: ['file_path'] },
  manual: {
    example: { file_path: 'src/main.ts', old_string: 'let count', new_string: 'const count' },
    limits: ['Files of up to 100 MB.', 'The file keeps its encoding, byte order mark and line ends.'],
  },
  async assess({ file_path, old_string, new_string, replace_all }, { files, signal }) {
    const file = await existing(files, file_path);
    const isSecret = file.isSecret();
    const planned = await plannedFor(PREFIX, { file, isSecret }, async () => {
      const change = await file.planEdit({ find: old_string, replacement: new_string, all: replace_all }, signal);
      if (change === null) throw new ToolFailure('Error: String not found in file');
      return change;
    });
    // Whether an edit is possible tells whether a file that holds secrets contains a text.
    const access = isSecret ? [file.access('read'), file.access('write')] : [file.access('write')];
    return { access: await withObeyed(access, file, files), ...shownOf(planned), plan: { file, planned, isSecret } };
  },
  async execute({ file, planned, isSecret }, { signal, card }) {
    const change = changeOf(planned);
    const path = file.given;
    return orFailure(PREFIX, path, async () => {
      await file.edit(change, signal);
      card(isSecret ? secretDiffCard(path) : await diffCard(path, change));
      const { replaced, left } = change;
      const note = left > 0 ? `\n${left} more occurrence(s) left unchanged; set replace_all to change them.` : '';
      return `Replaced ${replaced} occurrence(s)${note}`;
    });
  },
});

async function existing(files: WorkspaceFiles, path: string): Promise<WorkspaceFile> {
  const file = await orFailure(PREFIX, path, () => files.resolve(path));
  if (await file.exists()) return file;
  throw new ToolFailure(`Error: File not found: ${path}`);
}
