import { randomBytes } from 'node:crypto';
import { realpath, rm, writeFile } from 'node:fs/promises';
import { renameOver } from './rename-over.ts';

/**
 * Replaces a file whole or not at all: readers see the old or the new text, also after a crash or on a full disk. A
 * symbolic link remains one. The file is readable by its owner only.
 *
 * Not write-file-atomic: 6.0.0 ignores short writes, so on a full disk it puts a cut file in place and reports success.
 * `fs.writeFile` keeps writing until everything is written or it fails.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const temporary = `${target}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600, flush: true });
    await renameOver(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
