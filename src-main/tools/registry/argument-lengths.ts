import { isRecord, ownValue } from '../../base/json.ts';
import { grouped } from '../../base/text.ts';
import type { Tool, ToolInput } from '../contract.ts';

/**
 * The limit, in UTF-16 units, of a parameter for which its tool says nothing else. No path, pattern or address is that
 * long.
 */
export const USUAL_LENGTH = 10_000;

/**
 * The first argument that is too long, in words; without the tool's prefix. Called before anything reads the arguments:
 * whatever judges a command, a pattern or an address may take a time that grows faster than its text.
 */
export function tooLongArgument(
  { inputSchema, parameterAliases, longest = {} }: Pick<Tool, 'inputSchema' | 'parameterAliases' | 'longest'>,
  input: ToolInput,
): string | undefined {
  const { properties } = inputSchema;
  if (!isRecord(properties)) return undefined;
  for (const [given, value] of Object.entries(input)) {
    const name = Object.hasOwn(properties, given) ? given : ownValue(parameterAliases, given);
    if (typeof name !== 'string') continue;
    const most = typeof longest[name] === 'number' ? longest[name] : USUAL_LENGTH;
    const length = lengthWithin(value, most);
    if (length > most) {
      const has = typeof value === 'string' ? `it has ${grouped(length)} characters, and ` : '';
      return `${name} is too long: ${has}at most ${grouped(most)} are allowed`;
    }
  }
  return undefined;
}

/** The length of all texts in a value. It stops counting beyond `most`. */
function lengthWithin(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let length = 0;
  for (const [name, member] of Object.entries(value)) {
    length += (Array.isArray(value) ? 1 : name.length) + lengthWithin(member, most - length);
    if (length > most) break;
  }
  return length;
}
