import type { PromptRow } from '../../../src-preload/contract/server-content.ts';
import type { SettingsView } from '../../../src-preload/contract/settings.ts';

export interface SlashEntry {
  readonly name: string;
  readonly description: string;
  /** A `line` is sent as it is, and answered without a model. */
  readonly kind: 'command' | 'line' | 'tool' | 'prompt';
  /** The prompt that an entry stands for. */
  readonly prompt?: PromptRow;
}

/** These commands belong to the window itself. */
const COMMANDS = [
  { name: 'help', description: 'List the commands, tools and prompts' },
  { name: 'new', description: 'Start a new conversation' },
  { name: 'retry', description: 'Answer the last message again' },
  { name: 'compact', description: 'Summarise the older messages now, to save tokens' },
  { name: 'undo', description: 'Undo the file changes of the last turn that made any' },
  { name: 'redo', description: 'Make the file changes again that were undone last' },
  { name: 'export', description: 'Save this conversation as Markdown' },
  { name: 'settings', description: 'Open the settings' },
] as const;

const LINES = [
  { name: 'tools', description: 'List the tools and whether they are on' },
  { name: 'provider', description: 'List the model providers; /provider use NAME changes the model' },
] as const;

export type WindowCommand = (typeof COMMANDS)[number]['name'];

/** Within a word, fewer letters are found by accident: `/he` is not the beginning of `kill_shell`. */
const LEAST_WITHIN_WORD = 3;
/** This is more than all built-in tools, so only the tools of servers are ever cut. */
const MAX_SHOWN = 100;

/** Completions for a text that begins with a slash, the best first. Null means that no menu is shown. */
export function slashEntries(
  text: string,
  tools: SettingsView['tools'],
  prompts: readonly PromptRow[] = [],
): readonly SlashEntry[] | null {
  const typed = /^\/([\w:./-]*)$/.exec(text)?.[1]?.toLowerCase();
  if (typed === undefined) return null;
  const entries: SlashEntry[] = [
    ...COMMANDS.map((command) => ({ ...command, kind: 'command' as const })),
    ...LINES.map((line) => ({ ...line, kind: 'line' as const })),
    ...tools.flatMap(({ name, description, isEnabled }) =>
      isEnabled ? [{ name, description, kind: 'tool' as const }] : [],
    ),
    ...prompts.map((prompt) => ({
      name: prompt.line,
      description: prompt.description ?? prompt.title,
      kind: 'prompt' as const,
      prompt,
    })),
  ];
  const rank = (entry: SlashEntry) => {
    const name = entry.name.toLowerCase();
    if (name.startsWith(typed)) return 0;
    if (name.split(/[_:./-]/).some((word) => word.startsWith(typed))) return 1;
    return typed.length >= LEAST_WITHIN_WORD && name.includes(typed) ? 2 : 3;
  };
  return entries
    .filter((entry) => rank(entry) < 3)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, MAX_SHOWN);
}

/** The window command that the text consists of. */
export function windowCommand(text: string): WindowCommand | null {
  return COMMANDS.find(({ name }) => text.trim() === `/${name}`)?.name ?? null;
}

/** An undo or redo of one call, by its id. */
export function callCommand(text: string): { readonly kind: 'undo' | 'redo'; readonly callId: string } | null {
  const [, kind, callId] = /^\/(undo|redo)\s+(\S+)$/.exec(text.trim()) ?? [];
  return callId === undefined ? null : { kind: kind === 'undo' ? 'undo' : 'redo', callId };
}

/** The window command that the text begins with, if more text follows. */
export function commandWithMore(text: string): WindowCommand | null {
  const [, word, more = ''] = /^\/(\w+)\s+(\S)/.exec(text.trim()) ?? [];
  return more === '' ? null : (COMMANDS.find(({ name }) => name === word)?.name ?? null);
}

/**
 * Whether this is for Steward, which answers it without a model: a command or a tool call, and not words that begin
 * with a slash.
 */
export function isForSteward(text: string, tools: SettingsView['tools']): boolean {
  const name = /^\/([\w:.-]+)(?:\s|$)/.exec(text.trim())?.[1];
  return name !== undefined && [...COMMANDS, ...LINES, ...tools].some((each) => each.name === name);
}

/** A tool call to fill in, and where to put the caret. */
export function toolLine(name: string): { readonly text: string; readonly caret: number } {
  const text = `/${name} {}`;
  return { text, caret: text.length - 1 };
}
