import type { PasteFormat } from '../../../src-preload/contract/pasted-text.ts';
import { isRecord } from '../../base/json.ts';
import { programName } from './other-commands.ts';
import type { Input } from './placeholders.ts';
import { INSTALLS } from './serving-commands.ts';
import { writtenServer } from './written-server.ts';

/** Servers under one key of a configuration, not yet read. */
export interface Section {
  readonly format: PasteFormat;
  /** The folder for which another program has them; `null` if everywhere. */
  readonly project: string | null;
  readonly entries: readonly (readonly [name: string, entry: unknown])[];
}

const SERVERS_KEY = /(?:^|[._-])(?:mcp[-_. ]?servers|context_servers)$/i;
/** No program's file has its sections deeper than this. */
const MAX_DEPTH = 6;
/** Settings of a program have other objects by the hundred, which need not be searched. */
const MAX_KEYS = 2_000;

/** The sections of servers in a configuration, at whatever depth it has them. */
export function sectionsIn(value: Readonly<Record<string, unknown>>): readonly Section[] {
  return [...sectionsBelow(value, MAX_DEPTH, null)];
}

function* sectionsBelow(
  value: Readonly<Record<string, unknown>>,
  depth: number,
  project: string | null,
): Generator<Section> {
  for (const [key, inner] of Object.entries(value).slice(0, MAX_KEYS)) {
    if (SERVERS_KEY.test(key)) {
      const entries = entriesIn(inner);
      if (entries !== undefined) yield { format: formatOf(key, entries), project, entries };
    } else if (depth > 0 && key === 'projects' && isRecord(inner)) {
      for (const [path, each] of Object.entries(inner).slice(0, MAX_KEYS))
        if (isRecord(each)) yield* sectionsBelow(each, depth - 2, path);
    } else if (key === 'mcp' && isRecord(inner)) yield* sectionOfMcp(inner, depth, project);
    else if (key === 'servers' || key === 'mcp.servers') {
      const entries = entriesIn(inner)?.filter(([, entry]) => isServer(entry) || isRecord(entry));
      if (entries?.some(([, entry]) => isServer(entry))) yield { format: 'vscode', project, entries };
    } else if (key === 'extensions' && isRecord(inner)) {
      const entries = Object.entries(inner).filter(([, entry]) => isServer(entry));
      if (entries.length > 0) yield { format: 'goose', project, entries };
    } else if (depth > 0 && isRecord(inner) && !isServer(inner)) yield* sectionsBelow(inner, depth - 1, project);
  }
}

/** VS Code's settings have `mcp.servers`; OpenCode and Crush have the servers themselves there. */
function* sectionOfMcp(
  mcp: Readonly<Record<string, unknown>>,
  depth: number,
  project: string | null,
): Generator<Section> {
  const below = [...sectionsBelow(mcp, depth - 1, project)];
  if (below.length > 0) {
    yield* below;
    return;
  }
  const entries = Object.entries(mcp);
  if (entries.some(([, entry]) => isServer(entry))) yield { format: 'opencode', project, entries };
}

function entriesIn(value: unknown): Section['entries'] | undefined {
  if (isRecord(value)) return Object.entries(value);
  return Array.isArray(value) ? value.map((each: unknown) => [nameOf(each), each] as const) : undefined;
}

function formatOf(key: string, entries: Section['entries']): PasteFormat {
  if (/context_servers$/i.test(key)) return 'zed';
  return entries.some(([, entry]) => isRecord(entry) && Array.isArray(entry.command)) ? 'opencode' : 'json';
}

export function nameOf(entry: unknown): string {
  if (!isRecord(entry)) return '';
  return (
    ([entry.name, entry.id, entry.key].find((each) => typeof each === 'string' && each !== '') as string | undefined) ??
    ''
  );
}

/** Whether an object has a command or a URL where servers have it. */
export function isServer(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { command, url } = writtenServer(value);
  return command !== '' || url.text !== '';
}

/** Names of what tools are called with. */
const OF_A_CALL = /^(?:arguments|params|input|inputs|body|data|request|response|result|query|options)$/i;

/** Outside of a section, an object with a URL may be anything. */
export function isLoneServer(name: string, value: unknown): boolean {
  if (!isRecord(value) || !isServer(value) || OF_A_CALL.test(name) || 'jsonrpc' in value || 'method' in value)
    return false;
  const { command, args, remarks } = writtenServer(value);
  if (INSTALLS.test(programName(command.trim().split(/\s/)[0] ?? '')))
    return /[\\/]/.test(command) || args.some(({ text }) => /mcp/i.test(text));
  return command !== '' || !remarks.some(({ code }) => code === 'left_out');
}

/** Servers with their names under a key that says nothing, as some documentation has them. */
export function loneServersIn(value: Readonly<Record<string, unknown>>, depth = 3): Section['entries'] {
  const entries = Object.entries(value).slice(0, MAX_KEYS);
  const own = entries.filter(([name, entry]) => isLoneServer(name, entry));
  if (own.length > 0 || depth === 0) return own;
  const records = entries.filter(
    (entry): entry is [string, Record<string, unknown>] => isRecord(entry[1]) && !OF_A_CALL.test(entry[0]),
  );
  return records.map(([, inner]) => loneServersIn(inner, depth - 1)).find((found) => found.length > 0) ?? [];
}

/**
 * What VS Code asks for before it starts a server. Source:
 * https://code.visualstudio.com/docs/copilot/reference/mcp-configuration.
 */
export function inputsIn(value: unknown): ReadonlyMap<string, Input> {
  const found = new Map<string, Input>();
  const lists = isRecord(value) ? [value.inputs, isRecord(value.mcp) ? value.mcp.inputs : undefined] : [value];
  for (const input of lists.flatMap((list: unknown) => (Array.isArray(list) ? (list as readonly unknown[]) : []))) {
    if (!isRecord(input) || typeof input.id !== 'string') continue;
    const { description, default: initial, password, options } = input;
    found.set(input.id, {
      description: typeof description === 'string' ? description : null,
      value:
        typeof initial === 'string' || typeof initial === 'number' || typeof initial === 'boolean'
          ? String(initial)
          : '',
      isPassword: typeof password === 'boolean' ? password : undefined,
      choices: Array.isArray(options) ? options.flatMap(choiceOf) : [],
    });
  }
  return found;
}

function choiceOf(option: unknown): string[] {
  if (typeof option === 'string') return [option];
  return isRecord(option) && typeof option.value === 'string' ? [option.value] : [];
}
