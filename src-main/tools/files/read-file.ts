import { basename } from 'node:path';
import { z } from 'zod';
import { isMissing } from '../../base/file-problem.ts';
import { isSecretText } from '../../policy/secret-files.ts';
import { ToolFailure } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { NothingThere } from '../unreached.ts';
import { orFailure } from './file-failure.ts';
import { NotText } from './not-text.ts';

const PREFIX = 'Error reading file: ';

/** Reads the stored text of a file. Source: tool catalogue B.1. */
export const readFile = defineTool({
  name: 'read_file',
  access: 'read',
  nameAliases: ['read'],
  errorPrefix: PREFIX,
  description: 'Read a text file or a Word document (.docx). Returns its text as stored, without line numbers.',
  input: z.object({
    file_path: z.string().describe('Relative to the workspace, or absolute'),
    offset: z.number().min(1).default(1).describe('First line to read, counted from 1'),
    limit: z.number().min(-1).default(-1).describe('Number of lines; -1 = all'),
  }),
  aliases: { path: 'file_path' },
  words: { title: 'Read file', done: 'Read', nothing: 'the file is empty.', icon: 'file-text', about: ['file_path'] },
  manual: {
    example: { file_path: 'src/Program.cs', offset: 100, limit: 50 },
    limits: [
      'Text in any common encoding: by its byte order mark, as UTF-8, else as guessed. Word documents: .docx, .docm, .dotx, .dotm.',
      'Up to 100 MB of text at once; larger files in parts, with offset and limit.',
      'A relative path that is not in the workspace is searched for in the parent folders, up to the root of the repository, and then in workingDirectory of config.json if that folder is granted; the user is asked before a file outside the workspace and the granted folders is read.',
    ],
  },
  async assess({ file_path, offset, limit }, { files }) {
    const file = await files.resolveForReading(file_path);
    const lines = { offset: Math.trunc(offset), limit: Math.trunc(limit) };
    return { access: [file.access('read')], plan: { file, lines } };
  },
  async execute({ file, lines }, { signal, card, onOutput, allowAccess }) {
    const path = file.given;
    return orFailure(PREFIX, path, async () => {
      try {
        const { text, encoding = 'utf-8' } = await file.readText(lines, { signal, onProgress: onOutput });
        // A Word document is compressed, and other encodings write the same letters with other bytes.
        if (!file.isSecret() && isSecretText(basename(file.real), text))
          await allowAccess({ ...file.access('read'), isSecret: true });
        if (encoding !== 'utf-8') card({ kind: 'file-text', path, encoding });
        return text;
      } catch (error) {
        if (error instanceof NotText) throw new ToolFailure(`${PREFIX}${path} ${error.message}`, { cause: error });
        if (!isMissing(error)) throw error;
        throw new ToolFailure(`${PREFIX}Could not find file '${path}'`, { cause: new NothingThere(error) });
      }
    });
  },
});
