import type { Tokenizer } from 'htmlparser2';

type TokenizerCallbacks = ConstructorParameters<typeof Tokenizer>[1];

/**
 * The text of these elements is not shown. The content of `script`, `style` and `title` is not markup, so they can be
 * left unchanged.
 */
const UNSEEN = new Set(['head', 'noscript', 'template']);
const VOID = new Set(['br', 'hr', 'img', 'input']);
const KEPT = new Set([...VOID, 'script', 'style', 'textarea', 'title', 'xmp']);
/** These change what a text says, so they are kept, but never inside themselves. */
const CHANGING = new Set(['del', 's', 'strike', 'sup']);
const INLINE = new Set(
  'a abbr b bdi bdo big cite code data del dfn em font g i img input ins kbd label mark math nobr path q s samp small span strike strong sub sup svg time tt u use var wbr'.split(
    ' ',
  ),
);

/** Replaces a tag, so that what is on both sides of it can't become one tag. Unlike a blank it does not end a word. */
const SEAM = '<!---->';

/**
 * The page without any nesting, but with its text, links and line starts. Extremely nested pages need this: the parser
 * takes quadratic time for them (80 s for 2 MB of `<b>`), and walking their tree overflows the stack.
 */
export function flattened(html: string, TokenizerClass: typeof Tokenizer): string {
  const parts: string[] = [];
  let textStart = 0;
  let tagStart = 0;
  let name = '';
  let isInLink = false;
  let unseen: string | undefined;
  const changing = new Set<string>();

  /** Emits the text before the tag unchanged, and `replacement` for the tag. */
  const replaceTag = (end: number, replacement: string) => {
    if (unseen === undefined) parts.push(html.slice(textStart, tagStart), replacement);
    textStart = end;
  };
  const openLink = (end: number) => {
    const tag = html.slice(tagStart, end);
    replaceTag(end, isInLink ? `</a>${tag}` : tag);
    if (unseen === undefined) isInLink = true;
  };
  const endOfOpenTag = (index: number) => {
    const end = index + 1;
    if (unseen !== undefined) textStart = end;
    else if (UNSEEN.has(name)) {
      replaceTag(end, SEAM);
      unseen = name;
    } else if (name === 'a') openLink(end);
    else if (CHANGING.has(name) && !changing.has(name)) changing.add(name);
    else if (!KEPT.has(name)) replaceTag(end, name === 'li' ? '<br>- ' : lineBreakFor(name));
  };
  const noAction = () => undefined;
  const callbacks: TokenizerCallbacks = {
    onopentagname: (start, end) => {
      name = html.slice(start, end).toLowerCase();
      tagStart = start - 1;
    },
    onopentagend: endOfOpenTag,
    onselfclosingtag: (index) => {
      // Leaves out the content, which for these elements is raw text unless they are self-closing.
      if (KEPT.has(name) && !VOID.has(name)) replaceTag(index + 1, SEAM);
      else endOfOpenTag(index);
    },
    onclosetag: (start, end) => {
      const closed = html.slice(start, end).toLowerCase();
      tagStart = html.lastIndexOf('<', start);
      const tagEnd = html.indexOf('>', end) + 1 || html.length;
      if (unseen !== undefined) {
        if (closed === unseen) unseen = undefined;
        textStart = tagEnd;
      } else if (closed === 'a') {
        replaceTag(tagEnd, isInLink ? '</a>' : SEAM);
        isInLink = false;
      } else if (changing.delete(closed)) return;
      else if (!KEPT.has(closed) || closed === 'br' || closed === 'hr') replaceTag(tagEnd, lineBreakFor(closed));
    },
    onattribdata: noAction,
    onattribentity: noAction,
    onattribend: noAction,
    onattribname: noAction,
    oncdata: noAction,
    oncomment: noAction,
    ondeclaration: noAction,
    onend: noAction,
    onprocessinginstruction: noAction,
    ontext: noAction,
    ontextentity: noAction,
  };
  const tokenizer = new TokenizerClass({ xmlMode: false, decodeEntities: false }, callbacks);
  tokenizer.write(html);
  tokenizer.end();
  if (unseen === undefined) parts.push(html.slice(textStart));
  return parts.join('');
}

function lineBreakFor(name: string): string {
  return INLINE.has(name) ? SEAM : '<br>';
}
