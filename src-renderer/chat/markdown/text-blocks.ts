import type { TextItem } from '../../conversation/items.svelte.ts';
import { IncrementalBlocks, type MarkdownBlock } from './incremental-blocks.ts';

/** A text keeps its parser as long as it exists, so that nothing is parsed again when it is scrolled away and back. */
const parsers = new WeakMap<TextItem, IncrementalBlocks>();

/** The blocks of the current text. Parsed on first access. */
export function markdownBlocksOf(item: TextItem): readonly MarkdownBlock[] {
  let parser = parsers.get(item);
  if (parser === undefined) {
    parser = new IncrementalBlocks();
    parsers.set(item, parser);
  }
  return parser.parse(item.text, !item.isLive);
}

/** The blocks of a text that is complete. */
export function blocksOf(text: string): readonly MarkdownBlock[] {
  return new IncrementalBlocks().parse(text, true);
}
