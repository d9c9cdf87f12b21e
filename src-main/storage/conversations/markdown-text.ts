import { backticksAround } from '../../base/text.ts';

/**
 * Pieces of Markdown (CommonMark) that keep their structure whatever text is inserted: nothing in a message may close a
 * fence, swallow what follows or look like a heading of the surrounding document.
 */

/** A fenced block; the fence is longer than any run of backticks in the text. */
export function fenced(text: string, language = ''): string {
  const fence = backticksAround(text, 3);
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

export function codeSpan(text: string): string {
  const oneLine = text.replace(/\s+/g, ' ');
  const ticks = backticksAround(oneLine, 1);
  const pad = oneLine.startsWith('`') || oneLine.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${oneLine}${pad}${ticks}`;
}

/** Text on one line, unchanged. */
export function inline(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>#|~]/g, '\\$&');
}

/** Every line in a block quote: anything left open inside ends with it. */
export function quoted(text: string): string {
  return lines(text)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

const FENCE = /^ {0,3}(`{3,}(?!.*`)|~{3,})/;
const HEADING = /^( {0,3})(#{1,6})(?=[ \t]|$)/;
const SETEXT_UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const HTML_START = /^( {0,3})<(?=[!?/a-zA-Z])/;
/** Headings of a message come below the headings of the document, which are of level 1 and 2. */
const LEVELS_DOWN = 2;

/** Markdown written by a model, adapted to be rendered below a heading of level 2 without affecting the document. */
export function nested(markdown: string): string {
  const result: string[] = [];
  let fence: string | undefined;
  let previous = '';
  for (const line of lines(markdown)) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      result.push(line);
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    } else {
      fence = mark;
      result.push(nestedLine(line, previous));
    }
    previous = fence === undefined ? line : '';
  }
  if (fence !== undefined) result.push(fence);
  return result.join('\n');
}

function nestedLine(line: string, previous: string): string {
  if (previous.trim() !== '' && SETEXT_UNDERLINE.test(line)) return line.replace(/[=-]/, '\\$&');
  return line
    .replace(
      HEADING,
      (_, indent: string, marks: string) => indent + '#'.repeat(Math.min(6, marks.length + LEVELS_DOWN)),
    )
    .replace(HTML_START, '$1\\<');
}

function lines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}
