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

/** The same command line with another profile. */
export function withProfile(argv: readonly string[], profile: string): string[] {
  const kept = argv.filter((argument, index) => {
    const isValue = argv[index - 1] === '--profile' && !argument.startsWith('-');
    return !isValue && argument !== '--profile' && !argument.startsWith('--profile=');
  });
  return [...kept, '--profile', profile];
}

function given(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Chromium also accepts one dash instead of two, and on Windows a slash. */
const DEBUGGING_SWITCH =
  /^(?:--?|\/)(?:remote-(?:debugging-[a-z-]+|allow-origins)|inspect(?:-[a-z-]+)?|debug(?:-[a-z-]+)?)(?:=|$)/i;

/** Switches of Chromium that take the sandbox from its processes. */
export const UNSANDBOXED = ['no-sandbox', 'no-zygote-sandbox', 'disable-seccomp-filter-sandbox', 'single-process'];

/** A page would have the user's own rights. */
export class NoSandboxError extends Error {
  override readonly name = 'NoSandboxError';
  readonly isAppImage: boolean;

  constructor(cause: string, isAppImage: boolean) {
    super(`Chromium's sandbox is switched off (--${cause}).`);
    this.isAppImage = isAppImage;
  }
}

/**
 * A debugger controls the consent surface, so a packaged app does not start with one. Source: PEERS.md section 3
 * ("fuses do not cover those").
 */
export function debuggingSwitch(argv: readonly string[]): string | undefined {
  return argv.find((argument) => DEBUGGING_SWITCH.test(argument))?.split('=')[0];
}
