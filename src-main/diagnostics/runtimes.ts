import { basename } from 'node:path';
import type { RuntimeName } from '../../src-preload/contract/server-doctor.ts';

/** Commands by the runtimes that they are or need. */
const COMMANDS: readonly (readonly [RegExp, readonly RuntimeName[]])[] = [
  [/^node$/, ['node']],
  [/^(?:npx|npm)$/, ['npx', 'node']],
  [/^uvx?$/, ['uv']],
  [/^(?:python[\d.]*|py)$/, ['python']],
  [/^dotnet$/, ['dotnet']],
  [/^docker$/, ['docker']],
  [/^go$/, ['go']],
];

/** How each reports its version. For Docker it is the daemon's, without which nothing starts. */
const VERSION_ARGUMENTS: Readonly<Record<RuntimeName, readonly string[]>> = {
  node: ['--version'],
  npx: ['--version'],
  uv: ['--version'],
  python: ['--version'],
  dotnet: ['--version'],
  docker: ['version', '--format', '{{.Server.Version}}'],
  go: ['version'],
};

/** The runtimes a command needs, its own first; empty for a standalone program. */
export function runtimesOf(command: string): readonly RuntimeName[] {
  const name = basename(command.replaceAll('\\', '/'))
    .replace(/\.(?:exe|cmd|bat)$/i, '')
    .toLowerCase();
  return COMMANDS.find(([pattern]) => pattern.test(name))?.[1] ?? [];
}

export function versionArguments(runtime: RuntimeName): readonly string[] {
  return VERSION_ARGUMENTS[runtime];
}

/** `v22.4.1` from any output that contains a version. */
export function versionIn(output: string): string | undefined {
  return /(?<!\d)\d+\.\d+(?:\.\d+)?[\w.-]*/.exec(output)?.[0];
}
