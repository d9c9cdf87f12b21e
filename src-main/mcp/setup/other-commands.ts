import { words } from '../../base/text.ts';

/**
 * Programs that have MCP servers of their own settings. A command of theirs is never a server's, except where they are
 * one themselves.
 */
const PROGRAMS = words(
  `claude codex gemini qwen code code-insiders codium vscodium code-server cursor cursor-agent windsurf antigravity amp q kiro kiro-cli copilot
  opencode crush goose droid auggie cline roo roo-code kilo kilocode zed zeditor trae lms lmstudio openclaw clawdbot codebuddy iflow vibe junie cn mcpm
  mcp-get mcphub mcporter smithery hermes augment rovodev acli grok warp add-mcp install-mcp`,
);
/** Packages that are such programs, or only edit their settings. */
const PACKAGES = words(
  `@anthropic-ai/claude-code @google/gemini-cli @openai/codex @qwen-code/qwen-code @github/copilot @sourcegraph/amp opencode-ai @augmentcode/auggie
  add-mcp install-mcp mcp-get @michaellatman/mcp-get @smithery/cli smithery mcp-installer-cli @mcpm/cli mcpm mcporter @gleanwork/configure-mcp-server
  @pipeworx/add-mcp @devness/mcp-setup skills mcp-chat mcp-cli @wong2/mcp-cli mcptools mcp-use`,
);
const RUNNERS = new Set(['npx', 'bunx', 'pnpx', 'uvx', 'pipx', 'bun', 'pnpm', 'yarn', 'npm', 'uv', 'deno']);
/** Words that stand between a runner and its package. */
const RUNNER_WORDS = new Set(['dlx', 'exec', 'run', 'x', 'tool', '--']);
const RUNNER_OPTIONS_WITH_VALUE = new Set([
  '-p',
  '--package',
  '--with',
  '--from',
  '--python',
  '--directory',
  '--project',
  '-c',
  '--prefix',
]);
const WRAPPERS = new Set(['sudo', 'env', 'command', 'exec', 'time', 'nohup']);

/** The name by which a program is known, without folder, ending and version. */
export function programName(word: string): string {
  return word
    .slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1)
    .replace(/\.(?:exe|cmd|bat|ps1)$/i, '')
    .toLowerCase();
}

/** The words after `sudo`, `cmd /c` and variables. */
export function withoutWrappers(words: readonly string[]): readonly string[] {
  let rest = words;
  while (rest.length > 0) {
    const [first = '', second = ''] = rest;
    if (WRAPPERS.has(programName(first)) || /^[A-Za-z_]\w*=/.test(first)) rest = rest.slice(1);
    else if (programName(first) === 'cmd' && /^\/[ck]$/i.test(second)) rest = rest.slice(2);
    else break;
  }
  return rest;
}

/** A package that a runner starts, without its version, and the words after it. */
export function packageIn(
  words: readonly string[],
): { readonly name: string; readonly rest: readonly string[] } | undefined {
  const [runner = '', ...args] = words;
  if (!RUNNERS.has(programName(runner))) return undefined;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (RUNNER_OPTIONS_WITH_VALUE.has(word)) at += 1;
    else if (!word.startsWith('-') && !RUNNER_WORDS.has(word))
      return { name: word.replace(/(?<=.)@[^@/]*$/, '').toLowerCase(), rest: args.slice(at + 1) };
  }
  return undefined;
}

/** The program other than a server that these words start; `undefined` if there is none. */
export function otherProgramIn(words: readonly string[]): string | undefined {
  const [command = '', ...args] = withoutWrappers(words);
  // `cmd /c "claude mcp add …"`, or an entry whose command is a whole line.
  if (/\s/.test(command) && !/[\\/]/.test(command.split(/\s/)[0] ?? '')) return inScript([command]);
  const program = programName(command);
  if (PROGRAMS.has(program)) return isServer(program, args) ? undefined : program;
  if (args[0] === 'mcp' && /^(?:add|add-json|remove|list)$/.test(args[1] ?? '')) return program;
  if (program === 'docker' && args[0] === 'mcp' && args[1] !== 'gateway') return 'docker mcp';
  if ((program === 'mcp' || program === 'fastmcp') && isSetUp(args)) return program;
  if (/^(?:ba|z|da)?sh$|^powershell$|^pwsh$/.test(program)) return inScript(args);
  const started = packageIn([command, ...args]);
  if (started === undefined) return undefined;
  if ((started.name === 'mcp' || started.name === 'fastmcp') && isSetUp(started.rest)) return started.name;
  if (!PACKAGES.has(started.name)) return undefined;
  const isProxy = /smithery/.test(started.name) && started.rest[0] === 'run';
  return isProxy || isServer(started.name, started.rest) ? undefined : started.name;
}

function isSetUp([first = '']: readonly string[]): boolean {
  return /^(?:install|dev|inspect|version|project)$/.test(first);
}

/** Some of them are servers too: `claude mcp serve`, `codex mcp-server`, `goose mcp developer`. */
function isServer(program: string, [first = '', second = '']: readonly string[]): boolean {
  if (/^(?:mcp-serve|mcp-server|--mcp|serve-mcp)$/.test(first)) return true;
  if (first !== 'mcp') return false;
  return (
    /^(?:serve|server|start)$/.test(second) ||
    (program === 'goose' && /^(?:developer|memory|computercontroller|tutorial|autovisualiser)$/.test(second))
  );
}

/** Finds the command in `sh -c "claude mcp add …"`. */
function inScript(args: readonly string[]): string | undefined {
  const script = args.find((arg) => /\s/.test(arg))?.slice(0, 10_000);
  for (const part of script?.split(/&&?|\|\||[;|\n]/) ?? []) {
    const words = part.trim().split(/\s+/);
    const [first = ''] = withoutWrappers(words);
    if (/^(?:ba|z|da)?sh$/.test(programName(first))) continue;
    const other = otherProgramIn(words);
    if (other !== undefined) return other;
  }
  return undefined;
}
