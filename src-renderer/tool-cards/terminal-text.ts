const ESCAPE = String.raw`\x1b`;
const pattern = (source: TemplateStringsArray, ...parts: readonly string[]) =>
  new RegExp(String.raw(source, ...parts), 'gu');
/** Colour sequences; all other escape sequences are applied here or dropped. */
const COLOUR = pattern`${ESCAPE}\[[\d;]*m`;
const ERASE = pattern`${ESCAPE}\[[\d;]*K`;
const OTHER_ORDER = pattern`${ESCAPE}\[(?![\d;]*[mK])[0-?]*[ -\/]*[@-~]`;
/**
 * Titles, links and images: sequences with a string argument. An unterminated one is ignored and the text after it is
 * shown.
 */
const STRING_ORDER = pattern`${ESCAPE}[\]PX^_][^\x07${ESCAPE}\n]{0,4000}(?:\x07|${ESCAPE}\\)`;
const OTHER_ESCAPE = pattern`${ESCAPE}(?!\[[\d;]*[mK])(?:\[|[ -\/]*[0-~])?`;
/** Bells and the like: a terminal shows nothing for them. */
const SILENT = pattern`(?![\t\n\r\x08${ESCAPE}])\p{Cc}`;
const CELL = pattern`${ESCAPE}\[[\d;]*[mK]|[\s\S]`;
const MAX_OPEN_ORDERS = 16;

/** Lines as a terminal would show them: overwritten progress is gone, and only colour sequences remain. */
export function terminalLines(printed: string): readonly string[] {
  const text = printed
    .replace(STRING_ORDER, '')
    .replace(OTHER_ORDER, '')
    .replace(OTHER_ESCAPE, '')
    .replace(SILENT, '')
    .replace(/(?<!\r)\r+\n/g, '\n');
  const lines = text.split('\n');
  return lines.map((line) => (/[\r\b]/.test(line) ? overwritten(line) : line.replace(ERASE, '')));
}

/** The colours active at the end of `lines`, as their escape sequences. */
export function openStyle(lines: readonly string[]): string {
  let open: string[] = [];
  for (const line of lines) {
    for (const [order] of line.matchAll(COLOUR)) {
      open = isReset(order) ? [] : [...open.slice(1 - MAX_OPEN_ORDERS), order];
    }
  }
  return open.join('');
}

export function withoutColours(text: string): string {
  return text.replace(COLOUR, '');
}

function isReset(order: string): boolean {
  return /\[0*m$/.test(order);
}

/** A line in which the cursor went back, as a terminal would show it. */
function overwritten(line: string): string {
  const cells: { character: string; style: string }[] = [];
  let at = 0;
  let style: string[] = [];
  for (const [part] of line.matchAll(CELL)) {
    if (part === '\r') at = 0;
    else if (part === '\b') at = Math.max(0, at - 1);
    else if (part.startsWith('\u001b') && part.endsWith('K')) erase(cells, at, part);
    else if (part.startsWith('\u001b')) style = isReset(part) ? [] : [...style.slice(1 - MAX_OPEN_ORDERS), part];
    else {
      cells[at] = { character: part, style: style.join('') };
      at += 1;
    }
  }
  let text = '';
  let written = '';
  for (const cell of cells) {
    if (cell.style !== written) text += `\u001b[0m${cell.style}`;
    written = cell.style;
    text += cell.character;
  }
  return style.join('') === written ? text : `${text}\u001b[0m${style.join('')}`;
}

function erase(cells: { character: string; style: string }[], at: number, order: string): void {
  const blank = { character: ' ', style: '' };
  if (order.includes('2')) cells.fill(blank);
  else if (order.includes('1')) cells.fill(blank, 0, at + 1);
  else cells.splice(at);
}

/** Start of the first whole line at or after `from`; `from` itself if no line ends after it. */
export function lineStart(text: string, from: number): number {
  if (from <= 0) return 0;
  const end = text.indexOf('\n', from - 1);
  return end === -1 ? from : end + 1;
}
