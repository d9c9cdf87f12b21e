import { z } from 'zod';
import type { CallEffects } from '../../policy/access.ts';
import { defineTool, ToolFailure } from '../contract.ts';
import { orFailure } from './file-failure.ts';
import { isMissing } from './file-problem.ts';

const PREFIX = 'Error reading file: ';

/** The text of a file as it is stored. Source: tool catalogue B.1. */
export const readFile = defineTool({
  name: 'read_file',
  access: 'read',
  nameAliases: ['read'],
  errorPrefix: PREFIX,
  description: 'Read a text file or a Word document (.docx). Returns its text as it is stored, without line numbers.',
  input: z.object({
    file_path: z.string().describe('Relative to the workspace, or absolute'),
    offset: z.number().min(1).default(1).describe('First line to read, counted from 1'),
    limit: z.number().min(-1).default(-1).describe('Number of lines; -1 = all'),
  }),
  aliases: { path: 'file_path' },
  manual: {
    example: { file_path: 'src/Program.cs', offset: 100, limit: 50 },
    limits: [
      'Up to 100 MB of text at once; of larger files a part, with offset and limit.',
      'A relative path that is not in the workspace is looked for in the folders above, up to the root of the repository; what is found outside the workspace asks first.',
    ],
  },
  async effects({ file_path }, { files }) {
    const file = await files.resolveForReading(file_path);
    return { access: [file.access('read')] };
  },
  async execute({ file_path, offset, limit }, { files, signal, mark, authorized }) {
    const file = await files.resolveForReading(file_path);
    if (file.outsideRoots && authorized !== undefined && !names(authorized, file.real)) {
      throw new ToolFailure(`${PREFIX}the file that was to be read is gone, and one found above it was not allowed`);
    }
    const text = await orFailure(PREFIX, file_path, async () => {
      try {
        return await file.readText({ offset: Math.trunc(offset), limit: Math.trunc(limit) }, signal);
      } catch (error) {
        throw isMissing(error) ? new ToolFailure(`${PREFIX}Could not find file '${file_path}'`) : error;
      }
    });
    mark({ kind: 'private', source: `file ${file_path}` });
    return text;
  },
});

function names({ access }: CallEffects, real: string): boolean {
  return access.some((one) => 'path' in one && one.path === real);
}
