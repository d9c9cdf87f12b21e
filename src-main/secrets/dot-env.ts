import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { systemCode } from '../base/errors.ts';

const MAX_BYTES = 256 * 1024;

export interface DotEnv {
  readonly values: Readonly<Record<string, string | undefined>>;
  /** Why the file was not read; for people. */
  readonly problem?: string;
}

/** The current `.env` of a folder. A missing file is not a problem; only plain files are ever opened. */
export function readDotEnv(directory: string): DotEnv {
  const { text = '', problem } = readPlainText(join(directory, '.env'));
  return problem === undefined ? { values: parseEnv(text) } : { values: {}, problem };
}

export interface PlainText {
  /** The text of the file. Absent if there is none, or if it is not used. */
  readonly text?: string;
  /** A text for people. */
  readonly problem?: string;
  readonly isTooLarge?: true;
}

/** The text of a small plain file, without its byte order mark. */
export function readPlainText(path: string): PlainText {
  const ignored = (why: string) => ({ problem: `${path} ${why}; it is ignored.` });
  try {
    const status = statSync(path, { throwIfNoEntry: false });
    if (status === undefined || status.isDirectory()) return {};
    if (!status.isFile()) return ignored('is not a plain file');
    if (status.size > MAX_BYTES) return { ...ignored(`is larger than ${MAX_BYTES / 1024} KB`), isTooLarge: true };
    const bytes = readFileSync(path);
    if (bytes.includes(0)) return ignored('is not a text file in UTF-8');
    return { text: bytes.toString('utf8').replace(/^\ufeff/, '') };
  } catch (error) {
    const code = systemCode(error) || 'unknown error';
    return code === 'ENOENT' || code === 'ENOTDIR' ? {} : ignored(`cannot be read (${code})`);
  }
}
