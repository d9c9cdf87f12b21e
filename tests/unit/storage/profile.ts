import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { RuleMatcher } from '../../../src-main/policy/rules.ts';
import { openStorage, type Storage, type StorageOptions } from '../../../src-main/storage/storage.ts';

/** An own folder per call, removed with everything that was opened in it when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'steward-storage-'));
  folders.push(folder);
  return folder;
}

/** Storage that closes when the test ends. */
export async function storageIn(
  directory: string,
  options: Omit<StorageOptions, 'directory'> = {},
): Promise<Storage<RuleMatcher>> {
  const storage = await openStorage<RuleMatcher>({ directory, ...options });
  opened.push(storage);
  return storage;
}

const folders: string[] = [];
const opened: Pick<Storage, 'close'>[] = [];

afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
