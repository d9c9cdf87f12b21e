import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { grouped } from '../base/text.ts';
import { HttpFailure } from './http.ts';

type Bytes = AsyncIterable<Buffer>;

/** No one needs more layers; a server that sends more is trying to keep us busy. */
const MAX_CODINGS = 5;
/** A body that ends in the middle of a compressed block is shown up to there, as in browsers. */
const LENIENT = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const LENIENT_BROTLI = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

const CODINGS: Readonly<Record<string, (source: Bytes) => Bytes>> = {
  gzip: (source) => through(source, createGunzip(LENIENT)),
  'x-gzip': (source) => through(source, createGunzip(LENIENT)),
  deflate: inflated,
  br: (source) => through(source, createBrotliDecompress(LENIENT_BROTLI)),
};

export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/** The headers as they were sent. */
export interface BodyHeaders {
  readonly contentEncoding: string | undefined;
  readonly contentLength: string | undefined;
}

/**
 * Reads and decompresses a body. Rejects with `HttpFailure` as soon as it is known to exceed `maxBytes`:
 * by its stated length, or by the bytes decoded so far. If a coding is unknown, nothing is decoded, as in
 * browsers: some servers send `utf-8` there.
 */
export async function readBody(body: Bytes, headers: BodyHeaders, maxBytes: number): Promise<Buffer> {
  const codings = codingsOf(headers.contentEncoding);
  const statedBytes = Number(headers.contentLength);
  if (codings.length === 0 && statedBytes > maxBytes) throw tooLarge(statedBytes, maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of codings.reduce((source, coding) => coding(source), body)) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(size, maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** A body as received, decompressed if its coding is known. */
export function decoded(body: Bytes, contentEncoding: string | undefined): Bytes {
  return codingsOf(contentEncoding).reduce((source, coding) => coding(source), body);
}

/** The decoders in the order in which they are applied. */
function codingsOf(contentEncoding = ''): ((source: Bytes) => Bytes)[] {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > MAX_CODINGS) throw new HttpFailure('connection', 'The answer is compressed too many times');
  const codings = names.flatMap((name) => (Object.hasOwn(CODINGS, name) ? (CODINGS[name] ?? []) : []));
  return codings.length === names.length ? codings.reverse() : [];
}

async function* through(source: Bytes, decoder: Duplex): Bytes {
  // An error in it destroys the decoder, and so ends the loop below with the same error.
  pipeline(source, decoder).catch(() => undefined);
  yield* decoder;
}

/** `deflate` means zlib's format, and some servers send it without its header. */
async function* inflated(source: Bytes): Bytes {
  const iterator = source[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return;
  const isZlib = ((first.value[0] ?? 0) & 0x0f) === 8;
  const whole = async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  yield* through(whole(), isZlib ? createInflate(LENIENT) : createInflateRaw(LENIENT));
}

function tooLarge(bytes: number, maxBytes: number): HttpFailure {
  return new HttpFailure('too_large', `Response too large (${grouped(bytes)} bytes, max ${grouped(maxBytes)} bytes)`);
}
