import { NAME_COMMANDS } from './name-commands.ts';
import { type ParsedCall, parseCall, type ReadingCommand } from './reading-command.ts';
import { type Reads, SPECIAL_COMMANDS } from './special-commands.ts';
import { TEXT_COMMANDS } from './text-commands.ts';

/** What a program of this name reads. Null if the tables don't know the whole call, so that it may not be read-only. */
export function readsOf(name: string, words: readonly string[], platform: NodeJS.Platform): Reads | null {
  if (Object.hasOwn(SPECIAL_COMMANDS, name)) return SPECIAL_COMMANDS[name]?.(words, platform) ?? null;
  const command = [TEXT_COMMANDS, NAME_COMMANDS].find((table) => Object.hasOwn(table, name))?.[name];
  return command === undefined ? null : tableReads(command, words, platform);
}

function tableReads(command: ReadingCommand, words: readonly string[], platform: NodeJS.Platform): Reads | null {
  const call = parseCall(command, words, platform);
  if (call === null) return null;
  const files = filesOf(command, call);
  if (files === null) return null;
  const named = call.options.flatMap(({ name, value }) =>
    value !== undefined && command.fileOptions?.includes(name) ? [value] : [],
  );
  // A bare `ls` lists the current folder.
  const isOfFolder = command.operands === 'files' && command.reads === 'names' && files.length === 0;
  const added = command.addedWords?.(call) ?? [];
  return {
    paths: [...(isOfFolder ? ['.'] : files), ...named],
    kind: command.reads,
    walk: command.walks?.(call) ?? null,
    ...(added.length === 0 ? {} : { safeWords: [...added, ...words] }),
  };
}

function filesOf({ operands }: ReadingCommand, call: ParsedCall): readonly string[] | null {
  if (typeof operands === 'function') return operands(call);
  if (operands === 'files') return call.operands;
  return operands === 'text' || call.operands.length === 0 ? [] : null;
}
