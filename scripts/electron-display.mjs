// @ts-check
// Provides a virtual screen for Linux machines that have no screen: an X server that needs no display.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ANY_ADDRESS = 0xffff;
const READY_WITHIN_MS = 20_000;

/**
 * @typedef {{ env: { DISPLAY: string, XAUTHORITY: string }, framebuffer: string, stop: () => Promise<void> }}
 * VirtualDisplay `framebuffer`: a file with what is on the screen, in the XWD format
 */

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} [platform]
 * @returns {boolean} whether a window could be shown to somebody
 */
export function hasDisplay(env, platform = process.platform) {
  return platform !== 'linux' || Boolean(env.DISPLAY) || Boolean(env.WAYLAND_DISPLAY);
}

/**
 * Starts Xvfb on a free display number. It is not `xvfb-run`, which does not pass signals on and leaves the server
 * behind.
 * @param {{ userId?: number, size?: string }} [options] the user who may use it, if not this one; `WIDTHxHEIGHT`
 * @returns {Promise<VirtualDisplay>}
 */
export async function startVirtualDisplay({ userId, size = '1440x900' } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'steward-display-'));
  const authority = join(folder, 'authority');
  writeFileSync(authority, authorityEntry(randomBytes(16)), { mode: 0o600 });
  const server = spawn(
    'Xvfb',
    [
      '-displayfd',
      '3',
      '-screen',
      '0',
      `${size}x24`,
      '-nolisten',
      'tcp',
      '-auth',
      authority,
      '-fbdir',
      folder,
      '-nocursor',
      // Otherwise it starts afresh when its last program ends, and refuses the next one that comes at that moment.
      '-noreset',
    ],
    // It has a process group of its own, because Ctrl-C is for the app, which ends first.
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'], detached: true },
  );
  const kill = () => {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', kill);
  try {
    const display = await displayNumber(server);
    if (userId !== undefined) {
      chownSync(folder, userId, -1);
      chownSync(authority, userId, -1);
    }
    return {
      env: { DISPLAY: `:${display}`, XAUTHORITY: authority },
      framebuffer: join(folder, 'Xvfb_screen0'),
      stop: () =>
        new Promise((resolve) => {
          process.off('exit', kill);
          if (server.exitCode !== null || server.signalCode !== null) resolve();
          server.once('exit', () => resolve());
          kill();
        }),
    };
  } catch (error) {
    process.off('exit', kill);
    kill();
    throw error;
  }
}

/**
 * @param {import('node:child_process').ChildProcess} server
 * @returns {Promise<string>}
 */
function displayNumber(server) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('Xvfb was not ready in time')), READY_WITHIN_MS);
    const finish = (/** @type {() => void} */ settle) => {
      clearTimeout(late);
      settle();
    };
    let said = '';
    server.stdio[3]?.on('data', (chunk) => {
      said += chunk;
      if (said.endsWith('\n')) finish(() => resolve(said.trim()));
    });
    server.once('error', (error) => finish(() => reject(error)));
    server.once('exit', (code) => finish(() => reject(new Error(`Xvfb ended with exit code ${code}`))));
  });
}

/**
 * Makes an entry of an X authority file that applies to every address and display. Source: the manual of libXau,
 * Xau(3).
 * @param {Buffer} cookie
 */
function authorityEntry(cookie) {
  const counted = (/** @type {Buffer} */ bytes) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const family = Buffer.alloc(2);
  family.writeUInt16BE(ANY_ADDRESS);
  const name = Buffer.from('MIT-MAGIC-COOKIE-1');
  return Buffer.concat([family, counted(Buffer.alloc(0)), counted(Buffer.alloc(0)), counted(name), counted(cookie)]);
}
