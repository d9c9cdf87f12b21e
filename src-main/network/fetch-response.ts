import type { HttpResponse } from './http.ts';

/** Statuses without a body (https://fetch.spec.whatwg.org/#null-body-status). */
const WITHOUT_BODY = [101, 103, 204, 205, 304];

export function isWithoutBody(status: number): boolean {
  return WITHOUT_BODY.includes(status);
}

/**
 * A response of our HTTP client in the form the SDK expects. The body is already decoded, so its length is the decoded
 * one.
 */
export function fetchResponse(
  { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
): Response {
  const { 'content-encoding': _coding, 'content-length': _length, ...rest } = headers;
  return new Response(isWithoutBody(status) ? null : body, { status, headers: rest });
}
