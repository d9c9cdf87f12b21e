import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { SCREENS } from '../fixtures/electron-machine.ts';
import { prepareElectronMachine } from '../fixtures/prepare-electron-machine.ts';
import { SCREENSHOTS } from '../fixtures/screenshot.ts';

/** Before e2e tests: an Electron, what it needs from the system, a built app, screens, and a user who is not root. */
export async function setup({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  provide('run', randomUUID());
  await rm(SCREENSHOTS, { recursive: true, force: true });
  const prepared = await prepareElectronMachine(say, { screens: SCREENS, tests: true });
  if ('missing' in prepared) {
    say(`The window cannot be tested. ${prepared.missing}`);
    provide('electron', prepared);
    return undefined;
  }
  provide('electron', prepared.machines);
  return prepared.stop;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
