import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { childEnvironment } from '../processes/child-environment.ts';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  // Unlike `start`, this involves no shell.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a checked address in the user's browser, if there is a display. Also prints it, for terminals without one. */
export async function openInBrowser(
  url: string,
  { stderr, env }: { stderr: Writable; env: NodeJS.ProcessEnv },
): Promise<void> {
  stderr.write(`Open this address in your browser: ${url}\n`);
  const known = OPENERS[process.platform];
  // Without a display xdg-open would open a text browser in the terminal.
  if (known === undefined && !env.DISPLAY && !env.WAYLAND_DISPLAY) return;
  const [program, ...args] = known ?? ['xdg-open'];
  const opener = spawn(program, [...args, url], { env: childEnvironment(env), stdio: 'ignore', detached: true });
  opener.on('error', () => undefined);
  opener.unref();
}
