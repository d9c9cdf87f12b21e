import { readFile } from 'node:fs/promises';
import { arch, availableParallelism, hostname, release, totalmem, type, uptime, userInfo, version } from 'node:os';

export interface SystemFacts {
  readonly os: string;
  readonly machineName: string;
  readonly user: string;
  readonly processorCount: number;
  readonly memoryBytes: number;
  readonly uptimeSeconds: number;
  /** Without a `v`. */
  readonly nodeVersion: string;
}

export async function readSystem(): Promise<SystemFacts> {
  return {
    os: `${await systemName()} (${type()} ${release()}, ${arch()})`,
    machineName: hostname(),
    user: userName(),
    processorCount: availableParallelism(),
    memoryBytes: totalmem(),
    uptimeSeconds: uptime(),
    nodeVersion: process.versions.node,
  };
}

/** As people call it: `Debian GNU/Linux 12 (bookworm)`, `macOS 15.1`, `Windows 11 Pro`. */
async function systemName(): Promise<string> {
  if (process.platform === 'win32') return version();
  if (process.platform === 'darwin') {
    const plist = await textOf('/System/Library/CoreServices/SystemVersion.plist');
    return macName(plist) ?? 'macOS';
  }
  return linuxName(await textOf('/etc/os-release')) ?? type();
}

/** From os-release(5). */
export function linuxName(osRelease: string): string | undefined {
  return /^PRETTY_NAME=(["']?)(.+)\1$/m.exec(osRelease)?.[2];
}

/** From SystemVersion.plist. */
export function macName(plist: string): string | undefined {
  const found = /<key>ProductVersion<\/key>\s*<string>([^<]+)<\/string>/.exec(plist)?.[1];
  return found === undefined ? undefined : `macOS ${found}`;
}

/** In a container the user may have no entry among the system's users. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return process.env.USER ?? process.env.USERNAME ?? `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
