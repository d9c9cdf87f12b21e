import { mkdirSync } from 'node:fs';
import { openCheckpointFolder } from '../../../src-main/checkpoints/checkpoint-folder.ts';
import { ContentStore } from '../../../src-main/checkpoints/content-store.ts';
import type { RestorePorts } from '../../../src-main/checkpoints/restore/journaled-work.ts';
import { openStore } from '../../../src-main/checkpoints/store-database.ts';
import { KEPT_LIMITS } from '../../fixtures/kept-limits.ts';

export const ORIGIN = { kind: 'undo', conversation: 'c1', calls: ['call_1'] } as const;

/** The ports of a profile in a folder. */
export function portsIn(profile: string): RestorePorts & { close(): void } {
  mkdirSync(profile, { recursive: true });
  const files = openCheckpointFolder(profile);
  const store = openStore(files.store);
  const contents = new ContentStore(store, files.contents, KEPT_LIMITS.maxBytes);
  return { store, contents, lock: files.lock, close: () => store.close() };
}
