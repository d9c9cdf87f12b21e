/** An `argv` command is started without a shell. A `shell` command is one line for a shell. */
export type GivenCommand =
  | { readonly kind: 'argv'; readonly argv: readonly string[] }
  | { readonly kind: 'shell'; readonly line: string };

/**
 * Returns a shell line unchanged. In a command without a shell, words are JSON-quoted where their boundaries would be
 * unclear.
 */
export function commandLine(command: GivenCommand): string {
  if (command.kind === 'shell') return command.line;
  return command.argv
    .map((word) => (/^[\p{L}\p{N}_@%+=:,./\\-]+$/u.test(word) ? word : JSON.stringify(word)))
    .join(' ');
}
