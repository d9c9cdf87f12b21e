import type { CallWords } from '../../../src-preload/contract/tool-words.ts';
import { ownValue } from '../../base/json.ts';
import { firstCharacters } from '../../base/text.ts';
import type { Tool, ToolInput } from '../contract.ts';
import { genericTitle, genericWords } from './generic-words.ts';
import { argumentText, shortLine } from './short-line.ts';

const MAX_COMMAND_LENGTH = 2_000;

/** What the tool does, in a word or two. */
export function toolTitle({ name, words, owner }: Pick<Tool, 'name' | 'words' | 'owner'>): string {
  return words?.title ?? genericTitle(name, owner);
}

/** `input` is as given, with aliases and without defaults. `tool` is only a name if it is not registered. */
export function callWords(
  tool: Pick<Tool, 'name' | 'words' | 'owner' | 'parameterAliases'> | string,
  input: ToolInput,
): CallWords {
  if (typeof tool === 'string') return genericWords(tool, input);
  const { words, owner, parameterAliases } = tool;
  if (words === undefined) return genericWords(tool.name, input, owner);
  const { title, done, icon } = words;
  const parts = words.about.map((name) => given(name, input, parameterAliases)).filter((part) => part !== '');
  // A command and its arguments are one line, as they would be typed.
  const line = parts.join(words.isCommand === true ? ' ' : ' · ');
  const command = words.isCommand === true ? { command: firstCharacters(line, MAX_COMMAND_LENGTH) } : {};
  return { title, done, about: shortLine(line), icon, ...command };
}

/** Finds a value by the parameter's own name, or by one of its aliases. */
function given(name: string, input: ToolInput, aliases: Tool['parameterAliases']): string {
  const names = [name, ...Object.keys(aliases).filter((alias) => ownValue(aliases, alias) === name)];
  return names.map((each) => argumentText(ownValue(input, each))).find((text) => text !== '') ?? '';
}
