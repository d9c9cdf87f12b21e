// @ts-check
// Selects the Electron to use: the project's own, downloaded at first use, or the evaluation runtime.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  EVALUATION_RUNTIME,
  EvaluationRuntimeError,
  evaluationRuntimeFolder,
  provideEvaluationRuntime,
} from './electron-evaluation-runtime.mjs';
import { interruptible } from './electron-interruption.mjs';
import { folderBytes } from './electron-package.mjs';

const ELECTRON_PACKAGE = fileURLToPath(new URL('../node_modules/electron', import.meta.url));
const LOOK_EVERY_MS = 500;
/**
 * The time without data after which a download is given up: a name or address that can't be reached can keep a
 * connection waiting for minutes.
 */
const FIRST_BYTE_WITHIN_MS = 15_000;
const NO_BYTE_FOR_MS = 60_000;

/** @typedef {{ executable: string, isEvaluation: boolean }} Electron */
/** @typedef {{ say: (line: string) => void, onProgress: (line: string, isLast: boolean) => void }} Telling */

/** There is no Electron to start; the message says why and what to do, in one line. */
export class NoElectronError extends Error {
  /** @override */
  name = 'NoElectronError';
}

/**
 * @param {Telling & { electronPackage?: string, env?: NodeJS.ProcessEnv, firstByteWithinMs?: number }} options
 * @returns {Promise<Electron>} the Electron. Rejects with `NoElectronError`.
 */
export async function provideElectron({
  say,
  onProgress,
  electronPackage = ELECTRON_PACKAGE,
  env = process.env,
  firstByteWithinMs = FIRST_BYTE_WITHIN_MS,
}) {
  const given = env.ELECTRON_OVERRIDE_DIST_PATH;
  if (given) return givenElectron(given, electronPackage);
  const installed = installedElectron(electronPackage);
  if (installed !== undefined) return { executable: installed, isEvaluation: false };

  const { version } = JSON.parse(readFileSync(join(electronPackage, 'package.json'), 'utf8'));
  const reason = await interruptible((signal) =>
    downloadElectron({ electronPackage, env, onProgress, firstByteWithinMs, signal }),
  );
  const downloaded = installedElectron(electronPackage);
  if (downloaded !== undefined) return { executable: downloaded, isEvaluation: false };
  const missing = `Electron ${version} is not installed and could not be downloaded (${reason})`;
  try {
    if (process.platform === 'linux' && process.arch === 'x64') {
      say(
        `${missing}: this is the evaluation runtime, Electron ${EVALUATION_RUNTIME.electronVersion}, to try Steward only. ${whatMayHelp(env)}`,
      );
    }
    const folder = await provideEvaluationRuntime({ folder: evaluationRuntimeFolder(env), onProgress });
    return { executable: join(folder, 'electron'), isEvaluation: true };
  } catch (error) {
    if (!(error instanceof EvaluationRuntimeError)) throw error;
    throw new NoElectronError(
      `${missing}. ${whatMayHelp(env)} ${error.message} Without a window: npm run --silent ask`,
      { cause: error },
    );
  }
}

/**
 * @param {string} dist
 * @param {string} electronPackage
 * @returns {Electron}
 */
function givenElectron(dist, electronPackage) {
  const executable = join(dist, executableName(electronPackage) ?? 'electron');
  if (!existsSync(executable)) {
    throw new NoElectronError(
      `ELECTRON_OVERRIDE_DIST_PATH is ${dist}, and there is no ${executable}. Correct it or unset it.`,
    );
  }
  return { executable, isEvaluation: versionOf(dist) === EVALUATION_RUNTIME.electronVersion };
}

/**
 * Returns the environment with the proxy that Electron's installer needs. The installer knows only a proxy of the
 * environment, and that only when it is told to use it; npm has settings for one too. Source: README of @electron/get
 * 5, and npm's `proxy`, `https-proxy` and `noproxy`.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function downloadEnvironment(env) {
  const any = env.ALL_PROXY || env.all_proxy;
  const http = env.HTTP_PROXY || env.http_proxy || env.npm_config_proxy || any;
  const https = env.HTTPS_PROXY || env.https_proxy || env.npm_config_https_proxy || http;
  const none = env.NO_PROXY || env.no_proxy || env.npm_config_noproxy;
  if (!https && !http) return env;
  return {
    ...env,
    ELECTRON_GET_USE_PROXY: env.ELECTRON_GET_USE_PROXY ?? 'true',
    ...(http && { HTTP_PROXY: http, http_proxy: http }),
    ...(https && { HTTPS_PROXY: https, https_proxy: https }),
    ...(none && { NO_PROXY: none, no_proxy: none }),
  };
}

/** @param {NodeJS.ProcessEnv} env */
function whatMayHelp(env) {
  const proxy = downloadEnvironment(env).HTTPS_PROXY;
  if (proxy === undefined)
    return 'If this network needs one, set HTTPS_PROXY to its proxy, or ELECTRON_MIRROR to a mirror of Electron.';
  return 'The proxy of your settings was used; if it does not let this through, set ELECTRON_MIRROR to a mirror of Electron.';
}

/**
 * Follows the package's own rule, without its download, whose time can't be limited. Source: electron/index.js.
 * @param {string} electronPackage
 * @returns {string | undefined}
 */
function installedElectron(electronPackage) {
  const name = executableName(electronPackage);
  if (name === undefined) return undefined;
  const executable = join(electronPackage, 'dist', name);
  return existsSync(executable) ? executable : undefined;
}

/**
 * @param {string} electronPackage
 * @returns {string | undefined} what the package's installer wrote down, which it does only after it unpacked
 * everything
 */
function executableName(electronPackage) {
  const file = join(electronPackage, 'path.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** @param {string} dist */
function versionOf(dist) {
  const file = join(dist, 'version');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/**
 * Runs the package's installer for as long as data arrives.
 * @param {{ electronPackage: string, env: NodeJS.ProcessEnv, onProgress: Telling['onProgress'], firstByteWithinMs:
 * number, signal: AbortSignal }} options
 * @returns {Promise<string | undefined>} the reason if it failed
 */
async function downloadElectron({ electronPackage, env, onProgress, firstByteWithinMs, signal }) {
  const temporary = mkdtempSync(join(tmpdir(), 'steward-electron-'));
  const child = spawn(process.execPath, [join(electronPackage, 'install.js')], {
    env: {
      ...downloadEnvironment(env),
      TMPDIR: temporary,
      TEMP: temporary,
      TMP: temporary,
      ELECTRON_GET_NO_PROGRESS: '1',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    said += chunk;
  });

  let bytes = 0;
  let changedAt = performance.now();
  let isStalled = false;
  const looking = setInterval(async () => {
    const downloaded = await folderBytes(temporary);
    const now = downloaded + (await folderBytes(join(electronPackage, 'dist')));
    if (now !== bytes) {
      bytes = now;
      changedAt = performance.now();
      onProgress(`Downloading and unpacking Electron: ${(bytes / 1_000_000).toFixed(0)} MB`, false);
    }
    isStalled = performance.now() - changedAt > (downloaded === 0 ? firstByteWithinMs : NO_BYTE_FOR_MS);
    if (isStalled) child.kill('SIGKILL');
  }, LOOK_EVERY_MS);
  /** @type {Promise<string | undefined>} */
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(code === 0 ? undefined : shortReason(said)));
  });
  try {
    const reason = await ended;
    return isStalled ? 'no answer' : reason;
  } finally {
    clearInterval(looking);
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** @param {string} said a stack trace */
function shortReason(said) {
  const line = said.split('\n').find((text) => /^\s*\[?(?:\w*Error|cause)\b.*:/.test(text)) ?? 'its installer failed';
  return line.trim().replace(/^\w*Error: /, '');
}
