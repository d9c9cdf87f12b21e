import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage } from '../../../src-main/base/errors.ts';
import type { Program } from './official.ts';
import type { TriedServer } from './table.ts';

/** Outside the project: nothing of these packages is committed. */
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'steward', 'servers');

export interface InstalledServer {
  readonly folder: string;
  /** The JavaScript file of the package. */
  readonly entry: string;
}

/**
 * The package from the registry, without running its scripts; at once if it is there. Rejects if the registry lacks it.
 */
export async function installed(server: TriedServer): Promise<InstalledServer> {
  const { package: name, version } = server;
  const folder = join(CACHE, `${name}@${version}`.replaceAll('/', '+'));
  const done = join(folder, '.installed');
  if (!existsSync(done)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await promisify(execFile)('npm', ['install', ...options, `${name}@${version}`], { cwd: folder }).catch((error) => {
      throw new Error(whyNotInstalled(errorMessage(error)), { cause: error });
    });
    writeFileSync(done, '');
  }
  return { folder, entry: entryOf(join(folder, 'node_modules', name), server) };
}

/**
 * How it is started: with a HOME of its own, so that it finds nothing of the user and leaves nothing with them, and a
 * folder to work in.
 */
export function programOf(
  { args = [], env = {}, files = {} }: TriedServer,
  { folder, entry }: InstalledServer,
): Program & { readonly folder: string } {
  const home = join(folder, 'home');
  const given = join(home, 'given');
  mkdirSync(given, { recursive: true });
  writeFileSync(join(given, 'note.md'), '# A note\n\nOne line of text.\n');
  for (const [name, content] of Object.entries(files)) writeFileSync(join(given, name), content);
  const inFolder = (text: string) => text.replaceAll('{folder}', given);
  const own = Object.entries(env).map(([name, value]) => [name, inFolder(value)] as const);
  return {
    folder: given,
    command: process.execPath,
    args: [entry, ...args.map(inFolder)],
    env: { PATH: process.env.PATH ?? '', HOME: home, ...Object.fromEntries(own) },
  };
}

function entryOf(packageFolder: string, { package: name, bin }: TriedServer): string {
  const { bin: bins } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const own = name.replace(/^@[^/]+\//, '');
  const path = typeof bins === 'string' ? bins : (bins?.[bin ?? own] ?? Object.values(bins ?? {})[0]);
  if (typeof path !== 'string') throw new Error('the package has no program');
  return join(packageFolder, path);
}

/** npm's first line that says something. */
function whyNotInstalled(message: string): string {
  const lines = message.split('\n').filter((line) => line.startsWith('npm error'));
  return lines.find((line) => !/^npm error code/.test(line))?.slice('npm error '.length) ?? message;
}
