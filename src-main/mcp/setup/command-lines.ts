import type { PasteFormat, ServerRemark } from '../../../src-preload/contract/pasted-text.ts';
import { addedServer } from './add-commands.ts';
import { plainQuotes } from './json-text.ts';
import { otherProgramIn, packageIn, programName } from './other-commands.ts';
import { isKnownProgram, isServing } from './serving-commands.ts';
import { EMPTY_WRITTEN, type NamedText, type WrittenServer } from './written-server.ts';

/** Splits a command line into words; throws on an unclosed quote. */
export type SplitWords = (line: string) => string[];

/** What one command of a text is. `line` is 0-based, in the text. */
export type ReadCommand =
  | { readonly kind: 'server'; readonly server: WrittenServer; readonly format: PasteFormat; readonly line: number }
  | { readonly kind: 'other' | 'installs' | 'nothing'; readonly program: string; readonly line: number }
  | { readonly kind: 'unclosed'; readonly line: number };

/** A quoted JSON object of `add-json` may go over lines; other texts in quotes seldom do. */
const MAX_LINES_OF_JSON = 200;
const MAX_LINES = 20;
/** No snippet has more commands, nor more mistakes that are worth naming. */
const MAX_COMMANDS = 200;
const MAX_UNCLOSED = 20;
const INSPECTOR = /^@modelcontextprotocol\/inspector(?:-cli)?$|^@mcpjam\/inspector$|^mcp-inspector$/;

/** Leaves out `$ `, `user@host dir % `, `PS C:\> `, `C:\dir>` and their like. */
export function withoutPrompt(line: string): string {
  const trimmed = line.trim();
  return trimmed
    .replace(
      /^(?:\([\w.-]+\)\s*)?(?:[\w.-]+@[\w.-]+(?:[: ][^$%#>\n]{0,80})?[$%#>]|PS(?: [A-Za-z]:\\[^>\n]{0,100})?>|[$%❯➜»›]|>{1,3})\s+(?=\S)|^[A-Za-z]:\\[^<>"|\n]{0,100}>\s*(?=\S)/u,
      '',
    )
    .replace(/^➜\s+\S+\s+/u, '')
    .replace(/^(?:~|\[[^\]\n]{1,60}\])\s*[$%#]\s+/, '');
}

/** Whether a line begins like a command or sets a variable for one. */
export function isCommandStart(line: string): boolean {
  const plain = withoutPrompt(line).replace(/^[`"']+(?=\w)/, '');
  if (OF_IMAGE.test(plain)) return false;
  const uncommented = plain.replace(/(?<!\s)\s+(?:#\s.*|[\\^`]\s*)$/, '');
  if (
    variablesSet(
      uncommented,
      uncommented.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)?.map((word) => word.replace(/^["']/, '')) ?? [],
    ) !== undefined
  )
    return true;
  if (
    /^(?:sudo |env )?(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)\s+)*(?:\S*[\\/])?(npx|bunx|pnpx|uvx|uv|pipx|docker|podman|nerdctl|node|python[\d.]*|py|deno|bun|pnpm|yarn|npm|java|dotnet|dnx|go|cargo|cmd|tsx|sh|bash)(?:\.exe|\.cmd)?\s+\S/i.test(
      plain,
    )
  )
    return !isProse(plain);
  return (
    otherProgramIn(plain.slice(0, 500).split(/\s+/)) !== undefined &&
    /^[^\s{}[\]"',]+\s+(?:-|mcp|install|plugin|extensions?|add)/.test(plain)
  );
}

/** A Dockerfile says how an image is made. */
const OF_IMAGE = /^(?:FROM|RUN|CMD|COPY|ADD|ENTRYPOINT|WORKDIR|ENV|ARG|EXPOSE|USER|LABEL|VOLUME)\s/;

/** `node and python are needed.` begins like a command too. */
export function isProse(line: string): boolean {
  const words = line.split(/\s+/);
  const [, second = ''] = words;
  return (
    /^(?:and|or|is|are|must|should|will|can|version|to|for|with|in|on|as|does|has|if|when|which|that|the|v?\d[\d.]*\+?|[–—-]|≥|>=)$/i.test(
      second,
    ) ||
    /^\(|:$/.test(second) ||
    /[^.]\.\s+[A-Z]\w+ \w+ /.test(line)
  );
}

/** Commands in a text of nothing else: comments, prompts, continued lines and earlier variables are seen. */
export function readCommands(text: string, split: SplitWords): readonly ReadCommand[] {
  const env = new Map<string, string>();
  const remarks: ServerRemark[] = [];
  const found: ReadCommand[] = [];
  for (const { words, line, isUnclosed } of commandsIn(text, split)) {
    if (found.length >= MAX_COMMANDS) break;
    if (isUnclosed) found.push({ kind: 'unclosed', line });
    const set = variablesSet(words.join(' '), words);
    if (set !== undefined) {
      for (const [name, value] of set) env.set(name, value);
      continue;
    }
    if (words.length === 0 || isUnclosed) continue;
    const command = readCommand(words, line, split);
    if (command.kind !== 'server') {
      if (programName(words[0] ?? '') === 'cd') remarks.push({ code: 'shell', text: words.join(' ').slice(0, 200) });
      if (command.kind === 'installs') remarks.push({ code: 'left_out', key: words.join(' ').slice(0, 200) });
      found.push(command);
      continue;
    }
    const own = new Set(command.server.env.map(({ name }) => name));
    const earlier = [...env]
      .filter(([name]) => !own.has(name))
      .map(([name, value]): NamedText => ({ name, text: value }));
    const server = {
      ...command.server,
      env: [...earlier, ...command.server.env],
      remarks: [...remarks.filter(isSaid), ...command.server.remarks],
    };
    found.push({ ...command, server: command.server.command === '' ? { ...server, env: command.server.env } : server });
    remarks.length = 0;
  }
  return found;
}

/** That a line installs something is for the reader of the text; that a folder is entered matters to the server. */
function isSaid({ code }: ServerRemark): boolean {
  return code === 'shell' || code === 'left_out';
}

interface Command {
  readonly words: readonly string[];
  readonly line: number;
  readonly isUnclosed: boolean;
}

function* commandsIn(text: string, split: SplitWords): Generator<Command> {
  const lines = text.split('\n');
  let unclosed = 0;
  for (let at = 0; at < lines.length; ) {
    const line = at;
    let joined = '';
    let words: string[] | undefined;
    let isContinued = false;
    const most = /["']\s*[{[]/.test(lines[at] ?? '') ? MAX_LINES_OF_JSON : MAX_LINES;
    for (let count = 0; at < lines.length && count < most; count += 1) {
      const next = lines[at] ?? '';
      // The next command cannot be inside a quote that was never closed.
      if (
        count > 0 &&
        words === undefined &&
        joined !== '' &&
        !isContinued &&
        /^\s*(?:[$%>] |npx |uvx |claude |docker )/.test(next)
      )
        break;
      at += 1;
      // A shell that waits for the rest of a line shows a prompt of its own.
      const plain = count === 0 ? withoutPrompt(next) : next.replace(/^\s*>{1,2} (?=\s*\S)/, '');
      if (
        count === 0 &&
        /^(?:#|\/\/|rem\s|::|<!--)/i.test(plain) &&
        !/^#\s+(?:npx|uvx|docker run|claude mcp)\s/.test(plain)
      )
        break;
      joined += `${count === 0 ? '' : '\n'}${plain.replace(/^#\s+(?=npx|uvx|docker|claude)/, '')}`;
      if (/(?:[^\\]|^)\\[ \t]*$|(?:\s|^)[\^`][ \t]*$/.test(joined)) {
        joined = joined.replace(/[\\^`][ \t]*$/, ' ');
        isContinued = true;
        continue;
      }
      isContinued = false;
      words = wordsOf(joined, split);
      if (words !== undefined || !/["']/.test(joined)) break;
    }
    if (joined.trim() === '') continue;
    const given = words ?? wordsOf(joined, split);
    if (given === undefined) {
      unclosed += 1;
      if (unclosed > MAX_UNCLOSED) return;
      yield { words: [], line, isUnclosed: true };
      // Only the first line of the command is at fault.
      at = Math.max(line + 1, Math.min(at, line + 1));
    } else
      for (const part of parted(withoutComment(given)))
        for (const inner of insideCmd(part, split)) yield { words: inner, line, isUnclosed: false };
  }
}

/** Matches `<your service account token>`, but not `<in.txt >out.txt`. */
const SPACED_PLACEHOLDER =
  /<[A-Za-z][^<>"'\n]{0,78}[^<>"'\s]>|\[(?:your|my|insert|enter|paste|the) [^[\]"'\n]{1,78}\]|\{(?:your|my|insert|enter|paste|the) [^{}"':\n]{1,78}\}/gi;

function wordsOf(line: string, split: SplitWords): string[] | undefined {
  // Word processors make one dash of two; a placeholder of several words is one.
  const plain = plainQuotes(line)
    .replace(SPACED_PLACEHOLDER, (placeholder) => placeholder.replace(/ /g, '\u001f'))
    .replace(/(^|\s)\u2014(?=\w)/g, '$1--')
    .replace(/(^|\s)\u2013(?=\w(?:\s|$))/g, '$1-')
    .replace(/(^|\s)\u2013(?=\w)/g, '$1--');
  try {
    return split(plain.replace(/\\ (?=\S)/g, '\u001f')).map((word) => word.replaceAll('\u001f', ' '));
  } catch {
    // An unclosed quote, the only thing that is thrown: the caller says so.
    return undefined;
  }
}

/** `cmd /c "set A=b && npx package"` sets a variable for a command. */
function insideCmd(words: readonly string[], split: SplitWords): readonly (readonly string[])[] {
  const [command = '', option = '', ...rest] = words;
  if (programName(command) !== 'cmd' || !/^\/[ck]$/i.test(option)) return [words];
  const script =
    rest.length === 1 && /\s/.test(rest[0] ?? '') ? wordsOf((rest[0] ?? '').replaceAll('&&', ' && '), split) : rest;
  if (script === undefined) return [words];
  const parts = [...parted(script)];
  return parts.map((part) =>
    part.length === 0 || variablesSet(part.join(' '), part) !== undefined ? part : [command, option, ...part],
  );
}

function withoutComment(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word, index) => index > 0 && (word === '#' || word === '//'));
  return at < 0 ? words : words.slice(0, at);
}

/** Splits a line at `&&`, `;`, `|` and the `&` of Windows. */
function* parted(words: readonly string[]): Generator<readonly string[]> {
  let part: string[] = [];
  for (const word of words) {
    const isEnd = /^(?:&&?|\|\||;|\|)$/.test(word);
    if (!isEnd) part.push(word.length > 1 && word.endsWith(';') ? word.slice(0, -1) : word);
    if (isEnd || word.endsWith(';')) {
      yield part;
      part = [];
      // What is sent through a pipe is no server's set-up.
      if (word === '|') return;
    }
  }
  yield part;
}

/** Reads `export A=b`, `set A=b`, `$env:A = "b"`, and `A=b` without a command. */
function variablesSet(
  line: string,
  words: readonly string[] = line.split(/\s+/),
): readonly (readonly [string, string])[] | undefined {
  const powershell = /^\$env:(\w+)\s*=\s*(.*)/is.exec(line);
  if (powershell) return [[powershell[1] ?? '', (powershell[2] ?? '').replace(/^["']|["']$/g, '')]];
  const [first = '', ...rest] = words;
  const isKeyword = /^(?:export|set|setx|declare|local)$/i.test(first);
  const given = isKeyword ? rest.filter((word) => !/^[-/]\w$/.test(word)) : words;
  if (/^setx$/i.test(first) && given.length === 2 && /^\w+$/.test(given[0] ?? ''))
    return [[given[0] ?? '', given[1] ?? '']];
  const assigned = given.map((word) => /^([A-Za-z_]\w*)=(.*)$/s.exec(word));
  if (assigned.length === 0 || assigned.some((each) => each === null)) return undefined;
  return assigned.flatMap((each) =>
    each === null ? [] : [[each[1] ?? '', (each[2] ?? '').replace(/^["']|["']$/g, '')] as const],
  );
}

function readCommand(given: readonly string[], line: number, split: SplitWords): ReadCommand {
  const env: NamedText[] = [];
  let words = given[0] === 'env' || given[0] === 'sudo' ? given.slice(1) : given;
  while (/^[A-Za-z_]\w*=/.test(words[0] ?? '')) {
    const [, name = '', text = ''] = /^(\w+)=(.*)$/s.exec(words[0] ?? '') ?? [];
    env.push({ name, text });
    words = words.slice(1);
  }
  const inspected = behindInspector(words);
  const [command = '', ...args] = inspected ?? words;
  const program = programName(command);
  const other = otherProgramIn([command, ...args]);
  if (other !== undefined) {
    const server = addedServer([command, ...args], split);
    return server === undefined
      ? { kind: 'other', program: other, line }
      : { kind: 'server', server, format: 'add-command', line };
  }
  if (isProse(words.join(' '))) return { kind: 'nothing', program, line };
  if (!isServing(command, args)) {
    const named = [program, packageIn([command, ...args])?.name ?? args[0] ?? ''].join(' ').trim();
    return { kind: isKnownProgram(program) ? 'installs' : 'nothing', program: named, line };
  }
  const redirected = args.findIndex((arg) => /^\d?(?:>>?|<)/.test(arg) && !/^<[^<>]+>/.test(arg));
  const own = redirected < 0 ? args : args.slice(0, redirected);
  const remarks: ServerRemark[] =
    redirected < 0 ? [] : [{ code: 'shell', text: args.slice(redirected).join(' ').slice(0, 200) }];
  const server = {
    ...EMPTY_WRITTEN,
    command,
    args: own.map((text) => ({ text })),
    env,
    remarks,
  };
  return { kind: 'server', server, format: 'command', line };
}

/** The MCP inspector starts the server that comes after it. */
function behindInspector(words: readonly string[]): readonly string[] | undefined {
  const started = packageIn(words) ?? { name: words[0] ?? '', rest: words.slice(1) };
  if (!INSPECTOR.test(started.name)) return undefined;
  const rest = [...started.rest];
  while (rest.length > 0 && /^-/.test(rest[0] ?? '')) {
    const [option = ''] = rest.splice(0, 1);
    if (option === '--') break;
    if (/^-e$|^--(?:config|server|transport|method|header)$/.test(option)) rest.splice(0, 1);
  }
  return rest;
}
