import { errorMessage, systemCode } from '../../base/errors.ts';

export type FileProblemCode =
  | 'missing'
  | 'directory'
  | 'special'
  | 'changed'
  | 'too-large'
  | 'not-writable'
  /** A write broke off, and the file is as it was before. */
  | 'put-back'
  /** A write broke off and the file could not be put back. */
  | 'half-changed';

/** Why a file cannot be used as asked, in words for people; without the path, which the caller shows as it was given. */
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

/** `ENOSPC: no space left on device, write` and the like without paths of our own making in them. */
export function fileErrorText(error: unknown, given: string): string {
  const code = systemCode(error);
  const message = errorMessage(error);
  if (code === '' || !message.startsWith(`${code}: `)) return message;
  const [reason = message] = message.slice(code.length + 2).split(', ', 1);
  return `${code}: ${reason}: ${given}`;
}
