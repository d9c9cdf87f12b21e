import { isRecord, parsedJson } from '../base/json.ts';
import { firstCharacters } from '../base/text.ts';
import { parseToolLine } from '../models/guide/tool-line.ts';

const MAX_TITLE_LENGTH = 60;

/** The title of a conversation until the user renames it: the first line of the first message. */
export function titleOf(prompt: string): string {
  const line = withoutJson(prompt.trim().split('\n')[0] ?? '');
  return line.length <= MAX_TITLE_LENGTH ? line : `${firstCharacters(line, MAX_TITLE_LENGTH - 1).trimEnd()}…`;
}

/**
 * Shortens a line that calls a tool to its name and its main argument: `/read_file {"path": "a.txt"}` becomes
 * `/read_file a.txt`.
 */
function withoutJson(line: string): string {
  const call = parseToolLine(line);
  if (call === undefined || call.input === '') return line;
  const input = parsedJson(call.input);
  if (!isRecord(input)) return line;
  const values = Object.values(input).filter((value) => typeof value === 'string' || typeof value === 'number');
  return [`/${call.name}`, values.join(' · ').replace(/\s+/g, ' ')].join(' ').trim();
}
