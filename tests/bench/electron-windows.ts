import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startVirtualDisplay } from '../../scripts/electron-display.mjs';
import { completeElectron } from '../../scripts/electron-readiness.mjs';
import { UNPRIVILEGED_USER } from '../../scripts/open-place.mjs';
import { stageForUser } from '../fixtures/electron-machine.ts';
import { bareEnvironment } from '../fixtures/running-assistant.ts';
import { megabytesOfTree } from './process-memory.ts';

const OPENS_WITHIN_MS = 20_000;
const QUITS_WITHIN_MS = 10_000;
/** What a start leaves behind has been cleared away by then. */
const SETTLES_IN_MS = 3_000;

export interface WindowSample {
  /** From the start of the process until the window can be used. */
  readonly ms: number;
  /** The memory of all its processes, some seconds later. */
  readonly megabytes: number;
}

export interface ElectronWindows {
  /** The built app, on a profile with the first run behind it. */
  ours(): Promise<WindowSample>;
  /** An app with one paragraph. */
  blank(): Promise<WindowSample>;
  close(): Promise<void>;
}

/** Why this cannot be measured here, if so. */
export function missingForWindows(): string | undefined {
  if (process.platform !== 'linux') return 'it is measured on Linux only';
  return process.getuid?.() === 0 ? undefined : 'only root may read the memory of sandboxed processes';
}

/**
 * Two apps that are started in exactly the same manner: by the same Electron, sandboxed, as a user who is not root, on
 * a screen that nobody looks at, with the same probe loaded before them.
 */
export async function electronWindows(output: string): Promise<ElectronWindows | { readonly missing: string }> {
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const electron = await completeElectron({ screen: true }, say);
  if ('missing' in electron) return electron;
  const staged = stageForUser(electron.executable, output);
  // A file of its own: other Electrons that run now would share their pages with it, and change what is measured.
  const binary = join(dirname(staged.executable), 'electron', basename(electron.executable));
  copyFileSync(binary, `${binary}.own`);
  renameSync(`${binary}.own`, binary);
  const display = await startVirtualDisplay({ userId: UNPRIVILEGED_USER });
  const folder = mkdtempSync(join(tmpdir(), 'steward-bench-windows-'));
  chmodSync(folder, 0o755);
  const blank = join(folder, 'blank-window');
  cpSync(join(import.meta.dirname, 'blank-window'), blank, { recursive: true });
  cpSync(join(import.meta.dirname, 'window-probe.mjs'), join(folder, 'window-probe.mjs'));
  const shared = { executable: staged.executable, folder, env: display.env };
  return {
    ours: measured({ ...shared, name: 'ours', main: join(staged.output, 'main.js'), element: 'textarea[aria-label]' }),
    blank: measured({ ...shared, name: 'blank', main: join(blank, 'main.mjs'), element: 'p' }),
    close: async () => {
      await display.stop();
      staged.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface MeasuredApp {
  readonly name: string;
  readonly executable: string;
  readonly folder: string;
  /** Absolute path of its entry. */
  readonly main: string;
  /** A selector: the window is usable when it is drawn. */
  readonly element: string;
  readonly env: Readonly<Record<string, string>>;
}

function measured({ name, executable, folder, main, element, env }: MeasuredApp): () => Promise<WindowSample> {
  const entry = join(folder, name);
  const home = join(folder, `${name}-home`);
  const [profile, workspace, runtime] = [join(home, 'profile'), join(home, 'workspace'), join(home, 'runtime')];
  for (const path of [entry, home, profile, workspace, runtime]) mkdirSync(path);
  writeFileSync(
    join(entry, 'package.json'),
    JSON.stringify({ name, productName: name, version: '1.0.0', type: 'module', main: 'main.js' }),
  );
  writeFileSync(
    join(entry, 'main.js'),
    [join(folder, 'window-probe.mjs'), main].map((file) => `import '${pathToFileURL(file).href}';\n`).join(''),
  );
  writeFileSync(join(profile, 'window.json'), JSON.stringify({ isFirstRunFinished: true }));
  for (const path of [home, profile, workspace, runtime, join(profile, 'window.json')])
    chownSync(path, UNPRIVILEGED_USER, UNPRIVILEGED_USER);
  chmodSync(runtime, 0o700);
  const args = [entry, '--profile', profile, '--workspace', workspace];
  const environment = {
    ...bareEnvironment(home),
    XDG_RUNTIME_DIR: runtime,
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(home, 'no-session-bus')}`,
    WINDOW_PROBE_ELEMENT: element,
    ...env,
  };

  return async () => {
    const startedAt = performance.now();
    const app = spawn(executable, args, { cwd: home, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(app, 'exit');
    let complaints = '';
    app.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaints += text;
    });
    try {
      const usableAt = await Promise.race([
        once(app.stdout, 'data').then(() => performance.now()),
        ended,
        wait(OPENS_WITHIN_MS, undefined, { ref: false }),
      ]);
      if (typeof usableAt !== 'number' || app.pid === undefined)
        throw new Error(`The window "${name}" did not open: ${complaints.slice(-2_000)}`);
      await wait(SETTLES_IN_MS);
      return { ms: usableAt - startedAt, megabytes: megabytesOfTree(app.pid) };
    } finally {
      // As a user does: what is kept for the next start is written then.
      app.kill('SIGTERM');
      await Promise.race([ended, wait(QUITS_WITHIN_MS, undefined, { ref: false })]);
      app.kill('SIGKILL');
    }
  };
}
