import type { StructuredPatchHunk } from 'diff';

export interface Comparison {
  readonly before: string;
  readonly after: string;
  readonly timeoutMs: number;
}

/** The number of unchanged lines that are shown around each change. */
const CONTEXT_LINES = 3;

/** The differences between two texts, or undefined if it took too long. */
export async function lineHunks({
  before,
  after,
  timeoutMs: timeout,
}: Comparison): Promise<readonly StructuredPatchHunk[] | undefined> {
  const { structuredPatch } = await import('diff');
  return structuredPatch('', '', before, after, undefined, undefined, { context: CONTEXT_LINES, timeout })?.hunks;
}
