import type { CallWords, ToolIcon } from '../../../src-preload/contract/tool-words.ts';
import { ownValue } from '../../base/json.ts';
import { visible } from '../../base/text.ts';
import type { ToolInput } from '../contract.ts';
import { argumentText, shortLine } from './short-line.ts';

/** The most informative arguments of a call, best first. */
const TELLING = [
  'command',
  'query',
  'pattern',
  'path',
  'file_path',
  'source',
  'url',
  'to',
  'title',
  'subject',
  'prompt',
  'question',
  'name',
  'directory',
];

/** The first match for the name of a tool. */
const ICONS: readonly (readonly [RegExp, ToolIcon])[] = [
  [/^ask_/, 'sparkles'],
  [/todo/, 'list-todo'],
  [/_mcp_resource/, 'plug'],
  [/memory|fact$/, 'brain'],
  [/json/, 'braces'],
  [/usage|cost/, 'chart-column'],
  [/calendar|event|get_date/, 'calendar'],
  [/time|clock/, 'clock'],
  [/job/, 'briefcase'],
  [/mail|send|invite/, 'mail'],
  [/message|notify/, 'message-square'],
  [/web|url|fetch|http|browse/, 'globe'],
  [/search|find|grep|glob/, 'search'],
  [/command|shell|bash|run|exec|process|environment/, 'terminal'],
  [/write|edit|append|replace|patch|delete|move|copy|create|rename/, 'pencil-line'],
  [/list|directory|tree|folder/, 'folder-tree'],
  [/read|file|document/, 'file-text'],
];

/**
 * Words for a tool that has none (a server's, or one no longer registered), guessed from its name and the call's
 * arguments.
 */
export function genericWords(name: string, input: ToolInput, owner?: string): CallWords {
  const title = genericTitle(name, owner);
  return { title, done: title, about: shortLine(summary(input)), icon: genericIcon(name) };
}

/** A tool's name as a title: `read_file` becomes `Read file`, `mcp__files__read` becomes `Files: read`. */
export function genericTitle(name: string, owner?: string): string {
  if (owner !== undefined) return `${visible(owner)}: ${genericTitle(name)}`;
  const words = name
    .replace(/^mcp__/, '')
    .replaceAll('__', ': ')
    .replaceAll('_', ' ')
    .trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

function genericIcon(name: string): ToolIcon {
  return ICONS.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1] ?? 'wrench';
}

/** What a reader wants to know about the call before opening its card. */
function summary(input: ToolInput): string {
  const telling = TELLING.map((name) => ownValue(input, name)).filter((value) => typeof value === 'string');
  const [first, second] = telling.filter((text) => text !== '');
  if (typeof input.command === 'string')
    return `${input.command} ${argumentText(input.arguments ?? input.args)}`.trim();
  if (typeof input.source === 'string' && typeof input.destination === 'string')
    return `${input.source} → ${input.destination}`;
  if (first !== undefined) return second === undefined ? first : `${first} · ${second}`;
  return Object.entries(input)
    .map(([name, value]) => `${name}: ${argumentText(value)}`)
    .join(', ');
}
