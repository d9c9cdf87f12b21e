import type { ContentStore } from './content-store.ts';
import type { EntryState } from './entry-state.ts';

/** A longer text is neither compared nor shown. */
const MAX_BYTES = 256 * 1024;

/** The text that a file had. Null if there is no file; undefined if it is no text, or not kept. */
export function textIn(contents: ContentStore, state: EntryState): string | null | undefined {
  if (state.kind !== 'file') return null;
  if (state.digest === null || state.size > MAX_BYTES) return undefined;
  const content = contents.get(state.digest);
  if (content === undefined || !('bytes' in content) || content.bytes.includes(0)) return undefined;
  return Buffer.from(content.bytes).toString();
}
