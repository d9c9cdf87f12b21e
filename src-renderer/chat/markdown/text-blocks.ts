import type { TextItem } from '../../conversation/items.svelte.ts';
import { textToken } from './bounded-lexer.ts';
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
  return parsed(parser, item.text, !item.isLive);
}

/** The blocks of a text that is complete. */
export function blocksOf(text: string): readonly MarkdownBlock[] {
  return parsed(new IncrementalBlocks(), text, true);
}

/** The calls of a turn are drawn beside its texts, whatever is in these: a text that fails is one block, as written. */
function parsed(parser: IncrementalBlocks, text: string, isComplete: boolean): readonly MarkdownBlock[] {
  try {
    return parser.parse(text, isComplete);
  } catch {
    return [{ key: 0, token: textToken(text), level: null }];
  }
}
