import { isUtf8 } from 'node:buffer';
import { looksBinary } from '../../../base/encoding/first-signs.ts';
import { kindOfFile } from '../../../base/file-kind.ts';

/** How to read a body. */
export type ContentKind = 'html' | 'json' | 'text' | 'other';

/** Makes `text/html` of `Text/HTML; charset=x`; empty if nothing is stated. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(/[;,]/)[0]?.trim().toLowerCase() ?? '';
}

/** Text formats whose type does not begin with `text/`. */
const TEXT_TYPES =
  /^(?:text\/.+|.+\+xml|application\/(?:xml(?:-.+)?|(?:x-)?(?:javascript|ecmascript|sh|yaml|toml|sql|httpd-php|tex|latex|ndjson|www-form-urlencoded)|typescript|graphql|jsonl|json-seq|rtf|x-subrip))$/;

const JSON_TYPES = /^(?:(?:application|text)\/(?:x-)?json|.+\+json)$/;

/** What is never text. Source code ending in `.ts` is sent as `video/mp2t`. */
const BINARY_TYPES =
  /^(?:(?:image|audio|font|model)\/.+|video\/(?!mp2t$).+|application\/(?:pdf|x-pdf|zip|x-zip.*|gzip|x-gzip|x-tar|x-gtar|x-bzip2?|x-xz|zstd|x-7z-compressed|x-rar.*|msword|wasm|java-archive|x-java-.*|x-shockwave-flash|x-msdownload|x-font.*|font.*|epub\+zip|vnd\.(?:ms-|openxmlformats-|oasis\.|rar|android\.|apple\.|microsoft\.|debian\.|sqlite).*))$/;

/** Judges by the stated type alone. Undefined if the type says nothing that can be relied on, or nothing known. */
export function kindOf(mediaType: string): ContentKind | undefined {
  if (mediaType === 'text/html' || mediaType === 'application/xhtml+xml') return 'html';
  if (JSON_TYPES.test(mediaType)) return 'json';
  if (TEXT_TYPES.test(mediaType)) return 'text';
  return BINARY_TYPES.test(mediaType) ? 'other' : undefined;
}

export interface JudgedContent {
  readonly kind: ContentKind;
  /** With `other`, the type according to the first bytes. Empty if it is not known. */
  readonly mediaType: string;
}

/** What a body is: its first bytes against its type, which servers get wrong in both directions. */
export function judgedContent(mediaType: string, body: Uint8Array): JudgedContent {
  const file = kindOfFile(body);
  if (file !== undefined) return { kind: 'other', mediaType: file.mediaType };
  const stated = kindOf(mediaType);
  if (stated !== undefined) return { kind: stated, mediaType };
  return looksBinary(body) ? { kind: 'other', mediaType: '' } : { kind: guessedKind(body), mediaType };
}

function guessedKind(body: Uint8Array): ContentKind {
  const head = Buffer.from(body.subarray(0, 1_024)).toString('latin1');
  if (/^[^a-z]*<(?:!doctype html|html|head|body)[\s>]/i.test(head)) return 'html';
  return /^(?:\xef\xbb\xbf)?\s*[[{]/.test(head) && isJson(body) ? 'json' : 'text';
}

function isJson(body: Uint8Array): boolean {
  if (!isUtf8(body)) return false;
  try {
    JSON.parse(
      Buffer.from(body)
        .toString('utf8')
        .replace(/^\ufeff/, ''),
    );
    return true;
  } catch {
    return false;
  }
}
