/** Why a resource or prompt could not be had; the message is for people. */
export type ContentProblem =
  | 'server_unknown'
  | 'resource_unknown'
  | 'prompt_unknown'
  | 'argument_missing'
  | 'argument_unknown'
  | 'argument_wrong'
  /** The person said no, or nobody could be asked. */
  | 'declined'
  | 'too_large'
  /** The server (or the connection) failed. */
  | 'failed';

export class ContentFailure extends Error {
  override readonly name = 'ContentFailure';
  readonly code: ContentProblem;
  /** The argument that it is about. */
  readonly argument: string | undefined;

  constructor(code: ContentProblem, message: string, options: ErrorOptions & { readonly argument?: string } = {}) {
    super(message, options);
    this.code = code;
    this.argument = options.argument;
  }
}
