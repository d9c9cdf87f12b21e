import { isCommandLine, parseToolLine } from '../models/guide/tool-line.ts';
import { nearMiss } from '../settings/near-miss.ts';
import type { ToolRegistry } from '../tools/registry/registry.ts';
import type { ToolsCommand } from '../tools/registry/tools-command.ts';

/** What a prompt asks for: a message to the model, or one of the commands that begin with a slash. */
export type Command =
  /** `callsTools` says that every line is a tool call. */
  | { readonly kind: 'message'; readonly text: string; readonly callsTools?: true }
  | { readonly kind: 'tool'; readonly name: string; readonly input: string }
  | ({ readonly kind: 'tools' } & ToolsCommand)
  /** `name` is empty for `list`. */
  | { readonly kind: 'provider'; readonly verb: 'list' | 'use'; readonly name: string }
  | { readonly kind: 'rules'; readonly verb: 'list' | 'revoke'; readonly id: string | undefined }
  | { readonly kind: 'data'; readonly verb: 'list' | 'restore' | 'log'; readonly name: string | undefined }
  | { readonly kind: 'search'; readonly query: string }
  | { readonly kind: 'export'; readonly format: 'markdown' | 'json' }
  | { readonly kind: 'retry' }
  | { readonly kind: 'compact' }
  /** `callId` undefined: the last turn that changed files. */
  | { readonly kind: 'undo'; readonly callId: string | undefined }
  /** `callId` undefined: what was undone last. */
  | { readonly kind: 'redo'; readonly callId: string | undefined }
  | { readonly kind: 'review' }
  | { readonly kind: 'help' }
  | { readonly kind: 'unusable'; readonly message: string };

export const COMMAND_HELP = `/help                          show this list
/tools [list]                  the tools and whether they are on
/tools enable|disable NAME …   * and ? match several
/provider [list]               the model providers, and which is used
/provider use NAME             use another model for the next answers
/TOOL_NAME {"argument": …}     run one tool directly, without a model
/SERVER/PROMPT {"argument": …}  use a prompt of an MCP server as the message
/retry                         answer the last message of the conversation again
/compact                       summarise the older messages of the conversation now, to save tokens
/undo                          restore the files that the last turn changed
/undo CALL_ID                  restore the files that one call changed
/redo                          make the changes again that were undone last
/redo CALL_ID                  make the changes of one call again
/review                        review files that were changed after text from outside was read
/rules [list]                  list the actions you have always allowed
/rules revoke ID               revoke a rule
/search WORDS                  find messages in all conversations
/export markdown|json          print the conversation (with --conversation)
/data [list]                   show where everything is kept, and list the backups
/data restore NAME             restore a backup (the current database is set aside)
/data log                      show the end of the log, and where the logs are`;

/** As typed; anything else that begins with a slash and one word should be a tool. */
const COMMANDS = [
  'help',
  'tools',
  'provider',
  'retry',
  'compact',
  'undo',
  'redo',
  'review',
  'rules',
  'search',
  'export',
  'data',
] as const;

/**
 * A prompt that begins with a slash and one word is a command. If several lines all do, it is a message whose calls the
 * Guide runs.
 */
export function parseCommand(prompt: string): Command {
  const text = prompt.trim();
  if (text === '/') return unusable('A slash alone is not a command');
  const line = parseToolLine(text);
  if (line === undefined) return { kind: 'message', text: prompt };
  const lines = text.split('\n').filter((each) => each.trim() !== '');
  if (lines.length > 1 && lines.every(isCommandLine)) return { kind: 'message', text: prompt, callsTools: true };
  const [head = '', ...rest] = text.slice(1).split(/\s+/);
  const [verb, ...names] = rest;
  switch (head.toLowerCase()) {
    case 'help':
      return { kind: 'help' };
    case 'retry':
      return { kind: 'retry' };
    case 'compact':
      return rest.length > 0 ? unusable('/compact takes nothing') : { kind: 'compact' };
    case 'review':
      return rest.length > 0 ? unusable('/review takes nothing') : { kind: 'review' };
    case 'undo':
    case 'redo': {
      const kind = head.toLowerCase() === 'undo' ? 'undo' : 'redo';
      return rest.length > 1 ? unusable(`/${kind} takes: nothing, or the id of a call`) : { kind, callId: verb };
    }
    case 'tools':
      return toolsCommand(verb, names);
    case 'provider':
      return providerCommand(verb, names);
    case 'rules':
      if (verb === undefined || verb === 'list') return { kind: 'rules', verb: 'list', id: undefined };
      if (verb === 'revoke' && names.length === 1) return { kind: 'rules', verb, id: names[0] };
      return unusable('/rules takes: list, or revoke ID');
    case 'data':
      if (verb === undefined || verb === 'list') return { kind: 'data', verb: 'list', name: undefined };
      if (verb === 'restore' && names.length === 1) return { kind: 'data', verb, name: names[0] };
      if (verb === 'log' && names.length === 0) return { kind: 'data', verb, name: undefined };
      return unusable('/data takes: list, log, or restore NAME');
    case 'search':
      return rest.length === 0
        ? unusable('/search takes the words to search for')
        : { kind: 'search', query: rest.join(' ') };
    case 'export':
      if (verb === 'markdown' || verb === 'json') return { kind: 'export', format: verb };
      return unusable('/export takes: markdown, or json');
    default:
      // The tool validates the input.
      return { kind: 'tool', ...line };
  }
}

function providerCommand(given: string | undefined, names: readonly string[]): Command {
  const verb = given?.toLowerCase();
  if (verb === undefined || verb === 'list') return { kind: 'provider', verb: 'list', name: '' };
  // A provider's name may contain blanks, and people quote such names.
  const name = names.join(' ').replace(/^(["'])(.+)\1$/, '$2');
  if (verb === 'use' && name !== '') return { kind: 'provider', verb, name };
  return unusable('/provider takes: list, or use NAME');
}

function toolsCommand(given: string | undefined, names: readonly string[]): Command {
  const verb = given?.toLowerCase();
  if (verb === undefined || verb === 'list') return { kind: 'tools', verb: 'list', names: [] };
  if (verb !== 'enable' && verb !== 'disable') return unusable('/tools takes: list, enable NAME …, or disable NAME …');
  return names.length === 0 ? unusable(`/tools ${verb} takes one or more names`) : { kind: 'tools', verb, names };
}

/**
 * Whether a line calls an existing tool, available or not. `own` tells whether the conversation has a tool of this name
 * besides those of the registry. With `unknown` there is no such tool, and `meant` is the one that was probably
 * intended.
 */
export function calledCommand(
  { name }: { readonly name: string },
  registry: Pick<ToolRegistry, 'get' | 'missing' | 'list'>,
  own: (name: string) => boolean,
):
  | { readonly kind: 'known' }
  | { readonly kind: 'unknown'; readonly name: string; readonly meant: string | undefined } {
  if (registry.get(name) !== undefined || registry.missing(name) !== undefined || own(name)) return { kind: 'known' };
  return { kind: 'unknown', name, meant: nearMiss(name, [...COMMANDS, ...registry.list().map((tool) => tool.name)]) };
}

function unusable(message: string): Command {
  return {
    kind: 'unusable',
    message: `${message}. /help lists the commands; to send text that begins with a slash, put another word first.`,
  };
}
