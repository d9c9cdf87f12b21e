import type { Parser } from 'htmlparser2';

/** Real pages stay far below; Chromium itself stops nesting at 512. */
const MAX_DEPTH = 256;

/** The parser counts how many of these are open, and never counts down when they are self-closing (`<svg/>`). */
const COUNTED = new Set('svg math mi mo mn ms mtext annotation-xml foreignobject desc title'.split(' '));

/** What must be known about a page before its text is produced. */
export interface HtmlOutline {
  /** The title with its whitespace collapsed; empty if there is none. */
  readonly title: string;
  /** The `href` of `<base>`, unchanged. */
  readonly baseHref: string | undefined;
  /** With false, nothing marks the end of the head, so its content may be the page's text. */
  readonly isHeadClosed: boolean;
  /** The page is nested more deeply than any real page. */
  readonly isTooDeep: boolean;
}

/** Scans a page once without building a tree. Linear: it stops where the nesting gets too deep. */
export function outlineOf(html: string, ParserClass: typeof Parser): HtmlOutline {
  let depth = 0;
  let foreign = 0;
  let counted = 0;
  let titleParts: string[] | undefined;
  let title: string | undefined;
  let baseHref: string | undefined;
  let isHeadClosed = false;
  let isTooDeep = false;
  let isBase = false;
  const parser = new ParserClass({
    onopentagname: (name) => {
      depth++;
      if (COUNTED.has(name)) counted++;
      if (depth > MAX_DEPTH || counted > MAX_DEPTH) {
        isTooDeep = true;
        parser.pause();
      }
      isBase = name === 'base';
      if (name === 'svg' || name === 'math') foreign++;
      if (name === 'title' && title === undefined && foreign === 0) titleParts = [];
    },
    onattribute: (name, value) => {
      if (isBase && name === 'href') baseHref ??= value;
    },
    ontext: (text) => {
      titleParts?.push(text);
    },
    onclosetag: (name, isImplied) => {
      depth--;
      if (!isImplied && COUNTED.has(name)) counted--;
      if ((name === 'svg' || name === 'math') && foreign > 0) foreign--;
      if (name === 'head' && !isImplied) isHeadClosed = true;
      if (name !== 'title' || titleParts === undefined) return;
      title = titleParts.join('').replace(/\s+/g, ' ').trim();
      titleParts = undefined;
    },
  });
  parser.write(html);
  return { title: title ?? '', baseHref, isHeadClosed, isTooDeep };
}
