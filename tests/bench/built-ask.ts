import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bareEnvironment } from '../fixtures/running-assistant.ts';
import { type Command, outputOf } from './child-processes.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Ways to start `ask`, and Node with next to nothing to do, in one folder with one existing profile. */
export interface Starts {
  /** The built output, with the code that it keeps compiled. */
  ask(...args: readonly string[]): Command;
  /** As `npm run ask` does: looks first whether the sources changed since they were built. */
  script(...args: readonly string[]): Command;
  npm(...args: readonly string[]): Command;
  node(...args: readonly string[]): Command;
}

/** Builds if needed, and makes the profile by running the Guide once. */
export async function startsIn(folder: string): Promise<Starts> {
  const output = await builtOutput();
  const env = bareEnvironment(folder);
  const profile = ['--profile', join(folder, 'profile'), '--workspace', folder];
  const starts: Starts = {
    ask: (...args) => ({
      program: process.execPath,
      args: [join(output, 'ask.js'), ...profile, ...args],
      cwd: folder,
      env,
    }),
    script: (...args) => ({
      program: process.execPath,
      args: [join(ROOT, 'scripts/ask.mjs'), ...profile, ...args],
      cwd: folder,
      env,
    }),
    npm: (...args) => ({
      program: process.platform === 'win32' ? 'npm.cmd' : 'npm',
      args: ['run', '--silent', 'ask', '--', ...profile, ...args],
      cwd: ROOT,
      env,
    }),
    node: (...args) => ({ program: process.execPath, args, cwd: folder, env }),
  };
  await outputOf(starts.ask('--model', 'guide', 'help'));
  return starts;
}

/** In a process of its own: with a bundler in it, this one would be slower to start others from. */
export function builtOutput(): Promise<string> {
  const module = pathToFileURL(join(ROOT, 'scripts/built-output.mjs')).href;
  const code = `import { builtOutput } from '${module}'; process.stdout.write(await builtOutput());`;
  const args = ['--input-type=module', '--eval', code];
  return outputOf({ program: process.execPath, args, cwd: ROOT, env: process.env });
}
