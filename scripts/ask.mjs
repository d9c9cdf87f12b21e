// Starts `ask` from the built output, building it first if the sources changed. It is plain JavaScript, because it runs
// before anything is built, on whatever Node version the machine has.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isUnchanged, knownBuild, remember, stampsOf } from './ask-sources.mjs';

const known = knownBuild();
const answered = known !== undefined && isUnchanged(known.arguments) ? await answerOf(known) : undefined;
if (typeof answered === 'number') process.exitCode = answered;
else await ask(known !== undefined && isUnchanged(known.all) ? known.folder : await build());

/** Returns the exit code if the arguments alone say what to answer. No other source matters then. */
function answerOf({ folder }) {
  const { readArguments, SOURCES_COMMAND } = createRequire(import.meta.url)(join(folder, 'ask', 'read-arguments.cjs'));
  const { stdout, stderr, argv } = process;
  return readArguments({ command: SOURCES_COMMAND, argv: argv.slice(2), stdout, stderr });
}

async function build() {
  const { builtOutput, sourcesOfMain } = await import('./built-output.mjs');
  const stamps = stampsOf(sourcesOfMain());
  const folder = await builtOutput();
  remember(folder, stamps);
  return folder;
}

async function ask(folder) {
  await import(pathToFileURL(join(folder, 'ask.js')).href);
}
