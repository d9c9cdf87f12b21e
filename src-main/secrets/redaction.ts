import { TOKEN_SHAPES } from './token-shapes.ts';

/**
 * Replaces a secret in texts. A text that contains it must never be written over the original: the secret would be
 * lost.
 */
export const REDACTED = '[redacted]';
/** Shorter values would hide ordinary words. */
const SHORTEST_KNOWN_SECRET = 6;

/** A longer secret that is cut off may no longer be recognized. In UTF-16 code units. */
const MAX_SECRET_LENGTH = 4_000;

const SHAPES = TOKEN_SHAPES.flatMap(({ loose }) => loose ?? []);
/** Header values; the text before the secret is kept. */
const HEADERS =
  /\b(Bearer\s{1,8}|(?:(?:x-|x-goog-)?api-key|x-subscription-token)["']?\s{0,8}[:=]\s{0,8}["']?)[A-Za-z0-9._~+/=-]{6,}/gi;

/**
 * Removes credentials from a text that goes into an error: known shapes, bearer and key headers, and the exact values
 * in `known`. Source: tool catalogue A.7.
 */
export function redactSecrets(text: string, known: Iterable<string> = []): string {
  let redacted = text;
  const longestFirst = [...known]
    .filter((secret) => secret.length >= SHORTEST_KNOWN_SECRET)
    .sort((a, b) => b.length - a.length);
  for (const secret of longestFirst) redacted = redacted.replaceAll(secret, REDACTED);
  for (const shape of SHAPES) redacted = redacted.replace(shape, REDACTED);
  return redacted.replace(HEADERS, `$1${REDACTED}`);
}

export interface RedactedStart {
  readonly redact: (text: string) => string;
  /** In UTF-16 code units. */
  readonly length: number;
  /** The text is itself only the beginning of a longer one. */
  readonly isCut?: boolean;
}

/**
 * The beginning of a text without secrets, and `…` if there is more. Where a text was cut before it was searched, its
 * end is left out: it may hold part of a secret that nothing recognizes.
 */
export function redactedStart(text: string, { redact, length, isCut = false }: RedactedStart): string {
  const searched = text.slice(0, length + MAX_SECRET_LENGTH);
  const redacted = redact(searched);
  if (!isCut && searched === text) return redacted.length > length ? `${redacted.slice(0, length)}…` : redacted;
  return `${redacted.slice(0, Math.min(length, Math.max(0, redacted.length - MAX_SECRET_LENGTH)))}…`;
}
