// @ts-check
/** @typedef {import('./electron-runtime.mjs').Electron} Electron */

/**
 * Returns how the app is started.
 * @param {{ electron: Electron, entry: string, args: readonly string[], env: NodeJS.ProcessEnv, platform: string,
 * isRoot: boolean }} wish `entry`: the app, a folder with a package.json; `args`: for the app
 * @returns {{ program: string, args: string[], env: NodeJS.ProcessEnv }}
 */
export function electronCommand({ electron, entry, args, env, platform, isRoot }) {
  const isLinux = platform === 'linux';
  const switches = [];
  // Chromium refuses to run its sandbox as root, and only then may it be disabled.
  if (isLinux && isRoot) switches.push('--no-sandbox');
  if (isLinux && electron.isEvaluation && !env.DISPLAY && env.WAYLAND_DISPLAY)
    switches.push('--ozone-platform=wayland');
  return {
    program: electron.executable,
    args: [...switches, entry, ...args],
    env: withoutElectronSettings(env),
  };
}

/**
 * Removes a variable that a terminal inside an Electron app passes on. It would make Electron behave as plain Node.
 * @param {NodeJS.ProcessEnv} env
 */
function withoutElectronSettings(env) {
  const { ELECTRON_RUN_AS_NODE: _node, ...rest } = env;
  return rest;
}
