import { call, type Intent, unquoted, withoutOpening } from './intent.ts';

const NAME = String.raw`("[^"]+"|'[^']+'|\`[^\`]+\`|[^\s:"'\`]+(?::[\\/][^\s:"'\`]*)?)`;
const NEW_FILE = String.raw`(?:write|create|make|save|new)\s+(?:(?:to|a|an|the)\s+)*(?:new\s+|empty\s+|blank\s+)?(?:text\s+)?(?:file\s+)?(?:called\s+|named\s+)?`;
/** The match ends before a run of blanks, never within one, which could be matched in many ways. */
const TEXT = String.raw`\S(?:[\s\S]*?\S)?(?!\S)`;
const FILLED = String.raw`(?:with(?:\s+the)?(?:\s+(?:following\s+)?(?:contents?|text|line|words?))?|containing|saying|that\s+(?:says|contains|reads))`;

const WRITE_COLON = new RegExp(
  String.raw`^${NEW_FILE}${NAME}(?:\s+${FILLED})?\s*:(?:[ \t]*\r?\n|[ \t]*)([\s\S]*)$`,
  'i',
);
const WRITE_WITH = new RegExp(String.raw`^${NEW_FILE}${NAME}\s+${FILLED}\s+([\s\S]+)$`, 'i');
const WRITE_TO = new RegExp(
  String.raw`^(?:write|save|put)\s+(${TEXT})\s+(?:in)?to\s+(?:(?:a|the)\s+)?(?:new\s+)?(?:file\s+)?(?:called\s+|named\s+)?${NAME}$`,
  'i',
);
const CREATE_EMPTY = new RegExp(
  String.raw`^(?:create|make|write|new)\s+(?:(?:a|an|the)\s+)?(?:new\s+)?(?:empty\s+|blank\s+)?(?:text\s+)?file\s+(?:called\s+|named\s+)?${NAME}$`,
  'i',
);
const APPEND_COLON = new RegExp(
  String.raw`^(?:append|add)\s+(?:to\s+)?(?:the\s+end\s+of\s+)?(?:the\s+)?(?:file\s+)?${NAME}\s*:(?:[ \t]*\r?\n|[ \t]*)([\s\S]+)$`,
  'i',
);
const APPEND_TO = new RegExp(
  String.raw`^(?:append|add)\s+(${TEXT})\s+to\s+(?:the\s+end\s+of\s+)?(?:the\s+)?(file\s+)?${NAME}$`,
  'i',
);
const FENCED = /^```\w*\r?\n([\s\S]*?)\r?\n?```\s*$/;

/** If the name comes last, the pattern tries every word of the text; long texts follow a colon. */
const MAX_SENTENCE_CHARACTERS = 10_000;

/** A line after which everything, including further lines, is the text of a file. */
export function startsContent(line: string): boolean {
  const plain = withoutOpening(line);
  return isNamed(WRITE_COLON.exec(plain)?.[1]) || isNamed(APPEND_COLON.exec(plain)?.[1]);
}

export function writeIntent(request: string): Intent | undefined {
  const plain = withoutOpening(request);
  const [, name, content] = WRITE_COLON.exec(plain) ?? WRITE_WITH.exec(plain) ?? [];
  if (name !== undefined && isNamed(name)) return write(name, contentOf(content ?? ''));
  if (plain.length > MAX_SENTENCE_CHARACTERS) return undefined;
  const [, text, target] = WRITE_TO.exec(plain) ?? [];
  if (target !== undefined && isNamed(target) && text !== undefined) return write(target, contentOf(text));
  const empty = CREATE_EMPTY.exec(plain)?.[1];
  return empty === undefined ? undefined : write(withoutFullStop(empty), '');
}

export function appendIntent(request: string): Intent | undefined {
  const plain = withoutOpening(request);
  const [, path, content] = APPEND_COLON.exec(plain) ?? [];
  if (path !== undefined && isNamed(path)) return append(path, contentOf(content ?? ''));
  if (plain.length > MAX_SENTENCE_CHARACTERS) return undefined;
  const [, text, file, target] = APPEND_TO.exec(plain) ?? [];
  if (text === undefined || target === undefined || !(file !== undefined || isNamed(target))) return undefined;
  return append(target, contentOf(text));
}

function write(name: string, content: string): Intent {
  return call('write_file', { file_path: unquoted(withoutFullStop(name)), content });
}

function append(name: string, content: string): Intent {
  return call('append_file', { path: unquoted(withoutFullStop(name)), content });
}

/** "Write a letter: …" names no file; "write notes.txt: …" does. */
function isNamed(name: string | undefined): boolean {
  return name !== undefined && (/^["'`]/.test(name) || /[./\\]/.test(name) || /^[A-Z][A-Z_-]{2,}$/.test(name));
}

function withoutFullStop(name: string): string {
  return name.replace(/(?<=\w)[.!?]+$/, '');
}

/** A text is kept as typed; only a code fence or quotes around the whole of it are removed. */
function contentOf(text: string): string {
  const fenced = FENCED.exec(text.trim())?.[1];
  if (fenced !== undefined) return fenced;
  return /^(["'`])(?:(?!\1)[\s\S])*\1$/.test(text.trim()) ? unquoted(text) : text;
}
