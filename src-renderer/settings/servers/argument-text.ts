/** Arguments as a text with one per line. An argument that contains a line break is written as a JSON string. */
export function argumentLines(args: readonly string[]): string {
  return args.map((arg) => (arg.includes('\n') || unquoted(arg) !== arg ? JSON.stringify(arg) : arg)).join('\n');
}

/** The arguments in such a text, without the lines `leftOut` and the options that name them. */
export function argumentsIn(text: string, leftOut: ReadonlySet<number>): string[] {
  const lines = linesOf(text);
  const isDropped = (index: number) =>
    leftOut.has(index) || (leftOut.has(index + 1) && /^--?[A-Za-z][\w-]*$/.test(lines[index] ?? ''));
  const kept = lines.filter((_, index) => !isDropped(index));
  // A blank last line is the end of the text, not an argument.
  while (kept.at(-1) === '') kept.pop();
  return text.trim() === '' ? [] : kept.map(unquoted);
}

export function linesOf(text: string): readonly string[] {
  return text.split('\n');
}

/** The index of a line after an edit of the text around it, or undefined if it was part of what was replaced. */
export function movedLine(before: readonly string[], after: readonly string[], line: number): number | undefined {
  let same = 0;
  while (same < before.length && same < after.length && before[same] === after[same]) same += 1;
  if (line < same || before.length === after.length) return line;
  const most = Math.min(before.length, after.length) - same;
  let sameAtEnd = 0;
  while (sameAtEnd < most && before.at(-1 - sameAtEnd) === after.at(-1 - sameAtEnd)) sameAtEnd += 1;
  return line >= before.length - sameAtEnd ? line + after.length - before.length : undefined;
}

/** Removes only the quotes that `argumentLines` added, because people write quotation marks that are meant as such. */
function unquoted(line: string): string {
  if (!line.startsWith('"') || !line.endsWith('"')) return line;
  try {
    const text: unknown = JSON.parse(line);
    return typeof text === 'string' && (text.includes('\n') || unquoted(text) !== text) ? text : line;
  } catch {
    return line;
  }
}
