import type { ServerRemark } from '../../../src-preload/contract/pasted-text.ts';
import { isRecord, ownValue } from '../../base/json.ts';
import { parseJsonText } from './json-text.ts';
import { programName } from './other-commands.ts';
import { EMPTY_WRITTEN, type NamedText, registrationIn, type WrittenServer, writtenServer } from './written-server.ts';

/**
 * Commands that add a server to another program. Sources: https://code.claude.com/docs/en/mcp,
 * https://developers.openai.com/codex/mcp, https://geminicli.com/docs/tools/mcp-server,
 * https://code.visualstudio.com/docs/copilot/customization/mcp-servers.
 */

/** Options with a value that say nothing about the server. */
const IGNORED = new Set(['-s', '--scope', '--description', '--agent', '--profile', '--workspace']);
const FLAGS = new Set([
  '--force',
  '--yes',
  '--trust',
  '--global',
  '--local',
  '--user',
  '--project',
  '-g',
  '--client-secret',
  '--disabled',
]);
const VALUES: Readonly<Record<string, keyof Collected>> = {
  '--client-id': 'clientId',
  '--callback-port': 'callbackPort',
  '-t': 'transport',
  '--transport': 'transport',
  '--type': 'transport',
  '--name': 'name',
  '-n': 'name',
  '--command': 'command',
  '--url': 'url',
  '--httpurl': 'url',
  '--timeout': 'timeout',
  '--bearer-token-env-var': 'bearer_token_env_var',
};

interface Collected {
  name: string;
  transport: string;
  command: string;
  url: string;
  timeout: string;
  bearer_token_env_var: string;
  clientId: string;
  callbackPort: string;
}

/** `undefined` if it is no such command, or it does not say what the server is. */
export function addedServer(
  words: readonly string[],
  split: (line: string) => readonly string[],
): WrittenServer | undefined {
  const [program = '', ...given] = words;
  const added = given.findIndex((word) => /^--?add-mcp(?:=|$)/.test(word));
  if (added >= 0) {
    const [, glued] = /^--?add-mcp=(.*)$/s.exec(given[added] ?? '') ?? [];
    return fromJson('', glued ?? given[added + 1] ?? '');
  }
  const mcp = given.indexOf('mcp');
  if (mcp < 0 || mcp > 3) return undefined;
  const [verb = '', ...rest] = given.slice(mcp + 1);
  if (/^(?:add-json|set)$/.test(verb)) return fromNamedJson(rest);
  return verb === 'add' ? fromOptions(programName(program), rest, split) : undefined;
}

function fromNamedJson(words: readonly string[]): WrittenServer | undefined {
  const json = words.findIndex((word) => /^\s*\{/.test(word));
  if (json < 0) return undefined;
  const [name = ''] = words
    .slice(0, json)
    .filter((word, index, all) => !word.startsWith('-') && !IGNORED.has(all[index - 1] ?? ''));
  return fromJson(name, words[json] ?? '');
}

function fromJson(name: string, text: string): WrittenServer | undefined {
  const parsed = parseJsonText(text);
  if ('mistake' in parsed || !isRecord(parsed.value)) return undefined;
  const server = writtenServer(parsed.value);
  return name === '' ? server : { ...server, name };
}

interface ReadOptions {
  /** The values of the options in `VALUES`. */
  readonly collected: Partial<Collected>;
  readonly env: readonly NamedText[];
  readonly headers: readonly NamedText[];
  readonly remarks: readonly ServerRemark[];
  /** The arguments given by `--args`. */
  readonly args: readonly string[];
  /** The words before the program's own that are no options: usually name and command, or name and address. */
  readonly plain: readonly string[];
  /** The words after those, which belong to the program itself. */
  readonly own: readonly string[];
}

function fromOptions(
  program: string,
  words: readonly string[],
  split: (line: string) => readonly string[],
): WrittenServer | undefined {
  const { collected, env, headers, remarks, args, plain, own } = readOptions(words, split);
  const isNamed = collected.name !== undefined;
  const [first = '', second = ''] = isNamed ? ['', ...plain] : plain;
  const line = [...(second === '' ? [] : [second]), ...plain.slice(isNamed ? 1 : 2), ...own];
  const name = collected.name ?? first;
  if (name === '' && line.length === 0 && collected.command === undefined && collected.url === undefined)
    return undefined;
  const [target = '', ...targetArgs] =
    collected.command !== undefined
      ? [...split(collected.command), ...args]
      : line.length === 1 && /\s/.test(line[0] ?? '')
        ? split(line[0] ?? '')
        : line;
  const url = collected.url ?? (isAddress(target) ? target : '');
  const { timeout, transport, bearer_token_env_var } = collected;
  const given = { env: {}, transport, timeout, bearer_token_env_var: bearer_token_env_var ?? '' };
  const { clientId, callbackPort } = collected;
  const read = writtenServer(given);
  if (url === '' && target === '') return undefined;
  return {
    ...EMPTY_WRITTEN,
    name,
    env,
    ...(program === 'code' ? {} : { timeoutSeconds: read.timeoutSeconds }),
    ...(url === ''
      ? {
          command: target,
          args: [...targetArgs, ...(collected.command === undefined ? args : [])].map((text) => ({ text })),
        }
      : {
          url: { text: url },
          headers: [...headers, ...read.headers],
          registration: registrationIn({ clientId, callbackPort }),
        }),
    transport: url === '' ? undefined : read.transport,
    remarks: [...remarks, ...read.remarks],
  };
}

function readOptions(words: readonly string[], split: (line: string) => readonly string[]): ReadOptions {
  const told = new Map<keyof Collected, string>();
  const env: NamedText[] = [];
  const headers: NamedText[] = [];
  const remarks: ServerRemark[] = [];
  const args: string[] = [];
  const plain: string[] = [];
  const end = words.indexOf('--');
  const before = end < 0 ? words : words.slice(0, end);
  const byName = before.some((word) => /^(?:--command|--url)(?:=|$)/.test(word));
  let at = 0;
  for (; at < before.length; at += 1) {
    const [word = '', glued] = optionOf(before[at] ?? '');
    const next = () => {
      if (glued !== undefined) return glued;
      at += 1;
      return before[at] ?? '';
    };
    const key = ownValue(VALUES, word.toLowerCase());
    if (!word.startsWith('-')) {
      plain.push(before[at] ?? '');
      // The options that follow are the program's own.
      if (plain.length === 2 && !isAddress(plain[1] ?? '') && !/\s/.test(plain[1] ?? '') && !byName) break;
    } else if (word === '-e' || word === '--env') env.push(...assigned(next(), '='));
    else if (word === '-H' || word === '--header' || word === '--headers') headers.push(...assigned(next(), ':'));
    else if (word === '--args' || word === '-a') args.push(...argumentsIn(next(), split));
    else if (word === '--trust' || word === '--allowed-tools') remarks.push({ code: 'approval' });
    else if (key !== undefined) told.set(key, next());
    else if (IGNORED.has(word)) next();
    else if (!FLAGS.has(word)) {
      const value = glued ?? (hasValue(before.slice(at + 1)) ? next() : '');
      remarks.push({ code: 'left_out', key: `${word} ${value}`.trim() });
    }
    // `-e A=1 B=2` are two variables.
    while ((word === '-e' || word === '--env') && /^[A-Za-z_]\w*=/.test(before[at + 1] ?? '')) {
      at += 1;
      env.push(...assigned(before[at] ?? '', '='));
    }
  }
  const trailing = before.slice(at + 1);
  const own = end < 0 ? withoutScope(trailing) : [...trailing, ...words.slice(end + 1)];
  return { collected: Object.fromEntries(told), env, headers, remarks, args, plain, own };
}

function optionOf(word: string): readonly [string, string | undefined] {
  const [, option, value] = /^(--[a-zA-Z][\w-]*)=(.*)$/s.exec(word) ?? [];
  return option === undefined ? [word, undefined] : [option, value];
}

/** An address, or a placeholder of one. */
function isAddress(word: string): boolean {
  return /^https?:\/\//i.test(word) || /^[<{[$].*(?:url|endpoint|address)/i.test(word);
}

/** Whether an option that isn't known has a value. `bar name https://…` and `bar name -- …` begin with one. */
function hasValue([value = '', name = '', then = '--']: readonly string[]): boolean {
  return (
    !/^-/.test(value) &&
    !isAddress(value) &&
    !/^-|^$/.test(name) &&
    !isAddress(name) &&
    (then === '--' || isAddress(then))
  );
}

/** Leaves out the scope, which some programs put last. */
function withoutScope(words: readonly string[]): readonly string[] {
  const at = words.findIndex(
    (word, index) => /^(?:-s|--scope)$/.test(word) && /^(?:user|local|project|global)$/.test(words[index + 1] ?? ''),
  );
  return at < 0 ? words : [...words.slice(0, at), ...words.slice(at + 2)];
}

function assigned(text: string, separator: '=' | ':'): readonly NamedText[] {
  // Some programs write headers like variables.
  const at = text.includes(separator) ? text.indexOf(separator) : text.indexOf('=');
  return at < 1 ? [] : [{ name: text.slice(0, at).trim(), text: text.slice(at + 1).trim() }];
}

/** `--args "-y,package"`, `--args '["-y"]'` and `--args "-y package"` are all seen. */
function argumentsIn(text: string, split: (line: string) => readonly string[]): readonly string[] {
  const parsed = /^\s*\[/.test(text) ? parseJsonText(text) : undefined;
  if (parsed !== undefined && 'value' in parsed && Array.isArray(parsed.value)) return parsed.value.map(String);
  return /\s/.test(text) ? split(text) : text.split(',').filter((each) => each !== '');
}
