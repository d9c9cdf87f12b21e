import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { allPlaces, type Home, serversOfOtherPrograms } from '../../../src-main/mcp/setup/other-programs.ts';
import { PROGRAMS } from '../../../src-main/mcp/setup/program-places.ts';

const on = (platform: NodeJS.Platform, more: Partial<Home> = {}): Home => ({
  platform,
  homeFolder: platform === 'win32' ? 'C:\\Users\\ada' : '/home/ada',
  workspace: undefined,
  env: {},
  ...more,
});
const separated = (home: Home) => (home.platform === 'win32' ? '\\' : '/');
const placesOf = (home: Home, program: string) =>
  allPlaces(home)
    .filter((place) => place.program === program)
    .map(({ folder, pattern }) => [folder, ...pattern.split('/')].join(separated(home)));

test('each program is looked for where its makers say, on three systems', () => {
  const desktop = (home: Home) => placesOf(home, 'Claude Desktop');
  expect(desktop(on('linux'))).toEqual(['/home/ada/.config/Claude/claude_desktop_config.json']);
  expect(desktop(on('darwin'))).toEqual(['/home/ada/Library/Application Support/Claude/claude_desktop_config.json']);
  expect(desktop(on('win32'))).toEqual(['C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json']);
  expect(placesOf(on('darwin'), 'Goose')).toEqual(['/home/ada/.config/goose/config.yaml']);
  expect(placesOf(on('win32'), 'Goose')).toEqual([
    'C:\\Users\\ada\\AppData\\Roaming\\Block\\goose\\config\\config.yaml',
  ]);
  expect(placesOf(on('win32'), 'Zed')).toEqual(['C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json']);
  expect(placesOf(on('linux'), 'Claude Code')).toEqual(['/home/ada/.claude.json']);
  expect(placesOf(on('linux'), 'Codex')).toEqual(['/home/ada/.codex/config.toml']);
});

test('variables move a place, unless they lead to another machine or nowhere', () => {
  const env = {
    XDG_CONFIG_HOME: '/cfg',
    CODEX_HOME: '/codex',
    CLAUDE_CONFIG_DIR: 'relative',
    APPDATA: '\\\\evil\\share',
  };
  expect(placesOf(on('linux', { env }), 'Zed')).toEqual(['/cfg/zed/settings.json']);
  expect(placesOf(on('linux', { env }), 'Codex')).toEqual(['/codex/config.toml']);
  expect(placesOf(on('linux', { env }), 'Claude Code')).toEqual(['/home/ada/.claude.json']);
  expect(placesOf(on('darwin', { env }), 'Zed')).toEqual(['/home/ada/.config/zed/settings.json']);
  expect(placesOf(on('win32', { env }), 'Zed')[0]).toContain('C:\\Users\\ada\\AppData');
});

test('the table is whole: a name once, a source, and the manual names them all', () => {
  const names = PROGRAMS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const manual = readFileSync(new URL('../../../docs/MCP.md', import.meta.url), 'utf8');
  for (const { name, files, project, source } of PROGRAMS) {
    expect(source).toMatch(/^https:\/\//);
    expect(files.length + (project?.length ?? 0), name).toBeGreaterThan(0);
  }
  const unnamed = names.filter((name) => !manual.includes(name.replace(/ in .*/, '')));
  expect(unnamed).toEqual([]);
  for (const platform of ['linux', 'darwin', 'win32'] as const)
    for (const { folder, pattern } of allPlaces(on(platform, { workspace: '/w' })))
      expect(`${folder}/${pattern}`).not.toMatch(/[{}~]|undefined|^\/?$/);
});

/** A home folder with these files. */
function homeWith(files: Readonly<Record<string, string>>): Home {
  const homeFolder = mkdtempSync(join(tmpdir(), 'steward-others-'));
  onTestFinished(() => rmSync(homeFolder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(homeFolder, path)), { recursive: true });
    writeFileSync(join(homeFolder, path), text);
  }
  return { platform: 'linux', homeFolder, workspace: join(homeFolder, 'my * work'), env: {} };
}

const json = (section: string, name: string) =>
  JSON.stringify({ [section]: { [name]: { command: 'npx', args: [name] } } });

test('files of many formats are read, each for itself, those of the workspace marked', async () => {
  const home = homeWith({
    '.cursor/mcp.json': json('mcpServers', 'a'),
    '.config/Code/User/mcp.json': json('servers', 'b'),
    '.config/Code/User/profiles/-1a2b/mcp.json': json('servers', 'c'),
    '.config/Code/User/profiles/-1a2b/settings.json': '{ "editor.fontSize": 12 }',
    '.config/VSCodium/User/mcp.json': '{ "servers": { broken',
    '.codex/config.toml': '[mcp_servers.d]\ncommand = "npx"\nargs = ["d"]\n',
    '.config/goose/config.yaml': 'extensions:\n  e:\n    type: stdio\n    cmd: npx\n    args: [e]\n    enabled: true\n',
    '.config/zed/settings.json': `// mine\n${json('context_servers', 'f')}`,
    '.config/opencode/opencode.json': '{ "mcp": { "g": { "type": "local", "command": ["npx", "g"] } } }',
    '.claude.json': JSON.stringify({ numStartups: 3, mcpServers: { h: { command: 'npx', args: ['h'] } } }),
    'my * work/.mcp.json': json('mcpServers', 'i'),
    'my * work/.vscode/mcp.json': '{ "servers": { "bad": {}, "j": { "command": "npx", "args": ["j"] } } }',
    'my * work/.continue/mcpServers/one.yaml': 'mcpServers:\n  - name: k\n    command: npx\n    args: [k]\n',
  });
  const found = await serversOfOtherPrograms(home);
  const names = found.map(({ program, isProject, result }) => ({
    program,
    isProject,
    of: 'problem' in result ? result.problem.code : result.servers.map(({ name }) => name).join(),
  }));
  const of = (program: string, isProject = false) =>
    names.filter((each) => each.program === program && each.isProject === isProject).map((each) => each.of);
  expect(of('Cursor')).toEqual(['a']);
  expect(of('VS Code')).toEqual(['b', 'c']);
  expect(of('VSCodium')).toEqual(['bad_json']);
  expect(of('Codex')).toEqual(['d']);
  expect(of('Goose')).toEqual(['e']);
  expect(of('Zed')).toEqual(['f']);
  expect(of('OpenCode')).toEqual(['g']);
  expect(of('Claude Code')).toEqual(['h']);
  expect(of('Claude Code', true)).toEqual(['i']);
  expect(of('VS Code', true)).toEqual(['j']);
  expect(of('Continue', true)).toEqual(['k']);
  expect(names).toHaveLength(12);
});

test('a file that can’t be read is named, and one that is missing or no file is not', async () => {
  const home = homeWith({ '.cursor/mcp.json': json('mcpServers', 'a'), '.codex/config.toml': '', '.gemini': 'a file' });
  mkdirSync(join(home.homeFolder, '.lmstudio/mcp.json'), { recursive: true });
  mkdirSync(join(home.homeFolder, '.kiro/settings'), { recursive: true });
  symlinkSync(join(home.homeFolder, '.kiro/settings/mcp.json'), join(home.homeFolder, '.kiro/settings/mcp.json'));
  mkdirSync(join(home.homeFolder, '.copilot'), { recursive: true });
  writeFileSync(join(home.homeFolder, '.copilot/mcp-config.json'), ' '.repeat(9 * 1024 * 1024));
  const found = await serversOfOtherPrograms(home);
  const codes = found.map(({ program, result }) => [program, 'problem' in result ? result.problem.code : 'read']);
  expect(codes).toEqual([
    ['Cursor', 'read'],
    ['GitHub Copilot CLI', 'file_too_large'],
    ['Kiro', 'unreadable'],
  ]);
});
