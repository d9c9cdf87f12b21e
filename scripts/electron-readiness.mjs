// @ts-check
// Provides what `npm start`, `npm run dev`, the gallery, the benches and the tests need before a window can open. If
// that is not possible, it says what is missing and what to do.
import { hasDisplay, startVirtualDisplay } from './electron-display.mjs';
import { progressOn } from './electron-evaluation-runtime.mjs';
import { NoElectronError, provideElectron } from './electron-runtime.mjs';
import { sandboxProblem } from './electron-sandbox.mjs';
import { describeMissing, provideSandbox, provideSystem } from './system-packages.mjs';

const WITHOUT_A_WINDOW = 'Without a window: npm run --silent ask -- "your question"';

/**
 * Finds an Electron, and provides what it needs from the system.
 * @param {import('./system-packages.mjs').Needs} needs
 * @param {(line: string) => void} say
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<import('./electron-runtime.mjs').Electron | { missing: string }>} `missing` says what is missing
 * and what to do
 */
export async function completeElectron(needs, say, env = process.env) {
  try {
    const electron = await provideElectron({ say, onProgress: progressOn(process.stderr), env });
    const missing = provideSystem({ ...needs, executable: electron.executable }, say, { path: env.PATH ?? '' });
    return missing === undefined ? electron : { missing: describeMissing(missing) };
  } catch (error) {
    if (error instanceof NoElectronError) return { missing: error.message };
    throw error;
  }
}

/**
 * @typedef {{ electron: import('./electron-runtime.mjs').Electron, env: NodeJS.ProcessEnv, stop: () => Promise<void> }}
 * Readiness
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Readiness | undefined>} undefined if something is missing. It was then said what, and
 * `process.exitCode` is set.
 */
export async function prepareElectron(env) {
  const electron = await completeElectron({ screen: !hasDisplay(env) }, say, env);
  if ('missing' in electron) return refuse(`${electron.missing}\n${WITHOUT_A_WINDOW}`);
  const problem = sandboxProblem(electron.executable);
  if (problem !== undefined) return refuse(problem);
  provideSandbox(say);
  if (hasDisplay(env)) return { electron, env, stop: async () => undefined };
  const display = await startVirtualDisplay();
  for (const line of whereItIs(display.env)) say(line);
  return { electron, env: { ...env, ...display.env }, stop: display.stop };
}

/** @param {{ DISPLAY: string, XAUTHORITY: string }} display */
function whereItIs({ DISPLAY, XAUTHORITY }) {
  return [
    `There is no display, so the window opens on a virtual screen: DISPLAY=${DISPLAY} XAUTHORITY=${XAUTHORITY}`,
    `To look at it: install x11vnc, run x11vnc -localhost -display ${DISPLAY} -auth ${XAUTHORITY}, and open localhost:5900 in a VNC viewer.`,
    'Ctrl-C ends it.',
  ];
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
