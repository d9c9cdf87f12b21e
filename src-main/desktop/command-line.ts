import { parseArgs } from 'node:util';

export interface WindowArguments {
  readonly profile: string | undefined;
  readonly workspace: string | undefined;
}

/**
 * Reads `--profile DIR` and `--workspace DIR`. Everything else on the command line belongs to Chromium, Electron or the
 * system (macOS passes `-psn_…`).
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
