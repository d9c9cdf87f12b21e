import type { Writable } from 'node:stream';
import type { ApproveFlag } from '../../src-preload/contract/decision-reason.ts';
import type { ConsentPort } from '../policy/consent.ts';
import { flagConsent, unattendedConsent } from './flag-consent.ts';
import { terminalConsent } from './terminal-consent.ts';
import type { TerminalInput } from './terminal-lines.ts';

export interface ConsentStreams {
  readonly stdin: TerminalInput;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

/** The flag answers if it was given; else the person, if stdin and stderr are a terminal; else nobody can. */
export function consentFor(approve: ApproveFlag | undefined, { stdin, stderr, env }: ConsentStreams): ConsentPort {
  if (approve !== undefined) return flagConsent(approve);
  if (stdin.isTTY === true && stderr.isTTY === true) return terminalConsent({ input: stdin, output: stderr, env });
  return unattendedConsent();
}
