// @ts-check
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { withoutChatter } from './electron-chatter.mjs';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const LOOK_FOR_PARENT_MS = 500;
/** The most shells between npm and this process. */
const MAX_PARENTS = 5;
/** The app is killed after this time. Quitting takes two seconds, and MCP servers have their own time after that. */
const ENDS_WITHIN_MS = 20_000;

/**
 * Starts the app, passes signals on to it, and waits for it to end.
 * @param {{ program: string, args: string[], env: NodeJS.ProcessEnv }} command
 * @param {{ isChatterWanted: boolean }} options
 * @returns {{ child: import('node:child_process').ChildProcess, ended: Promise<{ code: number | null, signal:
 * NodeJS.Signals | null }> }}
 */
export function startElectron({ program, args, env }, { isChatterWanted }) {
  const child = spawn(program, args, { env, stdio: ['inherit', 'inherit', isChatterWanted ? 'inherit' : 'pipe'] });
  const filter = withoutChatter((text) => process.stderr.write(text));
  child.stderr?.setEncoding('utf8').on('data', filter.add).once('end', filter.end);
  /** @type {NodeJS.Timeout | undefined} */
  let late;
  /** @param {NodeJS.Signals} signal */
  const pass = (signal) => {
    child.kill(signal);
    late ??= setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS);
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  const stopLooking = onParentGone(process.env, () => pass('SIGTERM'));
  /** @type {Promise<{ code: number | null, signal: NodeJS.Signals | null }>} */
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  return {
    child,
    ended: ended.finally(() => {
      clearTimeout(late);
      stopLooking();
      for (const signal of SIGNALS) process.off(signal, pass);
    }),
  };
}

/**
 * Calls `end` when npm is gone. npm passes a signal on to the shell that it starts scripts with, and ends. A shell that
 * waits for its command ends too, and the command hears nothing.
 * @param {NodeJS.ProcessEnv} env
 * @param {() => void} end
 * @returns {() => void} a function that stops looking
 */
export function onParentGone(env, end) {
  // A script that was not started by npm may outlive its shell.
  if (env.npm_lifecycle_event === undefined) return () => undefined;
  const parents = parentsUpToNpm();
  const looking = setInterval(() => {
    if (parents.every(({ pid, parent }) => parentOf(pid) === parent)) return;
    clearInterval(looking);
    end();
  }, LOOK_FOR_PARENT_MS);
  looking.unref();
  return () => clearInterval(looking);
}

/**
 * @returns {{ pid: number, parent: number | undefined }[]} this process and those between it and npm, if the system
 * tells
 */
function parentsUpToNpm() {
  /** @type {{ pid: number, parent: number | undefined }[]} */
  const parents = [];
  /** @type {number | undefined} */
  let pid = process.pid;
  while (pid !== undefined && pid > 1 && parents.length < MAX_PARENTS && !isNpm(pid)) {
    const parent = parentOf(pid);
    parents.push({ pid, parent });
    pid = parent;
  }
  return pid === undefined || isNpm(pid) ? parents : parents.slice(0, 1);
}

/** @param {number} pid */
function parentOf(pid) {
  if (pid === process.pid) return process.ppid;
  // The name, which may contain anything, is followed by the state and then the parent. Source: proc(5).
  const [, parent] = /^.*\) \S (\d+)/s.exec(readProc(pid, 'stat')) ?? [];
  return parent === undefined ? undefined : Number(parent);
}

/** @param {number} pid */
function isNpm(pid) {
  return /^npm |\bnpm(?:-cli\.js)?\0/.test(readProc(pid, 'cmdline'));
}

/**
 * @param {number} pid
 * @param {'stat' | 'cmdline'} file
 */
function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // The process has ended, or this is not Linux.
    return '';
  }
}

/**
 * Ends this process the same way.
 * @param {{ code: number | null, signal: NodeJS.Signals | null }} end
 */
export function endLike({ code, signal }) {
  if (signal !== null) process.kill(process.pid, signal);
  else process.exitCode = code ?? 1;
}
