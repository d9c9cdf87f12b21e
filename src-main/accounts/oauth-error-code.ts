/** Longer texts and other characters are not OAuth error codes (RFC 6749 section 5.2). */
const ERROR_CODE = /^[\w.-]{1,60}$/;

/** `undefined` if the text is not an error code. */
export function shownErrorCode(text: string): string | undefined {
  return ERROR_CODE.test(text) ? text : undefined;
}
