/**
 * Files and folders that programs of the user run or obey by themselves, outside any sandbox, as soon as they are there.
 * Names are in lower case, because some systems don't tell the cases apart.
 */
const OBEYED: ReadonlySet<string> = new Set(
  [
    // Git runs hooks and what its settings name, and takes settings from the folders that `.gitmodules` names.
    ['.git', '.gitmodules', '.githooks', '.husky', '.pre-commit-config.yaml', '.hg'],
    ['', '.'].flatMap((dot) =>
      ['yml', 'yaml', 'toml', 'json'].flatMap((end) => [`${dot}lefthook.${end}`, `${dot}lefthook-local.${end}`]),
    ),
    // Editors run tasks, and what their settings name as a tool.
    [
      '.vscode',
      '.idea',
      '.devcontainer',
      '.devcontainer.json',
      '.zed',
      '.fleet',
      '.exrc',
      '.vimrc',
      '.nvimrc',
      '.nvim.lua',
      '.dir-locals.el',
      '.dir-locals-2.el',
      '.helix',
    ],
    // Debuggers and shells, and what sets a shell up for a folder.
    ['.gdbinit', '.lldbinit', '.envrc', '.bashrc', '.bash_profile', '.profile', '.zshrc'],
    ['.zshenv', '.zprofile', '.mise.toml', 'mise.toml', '.mise.local.toml', 'mise.local.toml', '.mise'],
    // Interpreters that are started in the folder.
    ['.rprofile', '.irbrc', '.pryrc', '.pdbrc', '.ghci', '.ocamlinit'],
    // Package managers read where packages and the programs that install them come from.
    ['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', 'pnpmfile.js', '.bunfig.toml', 'bunfig.toml', '.pypirc'],
    // Other assistants.
    ['.mcp.json', '.claude', '.codex', '.cursor', '.gemini', '.continue', '.windsurf', '.kiro', '.steward'],
    ['.roo', '.opencode', 'opencode.json', '.aider.conf.yml'],
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

/** Patterns of all the names. */
export const everyObeyedName: readonly string[] = [...OBEYED, ...INSTRUCTIONS, '*.code-workspace'];

/** Whether programs obey what has this name, in lower case. */
export function isObeyedName(name: string): boolean {
  return OBEYED.has(name) || INSTRUCTIONS.has(name) || WORKSPACE.test(name);
}

/** Whether programs obey what is at this path, which is relative to a root, or in a folder that they obey. */
export function isObeyed(path: string): boolean {
  const names = path.toLowerCase().split(/[\\/]/);
  const ofDependency = names.findIndex((name) => DEPENDENCIES.has(name));
  const own = ofDependency === -1 ? names : names.slice(0, ofDependency);
  return own.some(isObeyedName) || names.some((name) => INSTRUCTIONS.has(name));
}
