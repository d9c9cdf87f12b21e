import type { TokenizerExtension, TokenizerObject, Tokens } from 'marked';

/** Formulas are shown as they were written; without this, their underscores and backslashes would be taken for Markdown. */
export interface MathToken extends Tokens.Generic {
  readonly type: 'math' | 'math_block';
  readonly text: string;
}

/** As in TeX, no blank line is in a formula: one that never ends takes no more than its paragraph. */
const BLOCK = /^ {0,3}(?:\$\$((?:(?!\n[ \t]*\n)[\s\S])+?)\$\$|\\\[((?:(?!\n[ \t]*\n)[\s\S])+?)\\\])[ \t]*(?:\n|$)/;
/** A dollar before a digit after the closing one, or beside a blank, is money. */
const INLINE = /^(?:\$\$([^$\n]+?)\$\$|\$(?![\s$])((?:\\.|[^$\\\n])*?[^\s$\\])\$(?![\d$])|\\\((.+?)\\\)|\\\[(.+?)\\\])/;

const INSIDE = /\n {0,3}(?:\$\$|\\\[)/;

/** Marked looks for the underline of a heading in all the lines of a paragraph, and would take a formula among them for its text. */
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
