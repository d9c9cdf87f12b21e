import type {
  PasteFormat,
  PasteProblem,
  ServerRemark,
  UnreadEntry,
} from '../../../src-preload/contract/pasted-text.ts';
import { isRecord } from '../../base/json.ts';
import { lineAndColumn } from '../../settings/config-text.ts';
import { hasServers, type Outcome, type PastedServers, resultOf, type Setup } from './chosen-setup.ts';
import { tomlSections } from './codex-toml.ts';
import { type ReadCommand, readCommands, type SplitWords } from './command-lines.ts';
import { cleanText } from './copied-text.ts';
import { type FoundServer, finished, foundServer, type Inputs, isUnread } from './found-server.ts';
import { isInstallLink, linkContent } from './install-links.ts';
import { inputsIn, isLoneServer, isServer, loneServersIn, nameOf, type Section, sectionsIn } from './json-sections.ts';
import { parseJsonText } from './json-text.ts';
import { packageIn } from './other-commands.ts';
import { isRegistryServer, registryServers } from './registry-server.ts';
import { nameFromUrl } from './server-names.ts';
import { inlineCommands, type Snippet, snippetsIn } from './snippets.ts';
import type { TextMistake } from './text-mistake.ts';
import { EMPTY_WRITTEN, writtenServer } from './written-server.ts';
import { yamlSections } from './yaml-servers.ts';

export type { PastedServers } from './chosen-setup.ts';
export type { SplitWords } from './command-lines.ts';

const START = { line: 0, column: 0, title: null } as const;
/** In UTF-16 code units. No README is longer. */
const MAX_PASTE_LENGTH = 1024 * 1024;
/** More are in no file that a user has written. */
const MAX_SERVERS = 200;

/**
 * Finds servers in a text: configurations of other programs, install links, command lines, addresses, and whatever
 * surrounds them in a README. Never throws; starts and looks up nothing.
 */
export function pastedServers(text: string, split: SplitWords): PastedServers {
  if (text.length > MAX_PASTE_LENGTH) return { problem: { code: 'too_long' } };
  const { text: clean, hidden } = cleanText(text);
  const written = clean.trim();
  if (written === '') return { problem: { code: 'empty' } };
  const lead = lineAndColumn(clean, clean.length - clean.trimStart().length).line - 1;
  const reader: Reader = { split, hidden: new Set([...hidden].map((line) => line - lead)) };
  return resultOf(outcomesOf(written, reader).map((outcome) => placed(outcome, lead)));
}

/** A complete file of another program. Never throws. */
export function serversInFile(text: string, syntax: 'json' | 'toml' | 'yaml'): PastedServers {
  // Nothing was copied along.
  const plain = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  return resultOf(configurations({ kind: syntax, text: plain, ...START }));
}

interface Reader {
  readonly split: SplitWords;
  /** Lines from which hidden characters were taken. */
  readonly hidden: ReadonlySet<number>;
}

function outcomesOf(written: string, reader: Reader): readonly Outcome[] {
  const isOneWord = !/\s/.test(written);
  if (isOneWord && isInstallLink(written)) return marked(linked(written, reader.split, null), reader, 0, 1);
  if (isOneWord && /^https?:\/\//i.test(written)) return marked([address(written, null)], reader, 0, 1);
  const outcomes = snippetsIn(written).flatMap((snippet) => read(snippet, reader));
  if (outcomes.some(hasServers)) return outcomes;
  if (outcomes.length === 0 && /^[{[]/.test(written)) return read({ kind: 'json', text: written, ...START }, reader);
  const inline = inlineCommands(written).flatMap((snippet) => read(snippet, reader));
  if (inline.some(hasServers)) return inline.filter((outcome) => hasServers(outcome));
  const whole: Snippet = { kind: 'lines', text: written, ...START };
  const commands = outcomes.length === 0 && !/^[{["]/.test(written) ? read(whole, reader) : [];
  if (outcomes.length > 0 || commands.some(isSaid)) return [...outcomes, ...commands];
  return addressIn(written);
}

function isSaid(outcome: Outcome): boolean {
  return 'servers' in outcome || outcome.code !== 'no_servers';
}

/** The only address in a sentence, if it looks like that of a server. */
function addressIn(text: string): readonly Outcome[] {
  const found = [...text.slice(0, 20_000).matchAll(/https?:\/\/[^\s"'`)\]}]{4,2000}/gi)].map(([url]) =>
    url.replace(/(?<![.,;:!?>])[.,;:!?>]+$/, ''),
  );
  const own = [...new Set(found)].filter(
    (url) => /^https?:\/\/mcp[.-]|\/(?:mcp|sse)\/?(?:[?#]|$)/i.test(url) && !isNoServer(url),
  );
  const [only] = own;
  return only !== undefined && own.length === 1 ? [address(only, null)] : [];
}

/** Matches pages that READMEs link to for people. */
const NO_SERVER =
  /^https?:\/\/(?:www\.)?(?:github\.com|gitlab\.com|npmjs\.com|pypi\.org|smithery\.ai|glama\.ai|img\.shields\.io|badge\.fury\.io|youtube\.com|youtu\.be|hub\.docker\.com|nodejs\.org|modelcontextprotocol\.io|discord\.gg|raw\.githubusercontent\.com|docs\.\w+\.\w+\/?$|www\.pulsemcp\.com)\b|\.(?:png|svg|gif|jpe?g|md|html?|pdf|zip|sh)(?:[?#]|$)/i;

function isNoServer(url: string): boolean {
  return NO_SERVER.test(url);
}

function address(url: string, title: string | null): Outcome {
  if (isNoServer(url)) return { code: 'no_servers' };
  const server = finished({ ...EMPTY_WRITTEN, url: { text: url } });
  return setup('address', title, [isUnread(server) ? server : { ...server, name: server.name || nameFromUrl(url) }]);
}

function read(snippet: Snippet, reader: Reader): readonly Outcome[] {
  return marked(outcomesIn(snippet, reader.split), reader, snippet.line, snippet.text.split('\n').length);
}

/** Servers whose text had hidden characters say so. */
function marked(outcomes: readonly Outcome[], { hidden }: Reader, line: number, count: number): readonly Outcome[] {
  if (hidden.size === 0 || ![...hidden].some((each) => each >= line && each < line + count)) return outcomes;
  return outcomes.map((outcome) => {
    if (!('servers' in outcome)) return outcome;
    const servers = outcome.servers.map((server) => ({ ...server, remarks: [...server.remarks, HIDDEN_CHARACTER] }));
    return { ...outcome, servers };
  });
}

const HIDDEN_CHARACTER: ServerRemark = { code: 'hidden_character' };

function outcomesIn(snippet: Snippet, split: SplitWords): readonly Outcome[] {
  switch (snippet.kind) {
    case 'link':
      return linked(snippet.text, split, snippet.title);
    case 'address':
      return isInstallLink(snippet.text) ? [] : [address(snippet.text, snippet.title)];
    case 'lines':
      return commandSetups(snippet, split);
    default:
      return configurations(snippet, split);
  }
}

/** The servers in a snippet of JSON, TOML or YAML. */
function configurations(snippet: Snippet, split?: SplitWords): readonly Outcome[] {
  if (snippet.kind === 'json') return jsonSetups(snippet, split);
  const parsed = snippet.kind === 'toml' ? tomlSections(snippet.text) : yamlSections(snippet.text);
  if ('mistake' in parsed) return [misread(snippet, parsed.mistake)];
  if (parsed.sections.length === 0) return [{ code: 'no_servers' }];
  return parsed.sections.map((section) => sectionSetup(section, snippet.title, new Map(), split));
}

function misread({ kind, line, text }: Snippet, mistake: TextMistake): PasteProblem {
  const format: PasteFormat = kind === 'toml' ? 'codex' : /^[ \t]*extensions:/m.test(text) ? 'goose' : 'yaml';
  return { code: 'bad_syntax', format, ...mistake, line: mistake.line + line };
}

function jsonSetups(snippet: Snippet, split: SplitWords | undefined): readonly Outcome[] {
  const { text, title } = snippet;
  const parsed = parseJsonText(text);
  if ('mistake' in parsed) {
    const at = lineAndColumn(text, parsed.mistake.offset);
    const column = at.line === 1 ? at.column + snippet.column : at.column;
    return [{ code: 'bad_json', line: at.line + snippet.line, column, reason: parsed.mistake.reason }];
  }
  return valueSetups(parsed.value, title, split);
}

function valueSetups(
  value: unknown,
  title: string | null,
  split: SplitWords | undefined,
  given?: Inputs,
): readonly Outcome[] {
  const inputs = given ?? inputsIn(value);
  if (Array.isArray(value)) {
    const entries = value.filter(isRecord).map((each) => [nameOf(each), each] as const);
    if (entries.length === 0) return [{ code: 'not_an_object' }];
    if (!entries.some(([, entry]) => isServer(entry))) return [{ code: 'no_servers' }];
    return [sectionSetup({ format: 'json', project: null, entries }, title, inputs, split)];
  }
  if (!isRecord(value)) return [{ code: 'not_an_object' }];
  const nested = isRecord(value.server) && isRegistryServer(value.server) ? value.server : value;
  if (isRegistryServer(nested))
    return registryServers(nested).map((each) => setup('server-json', title, ['code' in each ? each : finished(each)]));
  const sections = sectionsIn(value);
  if (sections.length > 0) return sections.map((section) => sectionSetup(section, title, inputs, split));
  if (isLoneServer('', value))
    return [sectionSetup({ format: 'json', project: null, entries: [[nameOf(value), value]] }, title, inputs, split)];
  if (isRecord(value.mcp_config) && isServer(value.mcp_config))
    return valueSetups({ name: nameOf(value), ...value.mcp_config }, title, split, inputs);
  const entries = loneServersIn(value);
  if (entries.length > 0) return [sectionSetup({ format: 'json', project: null, entries }, title, inputs, split)];
  return [{ code: 'no_servers' }];
}

function sectionSetup(
  { format, project, entries }: Section,
  title: string | null,
  inputs: Inputs,
  split: SplitWords | undefined,
): Outcome {
  const found = entries.slice(0, MAX_SERVERS).map(([name, entry]) => {
    const server = foundServer(name, split === undefined ? entry : withWholeLine(entry, split), inputs);
    return isUnread(server) || project === null
      ? server
      : { ...server, remarks: [...server.remarks, { code: 'project' as const, path: project }] };
  });
  const cut: readonly UnreadEntry[] =
    entries.length > MAX_SERVERS ? [{ name: '', code: 'too_many', text: String(entries.length) }] : [];
  if (found.length === 0) return { code: 'no_servers' };
  return setup(format === 'json' && inputs.size > 0 ? 'vscode' : format, title, [...found, ...cut]);
}

/** `"command": "npx -y package"` is a whole line; `/Applications/An App/server` is one path. */
function withWholeLine(entry: unknown, split: SplitWords): unknown {
  if (!isRecord(entry)) return entry;
  const { command, args } = entry;
  const hasNoArguments = args === undefined || (Array.isArray(args) && args.length === 0);
  if (typeof args === 'string') return { ...entry, args: wordsOf(args, split) ?? args };
  if (typeof command !== 'string' || !hasNoArguments || !/\s/.test(command.trim())) return entry;
  const words = wordsOf(command, split);
  const [first = ''] = words ?? [];
  const isRunner =
    packageIn(words ?? []) !== undefined ||
    /(?:^|[\\/])(?:node|python[\d.]*|docker|java|dotnet|cmd|go|sh|bash)(?:\.exe)?$/i.test(first);
  return words === undefined || !(isRunner || !/[\\/]/.test(first))
    ? entry
    : { ...entry, command: first, args: words.slice(1) };
}

function wordsOf(line: string, split: SplitWords): readonly string[] | undefined {
  try {
    return split(line);
  } catch {
    // An unclosed quote: it is taken as it is written.
    return undefined;
  }
}

function linked(link: string, split: SplitWords, title: string | null): readonly Outcome[] {
  const content = linkContent(link);
  if (content === 'bad') return [{ code: 'bad_link' }];
  if (content === 'unknown') return [{ code: 'unknown_link' }];
  const { name } = content;
  if ('entry' in content) {
    const server = finished({ ...writtenServer(content.entry), name });
    return [setup('link', title, [server])];
  }
  const parsed = parseJsonText(content.config);
  if ('mistake' in parsed || !isRecord(parsed.value)) return [{ code: 'bad_link' }];
  const listed = content.inputs === '' ? undefined : parseJsonText(content.inputs);
  const inputs = listed !== undefined && 'value' in listed ? inputsIn(listed.value) : inputsIn(parsed.value);
  const value = name !== '' && isServer(parsed.value) ? { ...parsed.value, name } : parsed.value;
  return valueSetups(value, title, split, inputs).map((outcome) =>
    'servers' in outcome ? { ...outcome, format: 'link' } : outcome,
  );
}

function commandSetups({ text, title, line }: Snippet, split: SplitWords): readonly Outcome[] {
  const commands = readCommands(text, split);
  const outcomes = commands.map((command) => commandOutcome(command, line, title));
  // What is installed before the server is started is no problem then.
  if (outcomes.some(hasServers)) return outcomes.filter((outcome) => 'servers' in outcome);
  return outcomes.length === 0 ? [{ code: 'no_servers' }] : outcomes;
}

function commandOutcome(command: ReadCommand, line: number, title: string | null): Outcome {
  switch (command.kind) {
    case 'server':
      return setup(command.format, title, [finished(command.server)]);
    case 'other':
      return { code: 'other_program', program: command.program, line: command.line + line + 1 };
    case 'installs':
      return { code: 'only_installs', program: command.program, line: command.line + line + 1 };
    case 'unclosed':
      return { code: 'unclosed_quote' };
    case 'nothing':
      return { code: 'no_servers' };
  }
}

function setup(format: PasteFormat, title: string | null, found: readonly (FoundServer | UnreadEntry)[]): Setup {
  return {
    format,
    title,
    servers: found.filter((each): each is FoundServer => !isUnread(each)),
    unread: found.filter(isUnread),
  };
}

/** Lines count from the start of what was pasted. */
function placed(outcome: Outcome, lead: number): Outcome {
  return 'line' in outcome ? { ...outcome, line: outcome.line + lead } : outcome;
}
