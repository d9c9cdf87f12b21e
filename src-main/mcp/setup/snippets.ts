import { isCommandStart, withoutPrompt } from './command-lines.ts';
import { installLinksIn } from './install-links.ts';

/** A part of a text that may describe servers. */
export interface Snippet {
  readonly kind: 'json' | 'toml' | 'yaml' | 'lines' | 'link' | 'address';
  readonly text: string;
  /** The line of its first character in the whole text, 0-based. */
  readonly line: number;
  readonly column: number;
  /** What the text says above it. */
  readonly title: string | null;
}

/** No README has more that matter. */
const MAX_SNIPPETS = 200;
const MAX_TITLE_LENGTH = 80;
/** Longer lines are no headings, whatever they begin with. */
const MAX_TITLE_LINE_LENGTH = 1_000;
const TOML_START =
  /^\s*\[{1,2}\s*["']?(?:mcp_servers|mcpServers|mcp-servers)["']?\s*(?:\.|\]|$)|^\s*mcp_servers\.[\w."'-]+\s*=/;
const TOML_LINE = /^\s*(?:\[|\]|#|$|["'},{]|[\w."'-]+\s*=)/;
const YAML_START = /^\s*(?:-\s+)?(?:extensions|mcpServers|mcp_servers|servers|context_servers)\s*:\s*(?:#.*)?$/;
const YAML_LINE = /^\s*(?:#|$|-\s|-$|["']?[\w./@-]+["']?\s*:(?:\s|$)|[|>]|[\]}[{])/;
/** An opening bracket that begins JSON, with its key before it. */
const JSON_START =
  /(?:(?:["“-‟][^"“-‟\n]{0,200}["“-‟]|(?<![\w.$])[A-Za-z_][\w.-]{0,80})\s*:\s*)?(?:\{(?=\s*(?:$|["'“”„}{/#.…]|[A-Za-z_$][\w$]*\s*:))|\[(?=\s*(?:$|[{"\]])))/u;

/** The parts of a text that may describe servers, in their order: of its code blocks if it has any. */
export function snippetsIn(text: string): readonly Snippet[] {
  const lines = text.split('\n');
  const found: Snippet[] = [];
  for (const block of blocksIn(lines)) {
    if (found.length >= MAX_SNIPPETS) break;
    found.push(...walk(lines, block));
  }
  for (const { link, at } of installLinksIn(text).slice(0, MAX_SNIPPETS)) {
    const before = text.slice(0, at).split('\n');
    found.push({
      kind: 'link',
      text: link,
      line: before.length - 1,
      column: (before.at(-1) ?? '').length,
      title: null,
    });
  }
  return found.sort((a, b) => a.line - b.line || a.column - b.column).slice(0, MAX_SNIPPETS);
}

interface Block {
  /** The lines from `from` to `to` (exclusive). */
  readonly from: number;
  readonly to: number;
  readonly language: string;
  readonly title: string | null;
}

function blocksIn(lines: readonly string[]): readonly Block[] {
  const fenced: Block[] = [];
  let title: string | null = null;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, fence = '', language = ''] =
      /^\s*(?:>\s*)*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})\s*([\w+-]*)/.exec(line) ?? [];
    if (fence === '') {
      title = titleIn(line) ?? title;
      continue;
    }
    // One line can be a whole block: ```npx x```.
    if (
      line
        .trim()
        .slice(fence.length + 1)
        .endsWith((fence[0] ?? '').repeat(3)) &&
      line.trim().length > 6
    ) {
      fenced.push({ from: at, to: at + 1, language: '', title });
      continue;
    }
    let end = at + 1;
    while (end < lines.length && !closes(lines[end] ?? '', fence)) end += 1;
    fenced.push({ from: at + 1, to: end, language: language.toLowerCase(), title });
    at = end;
  }
  return fenced.length > 0 ? fenced : [{ from: 0, to: lines.length, language: '', title: null }];
}

function closes(line: string, fence: string): boolean {
  return /^(?:>|\s)*[`~]{3,}\s*$/.test(line) && line.replace(/^[>\s]+/, '').startsWith(fence);
}

function titleIn(line: string): string | null {
  if (line.length > MAX_TITLE_LINE_LENGTH) return null;
  const [, heading, summary, bold] =
    /^\s{0,3}#{1,6}\s+(.{1,300})$|<summary>(.{1,300}?)<\/summary>|^\s*(?:[-*]\s+|\d+\.\s+)?\*\*([^*\n]{1,100})\*\*:?\s*$/i.exec(
      line,
    ) ?? [];
  const text = (heading ?? summary ?? bold)
    ?.replace(/<[^<>]*>|[*_`#]|!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  return text === undefined || text === '' ? null : text.slice(0, MAX_TITLE_LENGTH);
}

function* walk(lines: readonly string[], { from, to, language, title }: Block): Generator<Snippet> {
  let heading = title;
  for (let at = from; at < to; ) {
    const line = lines[at] ?? '';
    const region = regionAt(lines, at, to, language);
    if (region !== undefined) {
      yield { ...region.snippet, title: heading };
      at = region.next;
      continue;
    }
    heading = titleIn(line) ?? fileNameIn(line) ?? heading;
    // The lines that continue another command belong to it.
    while (/\\\s*$/.test(lines[at] ?? '') && at < to) at += 1;
    at += 1;
  }
}

/** Reads the file's name in a line above a snippet, such as `~/.cursor/mcp.json:`. */
function fileNameIn(line: string): string | null {
  if (line.length > MAX_TITLE_LINE_LENGTH) return null;
  return (
    /^[\s/*#]*([~%$\w./\\: -]{0,60}\.(?:json|jsonc|toml|ya?ml))`?:?(?:\s*\*\/)?\s*$/.exec(line)?.[1]?.trim() ?? null
  );
}

interface Region {
  readonly snippet: Omit<Snippet, 'title'>;
  /** The line after it. */
  readonly next: number;
}

function regionAt(lines: readonly string[], at: number, to: number, language: string): Region | undefined {
  const line = lines[at] ?? '';
  if (line.trim() === '') return undefined;
  if (TOML_START.test(line) || (language === 'toml' && /^\s*\[/.test(line)))
    return block(lines, 'toml', at, to, TOML_LINE);
  if (YAML_START.test(line) || (/^ya?ml$/.test(language) && YAML_LINE.test(line) && !/^\s*[{[]/.test(line)))
    return block(lines, 'yaml', at, to, YAML_LINE);
  if (isCommandStart(line)) return commands(lines, at, to);
  const [address] =
    /^\s*<?https?:\/\/(?:<[A-Za-z][^<>\n]{0,78}>|[^\s"'`<]|<(?![A-Za-z][^<>\n]{0,78}>))+>?\s*$/i.exec(line) ?? [];
  if (address !== undefined)
    return {
      snippet: {
        kind: 'address',
        text: address.trim().replace(/^<|>$/g, (mark) => (/^\s*<.*>\s*$/.test(line) ? '' : mark)),
        line: at,
        column: 0,
      },
      next: at + 1,
    };
  const start = JSON_START.exec(line.slice(0, 5_000));
  if (start !== null && isJsonHere(line, start.index)) return json(lines, at, to, start.index);
  // In a block of a shell every line is a command.
  if (/^(?:bash|sh|shell|zsh|console|powershell|ps1|cmd|bat|terminal|shell-?session|shellscript)$/.test(language))
    return commands(lines, at, to);
  return undefined;
}

/** A comment before a snippet may have braces, and so may a command. */
function isJsonHere(line: string, index: number): boolean {
  const before = line.slice(0, index);
  return !/^\s*(?:\/\/|#|\/\*)/.test(before) || /^\s*\/\*.*\*\/\s*$/.test(before);
}

function block(lines: readonly string[], kind: 'toml' | 'yaml', at: number, to: number, belongs: RegExp): Region {
  let end = at + 1;
  let open = '';
  for (; end < to; end += 1) {
    const line = lines[end] ?? '';
    const quotes = line.match(/"""|'''/g) ?? [];
    const isInside = open !== '';
    for (const quote of quotes) open = open === '' ? quote : open === quote ? '' : open;
    const isIndented = /^\s{2,}\S/.test(line) && kind === 'yaml';
    if (!isInside && !belongs.test(line) && !isIndented) break;
  }
  return { snippet: { kind, text: lines.slice(at, end).join('\n'), line: at, column: 0 }, next: end };
}

/** A command goes on to the next empty line after which something else begins. */
function commands(lines: readonly string[], at: number, to: number): Region {
  let end = at + 1;
  let isOpen = opensMore(lines[at] ?? '', 0);
  for (; end < to; end += 1) {
    const line = lines[end] ?? '';
    const previous = lines[end - 1] ?? '';
    const isContinued = /[\\^`]\s*$/.test(previous);
    if (!isContinued && isOpen % 2 === 0 && !belongsToCommands(line)) {
      // Variables and the command that needs them are often set apart.
      if (line.trim() !== '' || !belongsToCommands(lines[end + 1] ?? '') || end + 1 >= to) break;
    }
    isOpen = opensMore(line, isOpen);
  }
  return { snippet: { kind: 'lines', text: lines.slice(at, end).join('\n'), line: at, column: 0 }, next: end };
}

/** How many single quotes are open: JSON in them goes over lines. */
function opensMore(line: string, before: number): number {
  const marks = line.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/(?<!\w)'|'(?!\w)/g)?.length ?? 0;
  return (before + marks) % 2;
}

function belongsToCommands(line: string): boolean {
  return /^\s*(?:#|::|rem\s)/i.test(line) || isCommandStart(line);
}

/**
 * JSON goes from an opening bracket to the one that closes it. If its key was before it, the members after it belong to
 * it too.
 */
function json(lines: readonly string[], at: number, to: number, column: number): Region {
  const text = lines.slice(at, to).join('\n');
  let end = closedAt(text, column);
  for (let next = afterMember(text, end); next !== undefined; next = afterMember(text, end)) end = closedAt(text, next);
  const lastLine = at + text.slice(0, end).split('\n').length - 1;
  return {
    snippet: { kind: 'json', text: text.slice(column, end), line: at, column },
    next: Math.max(at + 1, lastLine + 1),
  };
}

/** Handles `"a": {…}, "b": {…}` without braces around them. */
function afterMember(text: string, end: number): number | undefined {
  const next = /^\s*,\s*(?:\/\/[^\n]*\s*)?(?=["“-‟][^"“-‟\n]{0,200}["“-‟]\s*:)/.exec(text.slice(end, end + 500));
  return next === null ? undefined : end + next[0].length;
}

/** The offset after the bracket that closes the first one; the end of the text if none does. */
function closedAt(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"' || character === '“' || character === '”' || character === '„') at = quoteEnd(text, at);
    else if (character === '/' && text[at + 1] === '/' && /[\s,{[}\]]/.test(text[at - 1] ?? ' '))
      at = lineEnd(text, at);
    else if (character === '#' && /[\s,]/.test(text[at - 1] ?? ' ')) at = lineEnd(text, at);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth <= 0) return at + 1;
    }
  }
  return text.length;
}

/** A text ends on its line, closed or not. */
function quoteEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '"' || character === '“' || character === '”') return at;
    else if (character === '\n') return at;
  }
  return text.length;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** Finds commands inside sentences, between backticks, and a single command with a sentence before it. */
export function inlineCommands(text: string): readonly Snippet[] {
  const inline = [...text.matchAll(/(?<!`)`([^`\n]{3,2000})`(?!`)/g)].flatMap(({ 1: code = '', index }): Snippet[] => {
    const line = text.slice(0, index).split('\n').length - 1;
    return isCommandStart(code) || /^\S+ \S+/.test(withoutPrompt(code))
      ? [{ kind: 'lines', text: code, line, column: 0, title: null }]
      : [];
  });
  return inline.slice(0, MAX_SNIPPETS);
}
