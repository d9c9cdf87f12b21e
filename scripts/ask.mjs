// Starts `ask` from the built output, building it first if the sources changed. Plain JavaScript: it runs before
// anything is built, on whatever Node version the machine has.
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { builtOutput } from './built-output.mjs';

const output = await builtOutput();
nodeModule.enableCompileCache?.(join(output, 'compile-cache'));
try {
  await import(pathToFileURL(join(output, 'ask.js')).href);
} catch (error) {
  if (error?.code !== 'NO_SQLITE') throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
