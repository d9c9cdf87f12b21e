/** The message of whatever was thrown. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error && error.message !== '') return error.message;
  try {
    return String(error);
  } catch {
    return 'an error that cannot be shown';
  }
}

/** The code of a system error, such as `ENOENT`. Empty for any other error. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
