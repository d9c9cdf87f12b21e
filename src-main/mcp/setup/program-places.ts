/** The files in which a program keeps its servers. To add a program, add a line. */
export interface ProgramPlaces {
  /** The name by which people know the program. */
  readonly name: string;
  /** Patterns of paths, see `placesOf`. The format follows from the ending: TOML, YAML, or JSON for any other. */
  readonly files: readonly (string | OnSystems)[];
  /** The patterns of files in a workspace. */
  readonly project?: readonly string[];
  /** The page on which its makers document this. */
  readonly source: string;
}

/** A path that differs from system to system. */
interface OnSystems {
  readonly unix: string;
  readonly win32: string;
}

const CLINE = 'https://docs.cline.bot/mcp/configuring-mcp-servers';
const ROO = 'https://docs.roocode.com/features/mcp/using-mcp-in-roo';
const VS_CODE = 'https://code.visualstudio.com/docs/copilot/customization/mcp-servers';

/** The editors of the VS Code family, by the name of their folder. */
const EDITORS: readonly (readonly [string, string])[] = [
  ['VS Code', 'Code'],
  ['VS Code Insiders', 'Code - Insiders'],
  ['VSCodium', 'VSCodium'],
  ['Cursor', 'Cursor'],
  ['Windsurf', 'Windsurf'],
];

/** Newer versions have `mcp.json`, older ones a section of the settings. A profile has its own. */
function ofEditor(folder: string): readonly string[] {
  const user = `{support}/${folder}/User`;
  return [
    `${user}/mcp.json`,
    `${user}/settings.json`,
    `${user}/profiles/*/mcp.json`,
    `${user}/profiles/*/settings.json`,
  ];
}

const inEditors = (extension: string, file: string) =>
  EDITORS.map(([name, folder]) => ({
    editor: name,
    file: `{support}/${folder}/User/globalStorage/${extension}/settings/${file}`,
  }));

export const PROGRAMS: readonly ProgramPlaces[] = [
  {
    name: 'Claude Desktop',
    files: ['{support}/Claude/claude_desktop_config.json'],
    source: 'https://modelcontextprotocol.io/docs/develop/connect-local-servers',
  },
  {
    name: 'Claude Code',
    files: ['{CLAUDE_CONFIG_DIR:~}/.claude.json'],
    project: ['.mcp.json'],
    source: 'https://code.claude.com/docs/en/mcp',
  },
  {
    name: 'Cursor',
    files: ['~/.cursor/mcp.json'],
    project: ['.cursor/mcp.json'],
    source: 'https://cursor.com/docs/context/mcp',
  },
  { name: 'VS Code', files: ofEditor('Code'), project: ['.vscode/mcp.json', '.vscode/settings.json'], source: VS_CODE },
  { name: 'VS Code Insiders', files: ofEditor('Code - Insiders'), source: VS_CODE },
  { name: 'VSCodium', files: ofEditor('VSCodium'), source: VS_CODE },
  ...inEditors('saoudrizwan.claude-dev', 'cline_mcp_settings.json').map(({ editor, file }) => ({
    name: `Cline in ${editor}`,
    files: [file],
    source: CLINE,
  })),
  {
    name: 'Cline CLI',
    files: ['{CLINE_DIR:~/.cline}/data/settings/cline_mcp_settings.json'],
    source: 'https://docs.cline.bot/mcp/mcp-overview',
  },
  ...inEditors('rooveterinaryinc.roo-cline', 'mcp_settings.json').map(({ editor, file }) => ({
    name: `Roo Code in ${editor}`,
    files: [file],
    source: ROO,
  })),
  { name: 'Roo Code', files: [], project: ['.roo/mcp.json'], source: ROO },
  {
    name: 'Windsurf',
    files: ['~/.codeium/windsurf/mcp_config.json'],
    source: 'https://docs.windsurf.com/windsurf/cascade/mcp',
  },
  {
    name: 'Gemini CLI',
    files: ['~/.gemini/settings.json'],
    project: ['.gemini/settings.json'],
    source: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md',
  },
  {
    name: 'LM Studio',
    files: ['~/.lmstudio/mcp.json', '~/.cache/lm-studio/mcp.json'],
    source: 'https://lmstudio.ai/docs/app/mcp',
  },
  {
    name: 'GitHub Copilot CLI',
    files: ['{COPILOT_HOME:~/.copilot}/mcp-config.json'],
    project: ['.github/mcp.json'],
    source: 'https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers',
  },
  {
    name: 'Amazon Q',
    files: [
      '~/.aws/amazonq/mcp.json',
      '~/.aws/amazonq/default.json',
      '~/.aws/amazonq/agents/default.json',
      '~/.aws/amazonq/cli-agents/*.json',
    ],
    project: ['.amazonq/mcp.json', '.amazonq/default.json', '.amazonq/cli-agents/*.json'],
    source: 'https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/mcp-ide.html',
  },
  {
    name: 'Kiro',
    files: ['~/.kiro/settings/mcp.json'],
    project: ['.kiro/settings/mcp.json'],
    source: 'https://kiro.dev/docs/mcp/configuration',
  },
  {
    name: 'Continue',
    files: [
      '~/.continue/config.yaml',
      '~/.continue/config.json',
      '~/.continue/mcpServers/*.yaml',
      '~/.continue/mcpServers/*.json',
    ],
    project: ['.continue/mcpServers/*.yaml', '.continue/mcpServers/*.json'],
    source: 'https://docs.continue.dev/customize/deep-dives/mcp',
  },
  {
    name: 'Codex',
    files: ['{CODEX_HOME:~/.codex}/config.toml'],
    project: ['.codex/config.toml'],
    source: 'https://developers.openai.com/codex/mcp',
  },
  {
    name: 'Goose',
    files: [{ unix: '{config}/goose/config.yaml', win32: '{support}/Block/goose/config/config.yaml' }],
    source: 'https://block.github.io/goose/docs/guides/config-file',
  },
  {
    name: 'OpenCode',
    files: ['{config}/opencode/opencode.json', '{config}/opencode/opencode.jsonc'],
    project: ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'],
    source: 'https://opencode.ai/docs/config',
  },
  {
    name: 'Zed',
    files: [{ unix: '{config}/zed/settings.json', win32: '{support}/Zed/settings.json' }],
    project: ['.zed/settings.json'],
    source: 'https://zed.dev/docs/configuring-zed',
  },
];
