import { applyEdits, type Edit, findNodeAtLocation, type Node } from 'jsonc-parser';
import { treeOf } from './config-text.ts';
import type { KeyPath } from './problems.ts';

/** Sets the value at a path, or removes it (`undefined`). */
export interface ConfigEdit {
  readonly path: KeyPath;
  readonly value: unknown;
}

/**
 * Applies these edits in order; comments, layout and order of everything else are kept. Does not use `modify` of
 * jsonc-parser: it removes the comment above the next entry along with an entry, moves the one behind the last entry to
 * a new one, reformats unrelated lines and breaks `[1, 2]` when the 2 is removed.
 */
export function editConfigText(text: string, edits: readonly ConfigEdit[]): string {
  let edited = text;
  for (const edit of edits) edited = applyEdits(edited, textEdits(edited, edit));
  return edited;
}

/** Gives the member at this path another name. Its value and the comments around it stay as they are. */
export function renameConfigKey(text: string, path: KeyPath, name: string): string {
  const node = findNodeAtLocation(treeOf(text), [...path]);
  const key = node?.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
  return key === undefined ? text : applyEdits(text, [{ ...spanOf(key), content: JSON.stringify(name) }]);
}

/** The value as text, with the indentation and line breaks of another text. */
export function layOut(value: unknown, like: string): string {
  return `${onLines(value, '', layoutOf(like))}\n`.replaceAll(/\r?\n/g, layoutOf(like).lineEnd);
}

function textEdits(text: string, { path, value }: ConfigEdit): Edit[] {
  const root = treeOf(text);
  const node = findNodeAtLocation(root, [...path]);
  if (value === undefined) return node === undefined ? [] : removal(text, memberOf(node));
  if (node !== undefined) return [{ ...spanOf(node), content: replacement(text, node, value) }];
  let depth = path.length - 1;
  while (depth > 0 && !isContainer(findNodeAtLocation(root, path.slice(0, depth)))) depth--;
  const container = depth === 0 ? root : findNodeAtLocation(root, path.slice(0, depth));
  if (container === undefined) throw new TypeError('the path leads into something that is no object');
  const [key, ...below] = path.slice(depth);
  const whole = below.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  return insertion(text, container, typeof key === 'string' ? `${JSON.stringify(key)}: ` : '', whole);
}

function removal(text: string, member: Node): Edit[] {
  const end = endOf(member);
  const comma = commaAfter(text, end);
  const siblings = member.parent?.children ?? [];
  const previous = siblings[siblings.indexOf(member) - 1];
  const commaBefore = comma === undefined && previous !== undefined ? commaAfter(text, endOf(previous)) : undefined;
  const edits = commaBefore === undefined ? [] : [{ offset: commaBefore, length: 1, content: '' }];
  const restOfLine = endOfLine(text, (comma ?? end - 1) + 1);
  const indent = /(?<=^|\n)[ \t]*$/.exec(text.slice(0, member.offset));
  if (indent !== null && restOfLine !== undefined) {
    const nextLine = restOfLine + (/^\r?\n/.exec(text.slice(restOfLine))?.[0].length ?? 0);
    return [...edits, { offset: indent.index, length: nextLine - indent.index, content: '' }];
  }
  const blanksBefore =
    comma === undefined ? (/(?<![ \t])[ \t]*$/.exec(text.slice(0, member.offset))?.[0].length ?? 0) : 0;
  const blanksAfter = comma === undefined ? 0 : (/^[ \t]*/.exec(text.slice(comma + 1))?.[0].length ?? 0);
  const offset = member.offset - blanksBefore;
  return [...edits, { offset, length: (comma ?? end - 1) + 1 + blanksAfter - offset, content: '' }];
}

function insertion(text: string, container: Node, key: string, value: unknown): Edit[] {
  const layout = layoutOf(text);
  const { lineEnd, unit } = layout;
  const outer = indentAt(text, container.offset);
  const last = container.children?.at(-1);
  if (last === undefined) {
    const close = endOf(container) - 1;
    const inside = text.slice(container.offset + 1, close).trimEnd();
    const content = `${lineEnd}${outer}${unit}${key}${onLines(value, outer + unit, layout)}${lineEnd}${outer}`;
    const offset = container.offset + 1 + inside.length;
    return [{ offset, length: close - offset, content }];
  }
  const comma = commaAfter(text, endOf(last));
  const afterLast = (comma ?? endOf(last) - 1) + 1;
  const [before, after] = comma === undefined ? [',', ''] : ['', ','];
  if (!isOnLines(text, container))
    return [{ offset: afterLast, length: 0, content: `${before} ${key}${onOneLine(value)}${after}` }];
  const indent = startsLine(text, last) ? indentAt(text, last.offset) : outer + unit;
  const content = `${lineEnd}${indent}${key}${onLines(value, indent, layout)}${after}`;
  const added = { offset: endOfLine(text, afterLast) ?? afterLast, length: 0, content };
  return before === '' ? [added] : [{ offset: endOf(last), length: 0, content: before }, added];
}

function replacement(text: string, node: Node, value: unknown): string {
  const container = isContainer(node) ? node : memberOf(node).parent;
  if (container === undefined || !isOnLines(text, container)) return onOneLine(value);
  return onLines(value, indentAt(text, node.offset), layoutOf(text));
}

interface Layout {
  readonly unit: string;
  readonly lineEnd: string;
}

function layoutOf(text: string): Layout {
  return {
    unit: /\n([ \t]+)["/]/.exec(text)?.[1] ?? '  ',
    lineEnd: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

function onLines(value: unknown, indent: string, { unit, lineEnd }: Layout): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', lineEnd + indent);
}

function onOneLine(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replaceAll(/([[{])\n *|\n *([\]}])/g, '$1$2')
    .replaceAll(/\n */g, ' ');
}

/** An element of a list, or a whole key-value pair. */
function memberOf(node: Node): Node {
  return node.parent?.type === 'property' ? node.parent : node;
}

function isContainer(node: Node | undefined): boolean {
  return node?.type === 'object' || node?.type === 'array';
}

function isOnLines(text: string, node: Node): boolean {
  return text.slice(node.offset, endOf(node)).includes('\n');
}

function spanOf({ offset, length }: Node) {
  return { offset, length };
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function startsLine(text: string, node: Node): boolean {
  return /(?:^|\n)[ \t]*$/.test(text.slice(0, node.offset));
}

/** The indentation of the line at this offset. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** The position of the comma after an entry, past blanks and comments; `undefined` if there is none. */
function commaAfter(text: string, end: number): number | undefined {
  const gap = /(?:[ \t\r\n]|\/\/[^\r\n]*|\/\*(?:(?!\*\/)[\s\S])*\*\/)*/y;
  gap.lastIndex = end;
  gap.exec(text);
  const at = gap.lastIndex;
  return text[at] === ',' ? at : undefined;
}

/** The end of the line, if only comments follow on it. */
function endOfLine(text: string, offset: number): number | undefined {
  const rest = /[ \t]*(?:\/\*(?:(?!\*\/)[^\r\n])*\*\/[ \t]*)*(?:\/\/[^\r\n]*)?(?=[\r\n]|$)/y;
  rest.lastIndex = offset;
  return rest.test(text) ? rest.lastIndex : undefined;
}
