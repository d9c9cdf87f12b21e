import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { FILE_LENGTH } from '../argument-limits.ts';
import { ToolFailure } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { diffCard, secretDiffCard } from './diff-card.ts';
import { orFailure } from './file-failure.ts';
import { withObeyed } from './obeyed-by-name.ts';
import { changeOf, plannedFor, shownOf } from './secret-plan.ts';
import type { WorkspaceFile } from './workspace-file.ts';

const PREFIX = 'Error writing file: ';

/** Creates or replaces a file. Source: tool catalogue B.1. */
export const writeFile = defineTool({
  name: 'write_file',
  access: 'write',
  nameAliases: ['write'],
  errorPrefix: PREFIX,
  description:
    'Create a file or replace its whole content. Missing folders are created. To change part of a file, use edit.',
  longest: { content: FILE_LENGTH },
  input: z.object({
    file_path: z.string().describe('Relative to the workspace, or absolute'),
    content: z.string().describe('The whole text, stored unchanged; may be empty'),
    create_directories: z.boolean().default(true).describe('Create missing parent folders'),
  }),
  aliases: { path: 'file_path' },
  emptyAllowed: ['content'],
  strictParameters: ['create_directories'],
  undo: 'before-image',
  words: { title: 'Write file', done: 'Wrote', icon: 'pencil-line', about: ['file_path'] },
  manual: {
    example: { file_path: 'src/New.cs', content: 'public class New { }\n' },
    limits: [
      'Stored in UTF-8 without a byte order mark; an existing file in another encoding keeps that, and text that it can’t hold is an error.',
      'An existing file keeps its permissions.',
    ],
  },
  async assess({ file_path, content, create_directories: createDirectories }, { files, signal }) {
    const file = await files.resolve(file_path);
    await requireParent(file, createDirectories);
    const isSecret = file.isSecret();
    const planned = await plannedFor(PREFIX, { file, isSecret }, () => file.planWrite(content, signal));
    const isNew = 'change' in planned && planned.change.preview.isNewFile;
    const access = isNew ? [{ ...file.access('write'), isNew }] : file.accessToStore(content);
    return {
      access: await withObeyed(access, file, files),
      ...shownOf(planned),
      plan: { file, createDirectories, planned, isSecret },
    };
  },
  async execute({ file, createDirectories, planned, isSecret }, { signal, card }) {
    const change = changeOf(planned);
    const path = file.given;
    await orFailure(PREFIX, path, async () => {
      await file.write(change, { createDirectories, signal });
      card(isSecret ? secretDiffCard(path) : await diffCard(path, change));
    });
    return 'OK';
  },
});

async function requireParent(file: WorkspaceFile, mayCreate: boolean): Promise<void> {
  if (file.given.endsWith('/')) throw new ToolFailure(`${PREFIX}path is a directory, not a file`);
  if (mayCreate) return;
  const isThere = await stat(dirname(file.real)).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isThere) throw new ToolFailure(`Error: Directory does not exist: ${dirname(file.absolute)}`);
}
