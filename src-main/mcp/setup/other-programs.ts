import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OtherProgram } from '../../../src-preload/contract/servers.ts';
import { type PastedServers, serversInFile } from './pasted-servers.ts';

/** No real configuration is larger. */
const MAX_BYTES = 1024 * 1024;

export interface Home {
  readonly platform: NodeJS.Platform;
  readonly homeFolder: string;
  readonly env: Readonly<NodeJS.ProcessEnv>;
}

export interface OtherServers {
  readonly program: OtherProgram;
  readonly path: string;
  readonly result: PastedServers;
}

/**
 * Where other programs keep their servers. Sources: https://modelcontextprotocol.io/docs/develop/connect-local-servers,
 * https://cursor.com/docs/context/mcp, https://code.visualstudio.com/docs/copilot/customization/mcp-servers,
 * https://docs.cline.bot/mcp/configuring-mcp-servers.
 */
export function configurationFiles({
  platform,
  homeFolder,
  env,
}: Home): readonly { program: OtherProgram; path: string }[] {
  const support =
    platform === 'win32'
      ? (env.APPDATA ?? join(homeFolder, 'AppData', 'Roaming'))
      : platform === 'darwin'
        ? join(homeFolder, 'Library', 'Application Support')
        : (env.XDG_CONFIG_HOME ?? join(homeFolder, '.config'));
  return [
    { program: 'claude-desktop', path: join(support, 'Claude', 'claude_desktop_config.json') },
    { program: 'cursor', path: join(homeFolder, '.cursor', 'mcp.json') },
    { program: 'vscode', path: join(support, 'Code', 'User', 'mcp.json') },
    { program: 'vscode', path: join(support, 'Code', 'User', 'settings.json') },
    {
      program: 'cline',
      path: join(
        support,
        'Code',
        'User',
        'globalStorage',
        'saoudrizwan.claude-dev',
        'settings',
        'cline_mcp_settings.json',
      ),
    },
  ];
}

/** The servers found; a file that is missing or has no server is left out. */
export async function serversOfOtherPrograms(home: Home): Promise<readonly OtherServers[]> {
  const read = await Promise.all(
    configurationFiles(home).map(async (file) => ({ ...file, result: await serversIn(file.path) })),
  );
  return read.flatMap(({ program, path, result }) => {
    if (result === undefined || ('problem' in result && result.problem.code !== 'bad_json')) return [];
    return [{ program, path, result }];
  });
}

async function serversIn(path: string): Promise<PastedServers | undefined> {
  try {
    const status = await stat(path);
    if (!status.isFile() || status.size > MAX_BYTES) return undefined;
    return serversInFile(await readFile(path, 'utf8'), 'json');
  } catch {
    // Missing or unreadable: nothing to import.
    return undefined;
  }
}
