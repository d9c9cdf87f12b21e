import { basename } from 'node:path';
import type { RuntimeName } from '../../src-preload/contract/server-doctor.ts';

/** Commands by the runtime that they are or stand on. */
const COMMANDS: readonly (readonly [RegExp, readonly RuntimeName[]])[] = [
  [/^node$/, ['node']],
  [/^(?:npx|npm)$/, ['npx', 'node']],
  [/^uvx?$/, ['uv']],
  [/^(?:python[\d.]*|py)$/, ['python']],
  [/^dotnet$/, ['dotnet']],
  [/^docker$/, ['docker']],
  [/^go$/, ['go']],
];

/** How each tells its version. Docker is asked for that of its daemon, without which nothing starts. */
const VERSION_ARGUMENTS: Readonly<Record<RuntimeName, readonly string[]>> = {
  node: ['--version'],
  npx: ['--version'],
  uv: ['--version'],
  python: ['--version'],
  dotnet: ['--version'],
  docker: ['version', '--format', '{{.Server.Version}}'],
  go: ['version'],
};

/** What a command needs, the command itself first. Nothing: it is a program of its own. */
export function runtimesOf(command: string): readonly RuntimeName[] {
  const name = basename(command.replaceAll('\\', '/'))
    .replace(/\.(?:exe|cmd|bat)$/i, '')
    .toLowerCase();
  return COMMANDS.find(([pattern]) => pattern.test(name))?.[1] ?? [];
}

export function versionArguments(runtime: RuntimeName): readonly string[] {
  return VERSION_ARGUMENTS[runtime];
}

/** `v22.4.1` of any output that holds a version. */
export function versionIn(output: string): string | undefined {
  return /\d+\.\d+(?:\.\d+)?[\w.-]*/.exec(output)?.[0];
}
