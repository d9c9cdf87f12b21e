import { parsedJson } from '../../base/json.ts';

/**
 * Yields the values of a body of JSON lines, one by one. A last line without an end counts, unless the connection ended
 * within it. Throws `SyntaxError` for any other line that is not JSON.
 */
export async function* jsonLines(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    // Only the new part can hold an end of line: a long line is not searched again with each piece.
    const lines = decoder.decode(chunk, { stream: true }).split('\n');
    lines[0] = rest + (lines[0] ?? '');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line);
  }
  rest += decoder.decode();
  const last = parsedJson(rest);
  if (last !== undefined) yield last;
}
