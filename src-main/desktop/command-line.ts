import { parseArgs } from 'node:util';

export interface WindowArguments {
  readonly profile: string | undefined;
  readonly workspace: string | undefined;
}

/**
 * `--profile DIR` and `--workspace DIR`. Everything else on the command line belongs to Chromium, Electron or the system (macOS passes `-psn_…`).
 */
export function parseWindowArguments(argv: readonly string[]): WindowArguments {
  const { values } = parseArgs({
    args: [...argv],
    strict: false,
    options: { profile: { type: 'string' }, workspace: { type: 'string' } },
  });
  return { profile: given(values.profile), workspace: given(values.workspace) };
}

function given(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Chromium also accepts one dash instead of two, and on Windows a slash. */
const DEBUGGING_SWITCH =
  /^(?:--?|\/)(?:remote-(?:debugging-[a-z-]+|allow-origins)|inspect(?:-[a-z-]+)?|debug(?:-[a-z-]+)?)(?:=|$)/i;

/**
 * A debugger controls the consent surface, so a packaged app does not start with one. Source: PEERS.md section 3
 * ("fuses do not cover those").
 */
export function debuggingSwitch(argv: readonly string[]): string | undefined {
  return argv.find((argument) => DEBUGGING_SWITCH.test(argument))?.split('=')[0];
}
