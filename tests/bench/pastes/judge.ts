import type { FoundServer } from '../../../src-main/mcp/setup/found-server.ts';
import type { PastedServers } from '../../../src-main/mcp/setup/pasted-servers.ts';
import type { Block } from './readme-blocks.ts';

/** With `unjudged`, the judge can't tell what the block means, and somebody has to read it. */
export interface Judgment {
  readonly verdict: 'right' | 'wrong' | 'refused' | 'unjudged';
  readonly why: string;
}

interface Expected {
  readonly name: string | undefined;
  readonly command: string;
  readonly args: readonly string[];
  readonly url: string;
  readonly values: ReadonlyMap<string, string>;
}

/** Written without looking at the parser's own rules. */
const SUSPECT =
  /<[a-z][^<>]*>|\byour[-_ ]|your-|YOUR_|_HERE\b|x{4,}|\*{3,}|\.\.\.|…|path[/\\]to|\$\{(?!keychain:)|\{\{|\/Users\/(?:username|you|user)\b|\/home\/(?:user|username)\b|%[A-Z]+%/i;
const OTHERS = new Set(
  'claude codex gemini code code-insiders cursor amp q kiro-cli copilot droid qwen opencode goose auggie windsurf smithery'.split(
    ' ',
  ),
);
const SERVES = /^(?:npx|bunx|pnpx|uvx|docker|podman|node|python3?|uv|deno|bun|pnpm)$/;
const DOES_SOMETHING_ELSE =
  /^(?:npm|git|pip3?|cd|brew|curl|cp|mkdir|echo|export|make|cat|yarn|source|go|cargo|sudo|docker (?:build|pull|compose|exec|logs|stop|rm|ps|network|mcp|tag|push|login|version|images|buildx)|npx (?:-y |--yes )?(?:@smithery\/cli|add-mcp|install-mcp|create-|vitest|tsc|jest|prettier|eslint|@playwright\/test|playwright|skills|tsx )|uv (?:sync|venv|pip|add|tool install)|pnpm (?:install|build|i|add|run|test|dev)|bun (?:install|run build|test|add|i)|\w+ plugin|\S+ mcp (?:list|get|remove|login|logout|serve|auth|install|dev))/;

export function judged(block: Block, result: PastedServers): Judgment {
  const safety = 'setups' in result ? result.setups.flatMap(({ servers }) => servers.flatMap(unsafe)) : [];
  if (safety[0] !== undefined) return { verdict: 'wrong', why: safety[0] };
  const expected = expectedOf(block);
  if (expected === 'nothing') {
    if ('problem' in result) return { verdict: 'right', why: `refused as it should: ${result.problem.code}` };
    return { verdict: 'unjudged', why: 'read, though the judge sees no server' };
  }
  if (expected === undefined)
    return { verdict: 'unjudged', why: 'problem' in result ? `refused: ${JSON.stringify(result.problem)}` : 'read' };
  if ('problem' in result) return { verdict: 'refused', why: JSON.stringify(result.problem) };
  const all = result.setups.flatMap(({ servers }) => servers);
  for (const each of expected) {
    const twin = all.find((server) => isSame(server, each));
    if (twin === undefined)
      return { verdict: 'wrong', why: `no server like ${JSON.stringify({ ...each, values: [...each.values] })}` };
    if (
      each.name === undefined &&
      !twin.remarks.some(({ code }) => code === 'relative_path') &&
      /^(?:|mcp|server|localhost|\.env)$/i.test(twin.name)
    )
      return { verdict: 'wrong', why: `name “${twin.name}”` };
  }
  return { verdict: 'right', why: '' };
}

function unsafe(server: FoundServer): readonly string[] {
  const { command, args, env, headers, url } = server;
  const program = command.replace(/^.*[\\/]/, '').toLowerCase();
  const isServing = args[0] === 'mcp' && args[1] === 'serve';
  if (OTHERS.has(program) && !isServing) return [`another program's command: ${command} ${args.join(' ')}`];
  if (
    args.some((arg) => /^(?:add-mcp|install-mcp)(?:@|$)/.test(arg)) ||
    (/smithery\/cli/.test(args.join(' ')) && args.includes('install'))
  )
    return [`another program's command: ${command} ${args.join(' ')}`];
  const isScript = /^(?:ba|z)?sh$|^cmd$/.test(program) || args.includes('sh');
  const known = new Set(env.map(({ name }) => name));
  const texts = [
    ...(isScript ? [] : args),
    url,
    command,
    ...[...env, ...headers].map(({ before, value, after }) => before + value + after),
  ];
  return texts
    .filter((text) =>
      SUSPECT.test(
        text
          .replace(/\$\{keychain:\w+\}/g, '')
          .replace(/\$\{(\w+)\}/g, (all, name: string) => (known.has(name) ? '' : all)),
      ),
    )
    .map((text) => `a placeholder as a value: ${text}`);
}

/** With what was taken out of the texts put back, a server says what was written. */
function isSame(server: FoundServer, expected: Expected): boolean {
  if (expected.name !== undefined && expected.name !== server.name) return false;
  const parts = new Map(server.parts.map((part) => [`${part.place}${part.index}`, part]));
  const restored = (place: string, text: string) => {
    const part = parts.get(place);
    return part === undefined ? text : whole(part);
  };
  const command = restored('command0', server.command);
  const args = server.args.map((text, index) => restored(`args${index}`, text));
  const values = new Map([...server.env, ...server.headers].map((each) => [each.name, whole(each)]));
  const own = passedOn([command, ...args], values);
  const wanted = passedOn([expected.command, ...expected.args], expected.values);
  if (
    server.transport === 'stdio'
      ? own.line !== wanted.line
      : plain(restored('url0', server.url)) !== plain(expected.url)
  )
    return false;
  return [...wanted.values].every(([name, text]) => {
    const value = own.values.get(name);
    return value !== undefined && (plain(value) === plain(text) || isReference(text));
  });
}

function whole({ before, after, value, blank }: FoundServer['env'][number]): string {
  return before + (blank === undefined ? value : blank.hint) + after;
}

/** References are kept by their names. */
function plain(text: string): string {
  return text
    .replace(/\$\{(?:input:)?([^}]*)\}/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

function isReference(text: string): boolean {
  return /^\$|^\{/.test(text);
}

/** `-e NAME=value` and `--env NAME` with a variable mean the same. */
function passedOn(words: readonly string[], given: ReadonlyMap<string, string>) {
  const values = new Map(given);
  const isContainer = /docker|podman/.test(words[0] ?? '');
  const kept: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const assigned =
      isContainer && /^(?:-e|--env)$/.test(word)
        ? words[at + 1]
        : isContainer
          ? /^--env=(.*)$/s.exec(word)?.[1]
          : undefined;
    if (assigned === undefined) {
      kept.push(plain(word));
      continue;
    }
    if (/^(?:-e|--env)$/.test(word)) at += 1;
    const [name = '', ...rest] = assigned.split('=');
    if (rest.length > 0 && !values.has(name)) values.set(name, rest.join('='));
    kept.push(`-e ${name}`);
  }
  return { line: kept.join(' '), values };
}

/** `undefined` if it can't be told; `nothing` if there is no server in it. */
function expectedOf({ kind, text, language }: Block): readonly Expected[] | 'nothing' | undefined {
  if (kind === 'link') return linkExpected(text);
  if (/^\s*https?:\/\/\S+\s*$/.test(text))
    return [{ name: undefined, command: '', args: [], url: text.trim(), values: new Map() }];
  if (/^\s*(?:[{"]|\/\/|\/\*)/.test(text)) return jsonExpected(text);
  if (/^\s*\[+mcp_servers/m.test(text)) return tomlExpected(text);
  if (/ya?ml|dockerfile|python|typescript|javascript|^ts$|^js$|^py$/.test(language)) return undefined;
  return shellExpected(text);
}

function jsonExpected(text: string): readonly Expected[] | undefined {
  const bare = text
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/,?\s+\/\/ .*$/gm, (match) => (match.startsWith(',') ? ',' : ''))
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/,(\s*[}\]])/g, '$1')
    .trim();
  for (const attempt of [bare, `{${bare.replace(/,$/, '')}}`]) {
    try {
      const servers = [...entriesIn(JSON.parse(attempt) as unknown)];
      return servers.length === 0 ? undefined : servers;
    } catch {
      // The block is not JSON in this form.
    }
  }
  return undefined;
}

interface Entry {
  readonly command?: unknown;
  readonly args?: unknown;
  readonly env?: unknown;
  readonly environment?: unknown;
  readonly headers?: unknown;
  readonly url?: unknown;
  readonly serverUrl?: unknown;
  readonly httpUrl?: unknown;
}

function* entriesIn(value: unknown, name?: string, depth = 0): Generator<Expected> {
  if (typeof value !== 'object' || value === null || depth > 6) return;
  if (Array.isArray(value)) {
    for (const each of value as readonly unknown[]) yield* entriesIn(each, undefined, depth + 1);
    return;
  }
  const entry = value as Entry & Record<string, unknown>;
  const url = [entry.url, entry.serverUrl, entry.httpUrl].find((each) => typeof each === 'string') as
    | string
    | undefined;
  const list = Array.isArray(entry.command) ? entry.command.map(String) : undefined;
  if (
    typeof entry.command === 'string' ||
    list !== undefined ||
    (url !== undefined && /^https?:|^</.test(url) && depth > 0)
  ) {
    const [first = '', ...rest] = list ?? [String(entry.command ?? '')];
    const given = [...rest, ...(Array.isArray(entry.args) ? entry.args.map(String) : [])];
    const line = given.length === 0 && /\s/.test(first) ? first.split(/\s+/) : [first, ...given];
    const values = Object.entries({
      ...(entry.env as object),
      ...(entry.environment as object),
      ...(entry.headers as object),
    });
    yield {
      name,
      command: line[0] ?? '',
      args: line.slice(1),
      url: url ?? '',
      values: new Map(values.map(([key, each]) => [key, String(each)])),
    };
    return;
  }
  for (const [key, inner] of Object.entries(entry)) if (key !== 'inputs') yield* entriesIn(inner, key, depth + 1);
}

function linkExpected(link: string): readonly Expected[] | undefined {
  const inner = /[?&]url=([^&]+)/.exec(link)?.[1];
  const target = inner === undefined ? link : decodeURIComponent(inner);
  const config = /[?&]config=([^&]+)/.exec(target)?.[1] ?? /\?((?:%7B|\{).*)$/i.exec(target)?.[1];
  if (config === undefined) return undefined;
  const plainConfig = decodeURIComponent(config);
  for (const attempt of [
    plainConfig,
    Buffer.from(plainConfig, 'base64').toString('utf8'),
    decodeURIComponent(plainConfig),
  ]) {
    try {
      const value = JSON.parse(attempt) as Record<string, unknown>;
      const found = [...entriesIn({ inner: value })].map((each) => ({ ...each, name: undefined }));
      if (found.length > 0) return found;
    } catch {
      // The text is encoded in another way.
    }
  }
  return undefined;
}

function tomlExpected(text: string): readonly Expected[] | undefined {
  const name = /^\s*\[mcp_servers\.["']?([\w.-]+?)["']?\]/m.exec(text)?.[1];
  const command = /^\s*command\s*=\s*["'](.*)["']\s*$/m.exec(text)?.[1] ?? '';
  const url = /^\s*url\s*=\s*["'](.*)["']\s*$/m.exec(text)?.[1] ?? '';
  const list = /^\s*args\s*=\s*\[([\s\S]*?)\]\s*$/m.exec(text)?.[1] ?? '';
  if (name === undefined || (command === '' && url === '')) return undefined;
  const args = [...list.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, a, b]) => a ?? b ?? '');
  return [{ name, command: command.replaceAll('\\\\', '\\'), args, url, values: new Map() }];
}

function shellExpected(text: string): readonly Expected[] | 'nothing' | undefined {
  const lines = text
    .replace(/\s*[\\^`]\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.trim().replace(/^[$>%] /, ''))
    .filter((line) => line !== '' && !/^(?:#|\/\/|::|rem )/i.test(line));
  const expected = lines.flatMap((line): readonly (Expected | undefined)[] => {
    if (DOES_SOMETHING_ELSE.test(line)) return [];
    if (/&&|\||;| & ?$|[^\s=]["']|\\["']|[{}]/.test(line)) return [undefined];
    const words = (line.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? []).map((word) => word.replace(/["']/g, ''));
    const [first = ''] = words;
    const values = new Map<string, string>();
    if (/^export$/.test(first)) return [];
    while (/^\w+=/.test(words[0] ?? '')) {
      const [name = '', ...value] = (words.shift() ?? '').split('=');
      values.set(name, value.join('='));
    }
    const [program = ''] = words;
    if (!SERVES.test(program)) return / mcp add /.test(line) ? addExpected(words) : [undefined];
    const comment = words.indexOf('#');
    const own = comment < 0 ? words : words.slice(0, comment);
    if (
      own.some((word) =>
        /^(?:setup|install|init|auth|authenticate|login|logout|remove|help|--version|--help)$/.test(word),
      )
    )
      return [];
    const inspected = own.findIndex((word) => /modelcontextprotocol\/inspector/.test(word));
    const served = inspected < 0 ? own : own.slice(inspected + 1);
    if (served.length === 0 || /^-/.test(served[0] ?? '')) return [undefined];
    return [{ name: undefined, command: served[0] ?? '', args: served.slice(1), url: '', values }];
  });
  if (expected.length === 0) return 'nothing';
  const known = expected.filter((each) => each !== undefined);
  return known.length === 0 || known.length < expected.length ? undefined : known;
}

/** `claude mcp add [--transport http] [-s user] NAME [--] URL or COMMAND …`, as far as it has no other options. */
function addExpected(words: readonly string[]): readonly (Expected | undefined)[] {
  const values = new Map<string, string>();
  const end = words.indexOf('--');
  const options = words.slice(words.indexOf('add') + 1, end < 0 ? words.length : end);
  const rest: string[] = [];
  for (let at = 0; at < options.length; at += 1) {
    const word = options[at] ?? '';
    const isCommand = rest.length >= 2 && !/^https?:/.test(rest[1] ?? '');
    if (!isCommand && /^(?:-s|--scope|-t|--transport|--type)$/.test(word)) at += 1;
    else if (!isCommand && /^(?:-e|--env|-H|--header)$/.test(word)) {
      at += 1;
      const [, key = '', value = ''] = /^([\w-]+)\s*[:=]\s*(.*)$/.exec(options[at] ?? '') ?? [];
      values.set(key, value);
    } else rest.push(word);
  }
  const [name = '', ...target] = rest;
  const line = end < 0 ? target : [...target, ...words.slice(end + 1)];
  const own = line.length === 1 ? (line[0] ?? '').split(/\s+/) : line;
  if (name.startsWith('-') || own.slice(0, 1).some((word) => word.startsWith('-'))) return [undefined];
  const [first = '', ...args] = own;
  if (/^https?:/.test(first))
    return args.length > 0 ? [undefined] : [{ name, command: '', args: [], url: first, values }];
  return [{ name, command: first, args, url: '', values }];
}
