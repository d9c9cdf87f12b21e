import type { TerminalCard } from '../../src-preload/contract/tool-card.ts';
import type { ToolInput } from '../conversation/items.svelte.ts';
import { toolWords } from './tool-words.ts';

/** Arguments that say most about a call, the best first. */
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
const LONGEST = 160;

/** A call in two parts: what it does or did, and what about. */
export interface CallLine {
  readonly title: string;
  readonly subject: string;
}

export function callLine(name: string, input: ToolInput, isDone: boolean): CallLine {
  const words = toolWords(name);
  const title = isDone && words !== undefined ? words.done : toolTitle(name);
  if (words === undefined) return { title, subject: callSummary(input) };
  const parts = words.about.map(
    (names) =>
      [names]
        .flat()
        .map((argument) => textOf(input[argument]))
        .find(Boolean) ?? '',
  );
  // A command and its arguments are one line, as they would be typed.
  return { title, subject: shorten(parts.filter(Boolean).join(input.command === undefined ? ' · ' : ' ')) };
}

/** A call in one line: what a reader wants to know before opening the card. */
export function callSummary(input: ToolInput): string {
  const telling = TELLING.flatMap((name) =>
    typeof input[name] === 'string' && input[name] !== '' ? [input[name]] : [],
  );
  const [first, second] = telling;
  if (typeof input.command === 'string')
    return shorten(`${input.command} ${textOf(input.arguments ?? input.args)}`.trim());
  if (typeof input.source === 'string' && typeof input.destination === 'string')
    return shorten(`${input.source} → ${input.destination}`);
  if (first !== undefined) return shorten(second === undefined ? first : `${first} · ${second}`);
  const rest = Object.entries(input).map(([name, value]) => `${name}: ${textOf(value)}`);
  return shorten(rest.join(', '));
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

/** An argument in full. Text stands as it is, without the quotes and escapes of JSON. */
export function argumentText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** `read_file` as people say it: `Read file`. */
export function toolTitle(name: string): string {
  const title = toolWords(name)?.title;
  if (title !== undefined) return title;
  const words = name
    .replace(/^mcp__/, '')
    .replaceAll('__', ': ')
    .replaceAll('_', ' ')
    .trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Why a call came to nothing, in one line. */
export function errorLine(text: string): string {
  const line = text.split('\n').find((each) => each.trim() !== '') ?? '';
  return shorten(line.replace(/^Error: /, ''));
}

/** `0.4 s`, `12 s`, `3 min 5 s`; empty for what is over at once. */
export function durationText(ms: number): string {
  if (ms < 50) return '';
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** What a command printed, of a result or its end. What the tool added to that stands in the head of the card. */
export function printedText(text: string, { addedByTool = 0 }: TerminalCard): string {
  return text.slice(0, Math.max(0, text.length - addedByTool));
}

/** The line that a call of a shell runs, as it would be typed. */
export function commandLine(input: ToolInput): string {
  return [input.command, input.arguments].filter((part) => typeof part === 'string' && part !== '').join(' ');
}
