import { openSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';
import type { ConsentPort } from '../policy/consent.ts';
import { unattendedConsent } from './flag-consent.ts';
import { terminalConsent } from './terminal-consent.ts';

const CONTROLLING_TERMINAL = '/dev/tty';

/**
 * Asks the user at the controlling terminal, because standard input belongs to a client. It is opened at the first
 * question; without one (a service, cron, Windows) no one can be asked. Source: tool catalogue D.9.
 */
export function controllingTerminalConsent(env: Readonly<Record<string, string | undefined>>): ConsentPort {
  let opened: ConsentPort | undefined;
  return {
    ask: (request, signal) => {
      opened ??= atTerminal(env) ?? unattendedConsent();
      return opened.ask(request, signal);
    },
  };
}

function atTerminal(env: Readonly<Record<string, string | undefined>>): ConsentPort | undefined {
  try {
    const input = new ReadStream(openSync(CONTROLLING_TERMINAL, 'r'));
    const output = new WriteStream(openSync(CONTROLLING_TERMINAL, 'w'));
    return terminalConsent({ input, output, env });
  } catch {
    // ENXIO: the process has none.
    return undefined;
  }
}
