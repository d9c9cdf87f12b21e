import type { TokenizerExtension, TokenizerObject, Tokens } from 'marked';

/**
 * Formulas are shown as they were written; without this, their underscores and backslashes would be taken for Markdown.
 */
export interface MathToken extends Tokens.Generic {
  readonly type: 'math' | 'math_block';
  readonly text: string;
}

/** As in TeX, a formula contains no blank line, so an unclosed one ends with its paragraph. */
const BLOCK = /^ {0,3}(?:\$\$((?:(?!\n[ \t]*\n)[\s\S])+?)\$\$|\\\[((?:(?!\n[ \t]*\n)[\s\S])+?)\\\])[ \t]*(?:\n|$)/;
/** A closing dollar followed by a digit, or a dollar next to a space, is money. */
const INLINE = /^(?:\$\$([^$\n]+?)\$\$|\$(?![\s$])((?:\\.|[^$\\\n])*?[^\s$\\])\$(?![\d$])|\\\((.+?)\\\)|\\\[(.+?)\\\])/;

const INSIDE = /\n {0,3}(?:\$\$|\\\[)/;

/**
 * Marked looks for a setext underline in all lines of a paragraph and would take a formula in between for heading text.
 */
export const headingWithoutMath: TokenizerObject = {
  lheading(source) {
    const [heading = ''] = this.rules.block.lheading.exec(source) ?? [];
    return INSIDE.test(heading) ? undefined : false;
  },
};

export const mathBlock: TokenizerExtension = {
  name: 'math_block',
  level: 'block',
  start: (source) => /(?:^|\n) {0,3}(?:\$\$|\\\[)/.exec(source)?.index,
  tokenizer(source): MathToken | undefined {
    const match = BLOCK.exec(source);
    return match === null
      ? undefined
      : { type: 'math_block', raw: match[0], text: (match[1] ?? match[2] ?? '').trim() };
  },
};

export const mathInline: TokenizerExtension = {
  name: 'math',
  level: 'inline',
  start: (source) => /\$|\\[([]/.exec(source)?.index,
  tokenizer(source): MathToken | undefined {
    const match = INLINE.exec(source);
    if (match === null) return undefined;
    return { type: 'math', raw: match[0], text: match[1] ?? match[2] ?? match[3] ?? match[4] ?? '' };
  },
};
