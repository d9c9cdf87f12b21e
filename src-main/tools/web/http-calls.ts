import { type HttpContext, HttpFailure, type HttpRequest, type HttpResponse } from '../../network/http.ts';
import type { NetworkAccess } from '../../network/network-access.ts';
import { type AssessContext, type ToolContext, ToolFailure } from '../contract.ts';
import type { Assessment } from '../define-tool.ts';

/**
 * Requests of a call that all go to one access that was allowed. Other requests are submitted to the policy during the
 * call.
 */
export interface Authorized {
  readonly authorized: readonly NetworkAccess[];
}

/** A request with the access it was assessed for. */
export interface PlannedRequest extends Authorized {
  readonly request: HttpRequest;
}

/** What the tool knows about a request apart from its address. */
export type RequestNature = Pick<NetworkAccess, 'carries' | 'service' | 'standsFor'>;

/** Effects of a call that starts with this request. Throws `HttpFailure`. */
export function requestAccess(
  { url, method = 'GET' }: Pick<HttpRequest, 'url' | 'method'>,
  { http }: Pick<AssessContext, 'http'>,
  nature: RequestNature = {},
): Assessment<Authorized> {
  const access: NetworkAccess = { ...http.access(url, method), ...nature };
  return { access: [access], plan: { authorized: [access] } };
}

/** The effects of a call that consists of this request. */
export async function planRequest(
  request: HttpRequest,
  context: AssessContext,
  nature?: RequestNature,
): Promise<Assessment<PlannedRequest>> {
  const { access, plan } = await withCatalogueTexts(async () => requestAccess(request, context, nature));
  return { access, plan: { ...plan, request } };
}

export async function sendRequest(
  { request, authorized }: PlannedRequest,
  context: ToolContext,
): Promise<HttpResponse> {
  return withCatalogueTexts(() => context.http.request(request, httpContext({ authorized }, context)));
}

/** The parts of a call and its context that a request needs. */
export function httpContext(
  { authorized }: Authorized,
  { signal, allowAccess }: Pick<ToolContext, 'signal' | 'allowAccess'>,
): HttpContext {
  return { signal, allowAccess, authorized };
}

/** Marks of a response: it is text from outside, and private as well if it comes from the user's own network. */
export function markAnswer({ url, isPrivate }: HttpResponse, { mark }: ToolContext): void {
  const source = new URL(url).origin;
  mark({ kind: 'untrusted', source });
  if (isPrivate) mark({ kind: 'private', source });
}

export async function withCatalogueTexts<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HttpFailure) throw new ToolFailure(`Error: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Sites refuse clients that don't look like a browser. Source: tool catalogue B.3. */
export const browserHeaders: Readonly<Record<string, string>> = {
  'User-Agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'Accept-Language': 'en-US,en;q=0.5',
};
