import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { childEnvironment } from '../processes/child-environment.ts';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  // Unlike `start`, no shell reads the address.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a checked address in the person's browser, if there is a display. It is printed too, for a terminal without one. */
export async function openInBrowser(
  url: string,
  { stderr, env }: { stderr: Writable; env: NodeJS.ProcessEnv },
): Promise<void> {
  stderr.write(`Open this address in your browser: ${url}\n`);
  const known = OPENERS[process.platform];
  // Without a display xdg-open would look for a browser in the terminal.
  if (known === undefined && !env.DISPLAY && !env.WAYLAND_DISPLAY) return;
  const [program, ...args] = known ?? ['xdg-open'];
  const opener = spawn(program, [...args, url], { env: childEnvironment(env), stdio: 'ignore', detached: true });
  opener.on('error', () => undefined);
  opener.unref();
}
