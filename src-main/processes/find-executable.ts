import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, extname, join, resolve } from 'node:path';

/**
 * The path at which a command is found without a shell. The command is a path, or a name in PATH. Undefined if it is
 * found nowhere.
 */
export async function findExecutable(
  command: string,
  directory: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  if (command.includes('\0')) return undefined;
  const isPath = command.includes('/') || (process.platform === 'win32' && /[\\:]/.test(command));
  const folders = isPath
    ? [directory]
    : (environment.PATH ?? environment.Path ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of folders) {
    const candidate = isPath ? resolve(folder, command) : join(folder, command);
    for (const path of withExtensions(candidate, environment)) if (await isExecutable(path)) return path;
  }
  return undefined;
}

function withExtensions(path: string, environment: NodeJS.ProcessEnv): readonly string[] {
  if (process.platform !== 'win32' || extname(path) !== '') return [path];
  const extensions = (environment.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';');
  return extensions.map((extension) => path + extension.toLowerCase());
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // If it can't be looked at, it can't be started either.
    return false;
  }
}
