import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { UpdateFailureCode } from '../../../src-preload/contract/updates.ts';
import { errorMessage, systemCode } from '../../base/errors.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { release } from './release.ts';

const MAX_DETAIL = 1_000;
/**
 * The last moment that a `Date` can represent, in ms since 1970. Source:
 * https://tc39.es/ecma262/#sec-time-values-and-time-range
 */
const LAST_DATE_MS = 8.64e15;

const FAILURE_CODES = [
  ...(['unreachable', 'no_answer', 'refused', 'no_release'] as const),
  ...(['unusable', 'elsewhere', 'wrong_file', 'not_stored', 'not_installed'] as const),
] as const satisfies readonly UpdateFailureCode[];

const failure = z.object({
  code: z.enum(FAILURE_CODES),
  detail: z.string().max(MAX_DETAIL).nullable(),
});

const lastCheck = z.object({
  /** The time at which the releases were asked last, in ms since 1970. */
  at: z.int().min(0).max(LAST_DATE_MS),
  failure: failure.nullable(),
  /** The newest release, as of the last answer. */
  release: release.nullable(),
  /** The version whose notice the user dismissed. */
  dismissed: z.string().max(100).nullable(),
  /** What became of the last installation, if it failed. */
  notInstalled: z
    .object({ version: z.string().max(100), failure })
    .nullable()
    .default(null),
});

export type LastCheck = z.output<typeof lastCheck>;

/**
 * What the releases said last, so that a restart does not ask again. It is a file in the profile's `cache/`: the answer
 * can be asked for again, so it belongs in no backup, and a version that keeps it differently only has to ignore it.
 */
export class LastCheckFile {
  readonly #file: string;

  constructor(profileDirectory: string) {
    this.#file = join(profileDirectory, 'cache', 'updates', 'last-check.json');
  }

  /** Resolves with `null` if nothing is known yet. Rejects if the file can't be used. */
  async read(): Promise<LastCheck | null> {
    try {
      return lastCheck.parse(JSON.parse(await readFile(this.#file, 'utf8')));
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return null;
      const reason = error instanceof z.ZodError ? z.prettifyError(error) : errorMessage(error);
      throw new Error(`${this.#file} can’t be used: ${reason}`, { cause: error });
    }
  }

  async keep(known: LastCheck): Promise<void> {
    const folder = dirname(this.#file);
    // The folder is not created recursively, so that a deleted profile is not recreated.
    for (const each of [dirname(folder), folder])
      await mkdir(each, { mode: 0o700 }).catch((error: unknown) => {
        if (systemCode(error) !== 'EEXIST') throw error;
      });
    await replaceFile(this.#file, JSON.stringify(known));
  }
}
