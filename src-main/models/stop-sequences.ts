import type { AssistantBlock } from '../../src-preload/contract/content-blocks.ts';

/**
 * An answer up to the first of these texts, which is no part of it; what came after is dropped. For services that take
 * no stop sequences (OpenAI's Responses, thinking models) or only some. `isCut`: one was there. Pure.
 */
export function cutAtStop(
  blocks: readonly AssistantBlock[],
  stopSequences: readonly string[],
): { readonly blocks: readonly AssistantBlock[]; readonly isCut: boolean } {
  for (const [index, block] of blocks.entries()) {
    if (block.type !== 'text') continue;
    const places = stopSequences.map((sequence) => block.text.indexOf(sequence)).filter((place) => place !== -1);
    if (places.length === 0) continue;
    const text = block.text.slice(0, Math.min(...places));
    return { blocks: [...blocks.slice(0, index), { ...block, text }], isCut: true };
  }
  return { blocks, isCut: false };
}
