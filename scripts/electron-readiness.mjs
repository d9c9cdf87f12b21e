// @ts-check
// What `npm start` and `npm run dev` need before the window can open. Reports what is missing, and what to do.
import { hasDisplay, hasVirtualDisplay, startVirtualDisplay } from './electron-display.mjs';
import { progressOn } from './electron-evaluation-runtime.mjs';
import { describeMissingLibraries, missingLibraries } from './electron-libraries.mjs';
import { NoElectronError, provideElectron } from './electron-runtime.mjs';

const NO_DISPLAY =
  'There is no display to open a window on. To run it unseen: apt-get install xvfb (Debian). Without a window: npm run --silent ask -- "your question"';

/**
 * @typedef {{ electron: import('./electron-runtime.mjs').Electron, env: NodeJS.ProcessEnv, stop: () => Promise<void> }} Readiness
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Readiness | undefined>} undefined: it was said what is missing, and `process.exitCode` is set
 */
export async function prepareElectron(env) {
  if (!hasDisplay(env) && !hasVirtualDisplay(env.PATH)) return refuse(NO_DISPLAY);
  try {
    const electron = await provideElectron({ say, onProgress: progressOn(process.stderr), env });
    const missing = missingLibraries(electron.executable);
    if (missing.length > 0) return refuse(describeMissingLibraries(missing));
    if (hasDisplay(env)) return { electron, env, stop: async () => undefined };
    say('There is no display: the window opens in one that cannot be seen (Xvfb). It ends with Ctrl-C.');
    const display = await startVirtualDisplay();
    return { electron, env: { ...env, ...display.env }, stop: display.stop };
  } catch (error) {
    if (error instanceof NoElectronError) return refuse(error.message);
    throw error;
  }
}

/** @param {string} message */
function refuse(message) {
  say(message);
  process.exitCode = 1;
  return undefined;
}

/** @param {string} line */
function say(line) {
  process.stderr.write(`${line}\n`);
}
