// @ts-check
// `npm run dev` opens the window on unbuilt sources. A change of the renderer reloads its pages, any other starts the
// app again. Arguments after `--` go to the app.
import './require-toolchain.mjs';
import { rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron } from 'playwright';
import { buildInto } from './built-output.mjs';
import { isChatterWanted, withoutChatter } from './electron-chatter.mjs';
import { electronCommand } from './electron-command.mjs';
import { onParentGone } from './electron-process.mjs';
import { prepareElectron } from './electron-readiness.mjs';

/** @typedef {'main' | 'preloads' | 'renderer'} Part */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUTPUT = join(ROOT, 'out', `dev-${process.pid}`);
const SETTLE_MS = 120;
/** @type {Record<string, Part[]>} The contract is in all three. */
const PARTS_OF_FOLDER = {
  'src-main': ['main'],
  resources: ['main'],
  'src-preload': ['main', 'preloads', 'renderer'],
  'src-renderer': ['renderer'],
};

const ready = await prepareElectron(process.env);
if (ready !== undefined) {
  // Playwright ends the app when this process gets the signal.
  onParentGone(process.env, () => process.kill(process.pid, 'SIGTERM'));
  process.once('exit', () => rmSync(OUTPUT, { recursive: true, force: true }));
  await buildInto(OUTPUT);
  await develop(ready);
  await ready.stop();
}

/** @param {import('./electron-readiness.mjs').Readiness} readiness */
async function develop(readiness) {
  /** @type {Set<Part>} */
  const changed = new Set();
  let onChange = () => undefined;
  const watchers = Object.entries(PARTS_OF_FOLDER).map(([folder, parts]) =>
    watch(join(ROOT, folder), { recursive: true }, () => {
      for (const part of parts) changed.add(part);
      onChange();
    }),
  );

  let running = await open(readiness);
  let isOpen = true;
  while (isOpen) {
    const next = await Promise.race([
      running.closed,
      /** @type {Promise<'changed'>} */ (
        new Promise((resolve) => {
          onChange = () => void setTimeout(() => resolve('changed'), SETTLE_MS);
          if (changed.size > 0) onChange();
        })
      ),
    ]);
    if (next === 'closed') {
      isOpen = false;
      continue;
    }
    const parts = [...changed];
    changed.clear();
    if (!(await rebuild(parts))) continue;
    if (parts.some((part) => part !== 'renderer')) {
      await running.app.close();
      running = await open(readiness);
    } else {
      await Promise.all(running.app.windows().map((page) => page.reload()));
    }
  }
  for (const watcher of watchers) watcher.close();
}

/** @param {import('./electron-readiness.mjs').Readiness} readiness */
async function open({ electron, env }) {
  const isRoot = process.getuid?.() === 0;
  const args = process.argv.slice(2);
  const command = electronCommand({ electron, entry: OUTPUT, args, env, platform: process.platform, isRoot });
  const app = await _electron.launch({
    executablePath: command.program,
    args: command.args,
    env: /** @type {Record<string, string>} */ (command.env),
    // Playwright would disable the sandbox by default.
    chromiumSandbox: !isRoot,
  });
  app.process().stdout?.pipe(process.stdout, { end: false });
  const { stderr } = app.process();
  if (isChatterWanted(env, args)) stderr?.pipe(process.stderr, { end: false });
  else {
    const filter = withoutChatter((text) => process.stderr.write(text));
    stderr?.setEncoding('utf8').on('data', filter.add).once('end', filter.end);
  }
  /** @type {Promise<'closed'>} */
  const closed = new Promise((resolve) => app.once('close', () => resolve('closed')));
  return { app, closed };
}

/**
 * @param {Part[]} parts
 * @returns {Promise<boolean>} false if the sources do not build. The app that runs goes on.
 */
async function rebuild(parts) {
  const startedAt = performance.now();
  try {
    await buildInto(OUTPUT, parts);
    process.stderr.write(`Rebuilt ${parts.join(', ')} (${(performance.now() - startedAt).toFixed(0)} ms)\n`);
    return true;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    return false;
  }
}
