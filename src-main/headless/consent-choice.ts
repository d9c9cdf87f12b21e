import type { Writable } from 'node:stream';
import type { ApproveFlag } from '../../src-preload/contract/decision-reason.ts';
import type { ConsentPort } from '../policy/consent.ts';
import { controllingTerminalConsent } from './controlling-terminal.ts';
import { flagConsent, signInConsent, unattendedConsent, withoutBrowser } from './flag-consent.ts';
import { terminalConsent } from './terminal-consent.ts';
import type { TerminalInput } from './terminal-lines.ts';

export interface ConsentStreams {
  readonly stdin: TerminalInput;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

export interface ConsentArguments {
  readonly approve: ApproveFlag | undefined;
  readonly signIn: boolean;
  /** Standard input belongs to a client. */
  readonly client: boolean;
}

/** Who answers the questions of an `ask` run. */
export function consentOf(args: ConsentArguments, streams: ConsentStreams): ConsentPort {
  const consent = answering(args, streams);
  if (!args.signIn) return withoutBrowser(consent);
  // On a terminal the user is asked about each sign-in; otherwise `--sign-in` is the answer.
  return args.approve === undefined && !args.client && isTerminal(streams) ? consent : signInConsent(consent);
}

/** The flag if it is given, else the user at a terminal, else no one. */
function answering({ approve, client }: ConsentArguments, streams: ConsentStreams): ConsentPort {
  if (approve !== undefined) return flagConsent(approve);
  const { stdin, stderr, env } = streams;
  if (client) return controllingTerminalConsent(env);
  return isTerminal(streams) ? terminalConsent({ input: stdin, output: stderr, env }) : unattendedConsent();
}

function isTerminal({ stdin, stderr }: ConsentStreams): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}
