import { getDomainWithoutSuffix, getHostname } from 'tldts';
import { imageIn, isContainerRunner } from './container-run.ts';

/** Words at the start of a command that are not the package's name. */
const RUNNERS =
  /^(?:npx|bunx|pnpx|uvx|pipx|node|nodejs|python[\d.]*|py|uv|deno|bun|yarn|pnpm|npm|run|dlx|exec|x|tool|tsx|ts-node|java|dotnet|dnx|go|cargo|sh|bash|zsh|cmd|powershell|pwsh|env|sudo|start|mcp|mcp-remote|supergateway|mcp-proxy|call)(?:\.exe|\.cmd)?$/i;
/** Options whose next word is the package. */
const PACKAGE_OPTIONS = new Set(['-m', '--from', '-p', '--package', '-jar']);
/** Options whose next word is no name. */
const VALUE_OPTIONS = new Set([
  '--with',
  '--python',
  '--directory',
  '--project',
  '--prefix',
  '--cwd',
  '-C',
  '--registry',
  '--index-url',
]);
/** Parts that say nothing of what the server is for. */
const SAYS_NOTHING =
  /^(?:mcp|server|servers|mcps|index|main|cli|app|start|run|dist|build|src|bin|out|lib|target|release|debug|stdio|sse|http|https|latest|localhost|path|to|your|the|absolute|full|users?|home|username|name|repo|repository|project|projects|folder|directory|dir|workspace|node|modules|node_modules|venv|scripts|env|api|www|js|ts|py|cmd|tmp|opt|usr|local|mnt|c|d|documents|code|dev|com|org|download|downloads|desktop|package|packages|program|files|jar|exe|my|me|cloned|clone|location|python\d*|java|config|json|remote|streamable|placeholder|xxx+|unnamed|undefined|null)$/i;
const MAX_LENGTH = 64;

/** `npx -y @modelcontextprotocol/server-filesystem /srv` → `filesystem`; empty if the words do not say it. */
export function nameFromWords(words: readonly string[]): string {
  const [command = '', ...args] = words;
  if (isContainerRunner(command)) {
    const name = args.indexOf('--name');
    const given =
      args.find((arg) => arg.startsWith('--name='))?.slice('--name='.length) ?? (name < 0 ? '' : args[name + 1]);
    return nameFromPath(given ?? '') || nameFromPath(imageIn(args) ?? '');
  }
  const candidates = [
    ...subjects(
      /^(?:(?:ba|z|da)?sh|cmd|powershell|pwsh)(?:\.exe)?$/i.test(baseOf(command)) ? scriptWords(words) : words,
    ),
  ];
  const url = candidates.find((each) => /^https?:\/\//i.test(each));
  for (const subject of candidates) {
    const name = /^https?:\/\//i.test(subject) ? nameFromUrl(subject) : nameFromPath(subject);
    if (name !== '') return name;
    // What follows are arguments of the program, and say less.
    if (subject !== url && !/^mcp-remote\b/.test(subject)) break;
  }
  const folder = words.findIndex((word) => word === '--directory' || word === '--project');
  return folder < 0 ? '' : nameFromPath(words[folder + 1] ?? '');
}

/** What a shell is given in one word; its last command is the server. */
function scriptWords(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => {
    if (!/\s/.test(word)) return [word];
    const last =
      word
        .split(/&&|[;|\n]/)
        .filter((part) => part.trim() !== '')
        .at(-1) ?? '';
    return last
      .trim()
      .split(/\s+/)
      .filter((each) => !/^[A-Za-z_]\w*=/.test(each))
      .map((each) => each.replace(/^["']|["']$/g, ''));
  });
}

function* subjects(words: readonly string[]): Generator<string> {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (PACKAGE_OPTIONS.has(word)) {
      const named = words[at + 1] ?? '';
      at += 1;
      if (named !== '') yield named;
    } else if (VALUE_OPTIONS.has(word)) at += 1;
    else if (/^--?package=/.test(word)) yield word.slice(word.indexOf('=') + 1);
    else if (!/^[-/]\w?$|^-/.test(word) && !isRunner(word) && !/^mcp-remote@/.test(word)) yield word;
  }
}

/** The last part of a package, an image or a path that says what the server is. */
export function nameFromPath(written: string): string {
  const plain = written
    .replace(/^git\+|^(?:jsr|npm|github|file|docker):(?:\/\/)?/i, '')
    .replace(/#.*/, '')
    .replace(/(?<=[^/@])@[^@/\\]*$|(?<=.)(?:==|>=|~=).*/, '')
    .replace(/\[[^[\]]*\]$/, '')
    .replace(/\.git$/, '');
  const parts = plain.split(/[\\/]/).filter((part) => part !== '');
  const withoutTag = parts.map((part, index) =>
    index === parts.length - 1 && !/^[A-Z]:/i.test(part) ? part.replace(/:[\w.-]*$/, '') : part,
  );
  for (const part of withoutTag.reverse()) {
    const name = sayingPart(part.replace(/^@/, ''));
    if (name !== '') return name;
  }
  return '';
}

/** `mcp-server-git` → `git`; empty if nothing is left. */
function sayingPart(part: string): string {
  if (/[<>{}$%*…]|^\.|your/i.test(part)) return '';
  const stem = part.replace(/\.(?:[cm]?[jt]sx?|py|exe|cmd|jar|dll|csproj|sh|bat|rb|php|go)$/i, '');
  const plain = stem.replace(
    /^(?:mcp[-_]server[-_]|server[-_]|mcp[-_])|(?:[-_]mcp[-_]server|[-_]server[-_]mcp|[-_]mcp|[-_]server)$/gi,
    '',
  );
  const again = plain.replace(/^(?:mcp[-_]|server[-_])|[-_](?:mcp|server)$/gi, '');
  const cleaned = usableName(again);
  return SAYS_NOTHING.test(cleaned) || !/[\p{L}]/u.test(cleaned) ? '' : cleaned;
}

/** The part of an address' host that is not shared with everybody's. */
export function nameFromUrl(url: string): string {
  const hostname = getHostname(url) ?? '';
  const port = /:(\d+)(?:[/?#]|$)/.exec(url)?.[1];
  if (/^(?:localhost|127\.[\d.]+|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal)$/i.test(hostname))
    return usableName(`local${port === undefined ? '' : `-${port}`}`);
  if (/^[\d.]+$/.test(hostname)) return usableName(hostname.replaceAll('.', '-'));
  const site = getDomainWithoutSuffix(url, { allowPrivateDomains: true });
  if (site === null || site === '') return sayingPart(hostname.split('.')[0] ?? '');
  const own = sayingPart(site);
  const before = hostname.slice(0, Math.max(0, hostname.indexOf(`${site}.`) - 1)).split('.');
  const special = before.find(
    (label) =>
      sayingPart(label) !== '' && !/^(?:app|apis|gateway|prod|production|beta|staging|eu|us|cloud)$/.test(label),
  );
  return usableName([own, special === undefined ? '' : sayingPart(special)].filter((each) => each !== '').join('-'));
}

/** Makes `brave` of `BRAVE_API_KEY`, which is better than nothing for `node dist/index.js`. */
export function nameFromVariables(variables: readonly { readonly name: string; readonly isSecret: boolean }[]): string {
  const first =
    variables.find(({ name, isSecret }) => isSecret && /^[A-Z][A-Z0-9]+_/.test(name))?.name.split('_')[0] ?? '';
  return /^(?:API|ACCESS|AUTH|SECRET|TOKEN|PRIVATE|CLIENT|DB|DATABASE|OAUTH|BEARER|USER|SERVICE|APP|ADMIN|DEFAULT|MY|OPENAI|ANTHROPIC)$/.test(
    first,
  )
    ? ''
    : sayingPart(first.toLowerCase());
}

/** A package or an address may end like one. */
function isRunner(word: string): boolean {
  return !word.startsWith('@') && !word.includes('://') && RUNNERS.test(baseOf(word));
}

function baseOf(word: string): string {
  return word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
}

/** Reduces the text to characters that names of tools can have. */
function usableName(text: string): string {
  return text
    .replace(/[^\p{L}\d._-]+/gu, '-')
    .replace(/^[-._]+|(?<![-._])[-._]+$/g, '')
    .slice(0, MAX_LENGTH);
}
