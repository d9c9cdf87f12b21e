import type { HttpResponse } from '../network/http.ts';

/** Statuses whose answers have no body (https://fetch.spec.whatwg.org/#null-body-status). */
const WITHOUT_BODY = [101, 103, 204, 205, 304];

export function isWithoutBody(status: number): boolean {
  return WITHOUT_BODY.includes(status);
}

/** An answer of our HTTP client as the SDK wants it. The body is decoded already, and its length is that of what was decoded. */
export function fetchResponse(
  { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
): Response {
  const { 'content-encoding': _coding, 'content-length': _length, ...rest } = headers;
  return new Response(isWithoutBody(status) ? null : body, { status, headers: rest });
}
