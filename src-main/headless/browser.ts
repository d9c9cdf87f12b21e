import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { childEnvironment } from '../processes/child-environment.ts';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  // Unlike `start`, no shell reads the address.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a checked address in the person's browser. It is printed too, for a terminal without one. */
export async function openInBrowser(
  url: string,
  { stderr, env }: { stderr: Writable; env: NodeJS.ProcessEnv },
): Promise<void> {
  stderr.write(`Open this address in your browser: ${url}\n`);
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(program, [...args, url], { env: childEnvironment(env), stdio: 'ignore', detached: true });
  opener.on('error', () => undefined);
  opener.unref();
}
