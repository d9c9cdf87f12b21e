import type { Remedy } from '../../src-preload/contract/remedies.ts';
import { FixableError } from '../tools/contract.ts';

/** Why a resource or prompt is unavailable; the message is for people. */
export type ContentProblem =
  | 'server_unknown'
  | 'resource_unknown'
  | 'prompt_unknown'
  | 'argument_missing'
  | 'argument_unknown'
  | 'argument_wrong'
  /** The user declined, or no one could be asked. */
  | 'declined'
  /** The content would need a question, and none may be asked. */
  | 'needs_question'
  | 'too_large'
  /** The server (or the connection) failed. */
  | 'failed';

interface ContentFailureOptions extends ErrorOptions {
  readonly argument?: string;
  readonly remedies?: readonly Remedy[];
}

export class ContentFailure extends FixableError {
  override readonly name = 'ContentFailure';
  readonly code: ContentProblem;
  /** The argument at fault. */
  readonly argument: string | undefined;

  constructor(code: ContentProblem, message: string, { argument, ...options }: ContentFailureOptions = {}) {
    super(message, options);
    this.code = code;
    this.argument = argument;
  }
}
