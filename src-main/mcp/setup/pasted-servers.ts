import type { PasteProblem, UnreadEntry } from '../../../src-preload/contract/pasted-text.ts';
import type { PastedSetup } from '../../../src-preload/contract/servers.ts';
import { isRecord } from '../../base/json.ts';
import { lineAndColumn, parseConfigText } from '../../settings/config-text.ts';
import { type FoundServer, foundServer } from './found-server.ts';

export type PastedServers =
  | {
      readonly servers: readonly FoundServer[];
      readonly unread: readonly UnreadEntry[];
      readonly setups: readonly PastedSetup<FoundServer>[];
      readonly chosen: number;
    }
  | { readonly problem: PasteProblem };

/** Splits a command line into words; throws on an unclosed quote. */
export type SplitWords = (line: string) => string[];

const LINK = /^(?:vscode|vscode-insiders|cursor):/i;
/** Words at the start of a command that are not the package's name. */
const RUNNERS = /^(?:npx|bunx|pnpx|uvx|pipx|node|python[\d.]*|docker|uv|deno|bun|yarn|pnpm|run|dlx|exec)$/i;
const WITHOUT_NAME = 'server';

/**
 * Servers in a text: the formats of claude_desktop_config.json and VS Code, a single server object, with or without its name, an
 * install link, a command line, a URL. Never throws; starts and looks up nothing. Sources:
 * https://code.visualstudio.com/api/extension-guides/ai/mcp, https://cursor.com/docs/context/mcp/install-links.
 */
export function pastedServers(text: string, split: SplitWords): PastedServers {
  const written = text.trim();
  if (written === '') return problem({ code: 'empty' });
  if (LINK.test(written)) return linkedServer(written, split);
  if (/^https?:\/\/\S+$/i.test(written)) return one(hostOf(written), { url: written });
  if (/^[{["]/.test(written) || written.startsWith('//')) return jsonServers(written);
  return commandLine(written, split);
}

/** A complete configuration file. */
export function jsonServers(written: string): PastedServers {
  const text = wrapped(written);
  const parsed = parseConfigText(text);
  if ('mistake' in parsed) {
    const { offset, reason } = parsed.mistake;
    const at = lineAndColumn(written, Math.max(0, offset - (text.length > written.length ? 1 : 0)));
    return problem({ code: 'bad_json', ...at, reason });
  }
  if (!isRecord(parsed.value)) return problem({ code: 'not_an_object' });
  return serversOf(parsed.value);
}

/** `"name": { … }`, as documentation often shows a server, has no outer braces. */
function wrapped(text: string): string {
  return /^"[^"]*"\s*:/.test(text) ? `{${text.replace(/,\s*$/, '')}}` : text;
}

function serversOf(value: Readonly<Record<string, unknown>>): PastedServers {
  const nested = isRecord(value.mcp) ? value.mcp : {};
  const section =
    Object.entries(value).find(([key]) => /^mcp_?servers$/i.test(key))?.[1] ??
    value.servers ??
    nested.servers ??
    nested.mcpServers;
  if (isRecord(section)) return all(Object.entries(section));
  const single = foundServer(nameIn(value), value);
  if (single !== undefined) return read([single]);
  const named = Object.entries(value).filter(([, entry]) => foundServer('', entry) !== undefined);
  return named.length === 0 ? problem({ code: 'no_servers' }) : all(named);
}

function all(entries: readonly (readonly [string, unknown])[]): PastedServers {
  if (entries.length === 0) return problem({ code: 'no_servers' });
  const servers: FoundServer[] = [];
  for (const [name, entry] of entries) {
    const server = foundServer(name, entry);
    if (server === undefined) return problem({ code: 'bad_entries', entries: [{ name, code: 'no_reach', text: '' }] });
    servers.push(server);
  }
  return read(servers);
}

function read(servers: readonly FoundServer[]): PastedServers {
  return { servers, unread: [], setups: [{ format: 'json', title: null, servers, unread: [] }], chosen: 0 };
}

function linkedServer(link: string, split: SplitWords): PastedServers {
  const url = URL.canParse(link) ? new URL(link) : undefined;
  if (url === undefined) return problem({ code: 'bad_link' });
  const place = `${url.host}${url.pathname}`.replace(/^\/+/, '');
  try {
    if (place === 'mcp/install') return linkedJson(decodeURIComponent(url.search.slice(1)), null, split);
    if (place === 'anysphere.cursor-deeplink/mcp/install') {
      const config = Buffer.from(url.searchParams.get('config')?.replaceAll(' ', '+') ?? '', 'base64').toString('utf8');
      return linkedJson(config, url.searchParams.get('name'), split);
    }
  } catch (error) {
    if (error instanceof URIError) return problem({ code: 'bad_link' });
    throw error;
  }
  return problem({ code: 'unknown_link' });
}

function linkedJson(text: string, name: string | null, split: SplitWords): PastedServers {
  const parsed = parseConfigText(text);
  if ('mistake' in parsed || !isRecord(parsed.value)) return problem({ code: 'bad_link' });
  return name === null ? serversOf(parsed.value) : one(name, commandIn(parsed.value, split));
}

/** Cursor's links may contain the whole command line in `command`. */
function commandIn(value: Readonly<Record<string, unknown>>, split: SplitWords): Readonly<Record<string, unknown>> {
  if (typeof value.command !== 'string' || value.args !== undefined || !value.command.includes(' ')) return value;
  const words = wordsOf(value.command, split);
  return words === undefined ? value : { ...value, command: words[0], args: words.slice(1) };
}

function commandLine(line: string, split: SplitWords): PastedServers {
  const words = wordsOf(line.replace(/^\$\s+/, ''), split);
  if (words === undefined) return problem({ code: 'unclosed_quote' });
  const env: Record<string, string> = {};
  while (/^[A-Za-z_]\w*=/.test(words[0] ?? '')) {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(words.shift() ?? '') ?? [];
    env[name] = value;
  }
  const [command = '', ...args] = words;
  const looksLikeProgram = RUNNERS.test(command) || /[\\/]/.test(command) || args.length > 0;
  if (!looksLikeProgram || /[{}<>]/.test(command)) return problem({ code: 'no_servers' });
  return one(nameFromWords([command, ...args]), { command, args, env });
}

function wordsOf(line: string, split: SplitWords): string[] | undefined {
  try {
    return split(line);
  } catch {
    return undefined;
  }
}

function one(name: string, entry: Readonly<Record<string, unknown>>): PastedServers {
  const server = foundServer(name, entry);
  return server === undefined ? problem({ code: 'no_servers' }) : read([server]);
}

function nameIn(value: Readonly<Record<string, unknown>>): string {
  if (typeof value.name === 'string' && value.name !== '') return value.name;
  if (typeof value.url === 'string' && URL.canParse(value.url)) return hostOf(value.url);
  const args = Array.isArray(value.args) ? value.args.map(String) : [];
  return nameFromWords([String(value.command ?? ''), ...args]);
}

/** `npx -y @modelcontextprotocol/server-filesystem /srv` → `filesystem`. */
function nameFromWords(words: readonly string[]): string {
  const subject = words.find((word) => !word.startsWith('-') && !RUNNERS.test(word)) ?? WITHOUT_NAME;
  const last =
    subject
      .replace(/(?<=.)@[^@/]*$/, '')
      .split(/[\\/]/)
      .findLast((part) => part !== '') ?? WITHOUT_NAME;
  const plain = last
    .replace(/\.(?:[cm]?[jt]s|py|exe)$/i, '')
    .replace(/^(?:mcp-server-|server-|mcp-)|(?:-mcp-server|-mcp|-server)$/g, '');
  return plain === '' ? WITHOUT_NAME : plain;
}

function hostOf(url: string): string {
  const { hostname } = new URL(url);
  return hostname.split('.').find((label) => !/^(?:mcp|www|api)$/.test(label)) ?? hostname;
}

function problem(given: PasteProblem): PastedServers {
  return { problem: given };
}
