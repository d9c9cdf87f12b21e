import type { AssistantBlock } from '../../src-preload/contract/content-blocks.ts';

/**
 * Cuts an answer before the first of these texts; what came after is dropped. It is for services that take no stop
 * sequences (OpenAI's Responses, thinking models) or only some. `isCut` says that one of the texts was there. The
 * function is pure.
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
