import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { builtOutput } from '../../scripts/built-output.mjs';
import { hasVirtualDisplay, startVirtualDisplay } from '../../scripts/electron-display.mjs';
import { progressOn } from '../../scripts/electron-evaluation-runtime.mjs';
import { describeMissingLibraries, missingLibraries } from '../../scripts/electron-libraries.mjs';
import { NoElectronError, provideElectron } from '../../scripts/electron-runtime.mjs';
import { provideLibraries, provideSystemPackages } from '../../scripts/system-packages.mjs';
import { type ElectronMachine, stageForUser, UNPRIVILEGED_USER } from '../fixtures/electron-machine.ts';
import { SCREENSHOTS } from '../fixtures/screenshot.ts';

/** Before e2e tests: an Electron, what it needs from the system, a built app, a screen, and a user who is not root. */
export async function setup({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  provideSystemPackages(say);
  await rm(SCREENSHOTS, { recursive: true, force: true });
  const prepared = await prepare();
  if ('missing' in prepared) {
    if (process.env.CI) throw new Error(`With CI set nothing is skipped. ${prepared.missing}`);
    say(`e2e tests are skipped. ${prepared.missing}`);
    provide('electron', prepared);
    return undefined;
  }
  provide('electron', prepared.machine);
  return prepared.stop;
}

async function prepare(): Promise<{ missing: string } | { machine: ElectronMachine; stop: () => Promise<void> }> {
  const electron = await provideElectron({ say, onProgress: progressOn(process.stderr) }).catch((error: unknown) => {
    if (error instanceof NoElectronError) return error.message;
    throw error;
  });
  if (typeof electron === 'string') return { missing: electron };
  provideLibraries(electron.executable, say);
  const libraries = missingLibraries(electron.executable);
  if (libraries.length > 0) return { missing: describeMissingLibraries(libraries) };
  const isLinux = process.platform === 'linux';
  if (isLinux && !hasVirtualDisplay()) return { missing: 'Xvfb is not installed (Debian package xvfb).' };

  const output = await builtOutput();
  const staged = process.getuid?.() === 0 ? stageForUser(electron.executable, output) : undefined;
  // Tests never use the developer's own screen: windows would open on it and take the keyboard.
  const display = isLinux ? await startVirtualDisplay({ userId: staged && UNPRIVILEGED_USER }) : undefined;
  return {
    machine: {
      executable: staged?.executable ?? electron.executable,
      output: staged?.output ?? output,
      isEvaluation: electron.isEvaluation,
      userId: staged && UNPRIVILEGED_USER,
      displayEnvironment: display?.env ?? {},
      framebuffer: display?.framebuffer,
    },
    stop: async () => {
      await display?.stop();
      staged?.remove();
    },
  };
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
