/** The message of whatever was thrown. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error && error.message !== '') return error.message;
  try {
    return String(error);
  } catch {
    return 'an error that cannot be shown';
  }
}
