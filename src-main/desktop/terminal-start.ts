import { refusedSwitch } from './accepted-switches.ts';

/** What a packaged app does in a terminal instead of opening a window. */
export type TerminalStart =
  | { readonly kind: 'ask'; readonly argv: readonly string[] }
  | { readonly kind: 'refused'; readonly name: string }
  | { readonly kind: 'help' | 'version' | 'bundled-server' };

const BUNDLED_SERVER = 'system-info';

/**
 * Switches for a start in a terminal, which the launchers (resources/bin/) add too. No page is opened, so no process
 * needs a sandbox. Steward then runs as root, and where users may not create namespaces. Chromium prints no reports,
 * and takes nothing after `--` for a switch of its own.
 */
export const WITHOUT_PAGES = ['--no-sandbox', '--no-zygote', '--log-level=3', '--'];

/** With these arguments, this program becomes the bundled server, on standard input and output. */
export const BUNDLED_SERVER_ARGUMENTS: readonly string[] = [...WITHOUT_PAGES, BUNDLED_SERVER];

const SEPARATOR = '--';

/**
 * Undefined if it is started as a window. Only the first word counts: a file's name or an address further on opens
 * nothing in a terminal.
 */
export function terminalStart(argv: readonly string[], platform: NodeJS.Platform): TerminalStart | undefined {
  const start = argv.findIndex((argument) => argument === SEPARATOR || !WITHOUT_PAGES.includes(argument));
  if (start === -1) return undefined;
  const isSeparated = argv[start] === SEPARATOR;
  const [word, ...rest] = argv.slice(isSeparated ? start + 1 : start);
  switch (word) {
    case 'ask': {
      const name = isSeparated ? undefined : mistakenForSwitch(rest, platform);
      return name === undefined ? { kind: 'ask', argv: rest } : { kind: 'refused', name };
    }
    case BUNDLED_SERVER:
      return { kind: 'bundled-server' };
    case '-h':
    case '--help':
      return { kind: 'help' };
    case '--version':
      return { kind: 'version' };
    default:
      return undefined;
  }
}

/**
 * What `ask` takes for text and Chromium for a switch: ` --js-flags=…` (it ignores space around an argument), on
 * Windows also `/gpu-launcher=…`. Other switches than its own `ask` refuses itself.
 */
function mistakenForSwitch(argv: readonly string[], platform: NodeJS.Platform): string | undefined {
  const end = argv.indexOf(SEPARATOR);
  const read = end === -1 ? argv : argv.slice(0, end);
  return refusedSwitch(
    read.filter((argument) => !argument.startsWith('-')),
    platform,
  );
}
