import { errorMessage, systemCode } from './errors.ts';

export type FileProblemCode =
  | 'missing'
  | 'directory'
  | 'special'
  | 'changed'
  | 'too-large'
  | 'not-writable'
  /** The encoding of the file can't hold a text, or is not known. */
  | 'encoding'
  | 'not-text'
  /** A write failed half way, and the file was restored. */
  | 'put-back'
  /** A write failed half way, and the file could not be restored. */
  | 'half-changed';

/**
 * Why a file can't be used as requested, in words for the user, and without the path, which the caller shows as given.
 */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';
  readonly code: FileProblemCode;

  constructor(code: FileProblemCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export const isMissing = (error: unknown): boolean =>
  (error instanceof FileProblem && error.code === 'missing') || ['ENOENT', 'ENOTDIR'].includes(systemCode(error));

/** The system's text, such as `ENOSPC: no space left on device, write`, without internal paths. */
export function fileErrorText(error: unknown, given: string): string {
  const code = systemCode(error);
  const message = errorMessage(error);
  if (code === '' || !message.startsWith(`${code}: `)) return message;
  const [reason = message] = message.slice(code.length + 2).split(', ', 1);
  return `${code}: ${reason}: ${given}`;
}
