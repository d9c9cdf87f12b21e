import type { TextItem } from '../../conversation/items.svelte.ts';
import { IncrementalBlocks, type MarkdownBlock } from './incremental-blocks.ts';

/** A text keeps its parser as long as it lives, so that nothing is parsed anew when it leaves the page and comes back. */
const parsers = new WeakMap<TextItem, IncrementalBlocks>();

/** The blocks of a text as it stands. Nothing is parsed before somebody looks. */
export function markdownBlocksOf(item: TextItem): readonly MarkdownBlock[] {
  let parser = parsers.get(item);
  if (parser === undefined) {
    parser = new IncrementalBlocks();
    parsers.set(item, parser);
  }
  return parser.parse(item.text, !item.isLive);
}
