import type { ProcessOutcome } from '../../processes/process-runner.ts';
import { ToolFailure } from '../contract.ts';

/**
 * What a shell line says that did not end by itself: all that it printed, then why it ended. `undefined`: it ended by itself.
 * Throws if it was stopped. Source: tool catalogue B.2, bash.
 */
export function textIfCutShort(
  { ending }: Pick<ProcessOutcome, 'ending'>,
  output: string,
  timeoutMs: number,
): string | undefined {
  if (ending === 'aborted') throw new ToolFailure(withLastLine(output, '[stopped by the user]'));
  return ending === 'timed-out' ? withLastLine(output, `[timed out after ${timeoutMs / 1000}s]`) : undefined;
}

export function withLastLine(output: string, line: string): string {
  return output === '' ? line : `${output}\n${line}`;
}

/** So that the line end which nearly every program writes last does not become an empty line. */
export function withoutLastLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}
