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

/** The `.env` of a folder as it is now. A missing file is no problem; nothing but a plain file is ever opened. */
export function readDotEnv(directory: string): DotEnv {
  const path = join(directory, '.env');
  const ignored = (why: string): DotEnv => ({ values: {}, problem: `${path} ${why}; it is ignored.` });
  try {
    const status = statSync(path, { throwIfNoEntry: false });
    if (status === undefined || status.isDirectory()) return { values: {} };
    if (!status.isFile()) return ignored('is not a plain file');
    if (status.size > MAX_BYTES) return ignored(`is larger than ${MAX_BYTES / 1024} KB`);
    const bytes = readFileSync(path);
    if (bytes.includes(0)) return ignored('is not a text file in UTF-8');
    return { values: parseEnv(bytes.toString('utf8').replace(/^\ufeff/, '')) };
  } catch (error) {
    const code = systemCode(error) || 'unknown error';
    return code === 'ENOENT' || code === 'ENOTDIR' ? { values: {} } : ignored(`cannot be read (${code})`);
  }
}
