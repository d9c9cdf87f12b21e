import { looksBinary } from '../../files/text-encoding.ts';

/** How to read a body. */
export type ContentKind = 'html' | 'json' | 'text' | 'other';

/** `Text/HTML; charset=x` → `text/html`; empty: not stated. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(/[;,]/)[0]?.trim().toLowerCase() ?? '';
}

/** Text formats whose type does not begin with `text/`. */
const TEXT_TYPES =
  /^(?:text\/.+|.+\+xml|application\/(?:xml(?:-.+)?|(?:x-)?(?:javascript|ecmascript|sh|yaml|toml|sql|httpd-php|tex|latex|ndjson|www-form-urlencoded)|typescript|graphql|jsonl|json-seq|rtf|x-subrip))$/;

export function kindOf(mediaType: string): ContentKind {
  if (mediaType === 'text/html' || mediaType === 'application/xhtml+xml') return 'html';
  if (mediaType === 'application/json' || mediaType === 'text/json' || mediaType.endsWith('+json')) return 'json';
  return TEXT_TYPES.test(mediaType) ? 'text' : 'other';
}

/** For a body without a stated type. */
export function guessedKind(body: Uint8Array): ContentKind {
  if (looksBinary(body)) return 'other';
  const head = Buffer.from(body.subarray(0, 1_024)).toString('latin1');
  return /^[^a-z]*<(?:!doctype html|html|head|body)[\s>]/i.test(head) ? 'html' : 'text';
}
