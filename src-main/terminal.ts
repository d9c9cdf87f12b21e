import { pathToFileURL } from 'node:url';
import { version } from '../package.json';
import { visible } from './base/text.ts';
import { reportFault } from './desktop/faults.ts';
import { BUNDLED_SERVER_ARGUMENTS, type TerminalStart } from './desktop/terminal-start.ts';
import { askInProcess } from './headless/ask-in-process.ts';
import { bundledServerPath } from './mcp/transport/bundled-process.ts';

/** The name by which the launchers are called. */
const COMMAND = 'steward';
const FAILED_EXIT_CODE = 1;
const USAGE_EXIT_CODE = 2;
const MAX_TIMER_MS = 2 ** 31 - 1;

const HELP = `Usage: ${COMMAND} [options]               opens the window
       ${COMMAND} ask [options] "prompt"  answers one prompt in this terminal; see ${COMMAND} ask --help

  --profile DIR        where config.json, the database and its backups are kept
  --workspace DIR      the folder to work in
  --help, --version    print this, or the version, and exit

The window also accepts Chromium's switches for the display and the graphics driver.`;

/**
 * What a packaged app does in a terminal; it ends the process. It is awaited before Electron is ready, that is before
 * it looks for a display and before a debugger of Chromium listens; until then the process is Node alone. Source:
 * docs/decisions/060-ask-in-the-package.md
 */
export async function runInTerminal(start: TerminalStart): Promise<never> {
  // Electron opens a box instead.
  process.on('uncaughtException', (error) => endWith('uncaught', error));
  process.on('unhandledRejection', (reason) => endWith('unhandled', reason));
  // With nothing left to wait for, Electron would go on to its windows.
  setInterval(() => undefined, MAX_TIMER_MS);
  switch (start.kind) {
    case 'ask':
      return process.exit(
        await askInProcess({
          command: `${COMMAND} ask`,
          argv: start.argv,
          bundled: { command: [process.execPath, ...BUNDLED_SERVER_ARGUMENTS] },
        }),
      );
    case 'refused':
      process.stderr.write(
        `Error: Chromium would take ${visible(start.name)} for a switch. To pass it as text, put -- before ask: ${COMMAND} -- ask …\n`,
      );
      return process.exit(USAGE_EXIT_CODE);
    case 'help':
      return print(HELP);
    case 'version':
      return print(version);
    case 'bundled-server':
      process.stdin.once('close', () => process.exit());
      await import(pathToFileURL(bundledServerPath()).href);
      return new Promise(() => undefined);
  }
}

async function print(text: string): Promise<never> {
  await new Promise((written) => process.stdout.write(`${text}\n`, written));
  return process.exit();
}

function endWith(where: string, fault: unknown): never {
  reportFault(where, fault);
  return process.exit(FAILED_EXIT_CODE);
}
