import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** The first syntax error in a text. */
export interface JsonMistake {
  /** 0-based, in UTF-16 units. */
  readonly offset: number;
  /** Completes the sentence "line 3, column 5: …". It does not quote the text, which may contain a secret. */
  readonly reason: string;
}

const READ_OPTIONS = { allowTrailingComma: true, disallowComments: false };

/** Parses JSON with comments and trailing commas. Never throws. */
export function parseConfigText(text: string): { readonly value: unknown } | { readonly mistake: JsonMistake } {
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text, errors, READ_OPTIONS);
    const [first] = errors;
    if (first !== undefined) return { mistake: mistakeFrom(first, text) };
    return { value: root === undefined ? undefined : jsonValueOf(root) };
  } catch (error) {
    if (error instanceof RangeError) return { mistake: { offset: 0, reason: 'nested too deeply' } };
    throw error;
  }
}

/** The tree of a text without errors. */
export function treeOf(text: string): Node {
  const root = parseTree(text, [], READ_OPTIONS);
  if (root === undefined) throw new TypeError('config.json is empty');
  return root;
}

/** Whether an object has a duplicate key: an edit would change the first one, but only the last has an effect. */
export function hasRepeatedKey(text: string): boolean {
  const isRepeated = (node: Node): boolean => {
    const members = node.children ?? [];
    const keys = node.type === 'object' ? members.map(keyOf) : [];
    return new Set(keys).size < keys.length || members.some(isRepeated);
  };
  return isRepeated(treeOf(text));
}

export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const lines = before.split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** Unlike with the library's `getNodeValue`, objects have the usual prototype, as with `JSON.parse`. */
function jsonValueOf(node: Node): unknown {
  const members = node.children ?? [];
  if (node.type === 'array') return members.map(jsonValueOf);
  if (node.type !== 'object') return node.value;
  return Object.fromEntries(members.map((member) => [keyOf(member), memberValue(member)]));
}

function keyOf({ children: [key] = [] }: Node): string {
  return String(key?.value);
}

function memberValue({ children: [, value] = [] }: Node): unknown {
  return value === undefined ? undefined : jsonValueOf(value);
}

const REASONS: Readonly<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: 'a key or text needs double quotes; other values are numbers, true, false and null',
  InvalidNumberFormat: 'this is not a number',
  PropertyNameExpected: 'a key in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected after the key',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a comma or } is expected',
  CloseBracketExpected: 'a comma or ] is expected',
  EndOfFileExpected: 'more text after the end of the value',
  InvalidCommentToken: 'a comment is not allowed here',
  UnexpectedEndOfComment: 'this comment is not closed',
  UnexpectedEndOfString: 'this text has no closing quote',
  UnexpectedEndOfNumber: 'this number is incomplete',
  InvalidUnicode: 'a backslash must be doubled: write \\\\ (or / in paths)',
  InvalidEscapeCharacter: 'a backslash must be doubled: write \\\\ (or / in paths)',
  InvalidCharacter: 'control characters in a text must be written as \\u escapes',
  '<unknown ParseErrorCode>': 'it cannot be read as JSON',
};

function mistakeFrom({ error, offset, length }: ParseError, text: string): JsonMistake {
  const reason = REASONS[printParseErrorCode(error)];
  const endsEarly = text.slice(offset + length).trim() === '' && !text.trimEnd().endsWith('}');
  return { offset, reason: endsEarly ? `${reason}; the file may be half-written` : reason };
}
