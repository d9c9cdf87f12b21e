/**
 * Files and folders that programs of the user run or obey by themselves, outside any sandbox, as soon as they are there.
 * Names are in lower case, because some systems don't tell the cases apart.
 */
const OBEYED: ReadonlySet<string> = new Set(
  [
    // Git runs hooks and what its settings name, and takes settings from the folders that `.gitmodules` names.
    ['.git', '.gitmodules', '.husky', '.pre-commit-config.yaml', 'lefthook.yml', '.lefthook.yml'],
    // Editors run tasks, and what their settings name as a tool.
    [
      '.vscode',
      '.idea',
      '.devcontainer',
      '.zed',
      '.fleet',
      '.exrc',
      '.vimrc',
      '.nvimrc',
      '.nvim.lua',
      '.dir-locals.el',
    ],
    // Debuggers and shells, and what sets a shell up for a folder.
    ['.gdbinit', '.lldbinit', '.envrc', '.mise.toml', 'mise.toml', '.bashrc', '.bash_profile', '.profile', '.zshrc'],
    ['.zshenv', '.zprofile'],
    // Package managers read where packages and the programs that install them come from.
    ['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', 'pnpmfile.js', '.bunfig.toml', 'bunfig.toml', '.pypirc'],
    // Other assistants.
    ['.mcp.json', '.claude', '.codex', '.cursor', '.gemini', '.continue', '.windsurf', '.kiro', '.steward'],
  ].flat(),
);
/** What assistants are told to do. Held also in folders of dependencies, which they read too. */
const INSTRUCTIONS: ReadonlySet<string> = new Set(
  [
    ['agents.md', 'agents.override.md', 'claude.md', 'claude.local.md', 'gemini.md', 'copilot-instructions.md'],
    ['.cursorrules', '.windsurfrules', '.clinerules'],
  ].flat(),
);
/** Workspaces of VS Code may have tasks too. */
const WORKSPACE = /\.code-workspace$/;
/** Folders of dependencies, whose files run in any case when they are used. */
const DEPENDENCIES: ReadonlySet<string> = new Set(['node_modules', 'site-packages']);

/** Whether programs obey what is at this path, which is relative to a root. */
export function isObeyed(path: string): boolean {
  return obeyedPart(path) !== undefined;
}

/** The path up to the file or folder that programs obey, or undefined if there is none on it. */
export function obeyedPart(path: string): string | undefined {
  const segments = path.split(/[\\/]/);
  const names = segments.map((segment) => segment.toLowerCase());
  const ofDependency = names.findIndex((name) => DEPENDENCIES.has(name));
  const isOwn = (at: number) => ofDependency === -1 || at < ofDependency;
  const at = names.findIndex((name, index) => INSTRUCTIONS.has(name) || (isOwn(index) && isOfTable(name)));
  return at === -1 ? undefined : segments.slice(0, at + 1).join('/');
}

function isOfTable(name: string): boolean {
  return OBEYED.has(name) || WORKSPACE.test(name);
}
