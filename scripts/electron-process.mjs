// @ts-check
import { spawn } from 'node:child_process';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Starts the app, passes signals on to it, and waits for it to end.
 * @param {{ program: string, args: string[], env: NodeJS.ProcessEnv }} command
 * @returns {{ child: import('node:child_process').ChildProcess, ended: Promise<{ code: number | null, signal: NodeJS.Signals | null }> }}
 */
export function startElectron({ program, args, env }) {
  const child = spawn(program, args, { env, stdio: 'inherit' });
  /** @param {NodeJS.Signals} signal */
  const pass = (signal) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, pass);
  /** @type {Promise<{ code: number | null, signal: NodeJS.Signals | null }>} */
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  return {
    child,
    ended: ended.finally(() => {
      for (const signal of SIGNALS) process.off(signal, pass);
    }),
  };
}

/**
 * Ends this process the same way.
 * @param {{ code: number | null, signal: NodeJS.Signals | null }} end
 */
export function endLike({ code, signal }) {
  if (signal !== null) process.kill(process.pid, signal);
  else process.exitCode = code ?? 1;
}
