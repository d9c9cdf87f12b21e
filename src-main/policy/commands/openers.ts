import type { GivenCommand } from './command-line.ts';

/** The programs that open something with whatever the system uses for it. On other systems it is `xdg-open`. */
const OPENER: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' };
const OTHER_OPENER = 'xdg-open';

export const OPENERS: readonly string[] = [OTHER_OPENER, ...Object.values(OPENER)];

export function openerOf(platform: NodeJS.Platform): string {
  return OPENER[platform] ?? OTHER_OPENER;
}

/** The path that is opened for the user. Undefined if a command is run, be it one of the same program. */
export function openedPath({
  command,
  isForUser,
}: {
  readonly command: GivenCommand;
  readonly isForUser?: true;
}): string | undefined {
  return isForUser === true && command.kind === 'argv' ? command.argv[1] : undefined;
}
