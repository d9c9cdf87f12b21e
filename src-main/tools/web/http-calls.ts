import { type HttpContext, HttpFailure, type HttpRequest, type HttpResponse } from '../../network/http.ts';
import type { NetworkAccess } from '../../network/network-access.ts';
import { type AssessContext, type ToolContext, ToolFailure } from '../contract.ts';
import type { Assessment } from '../define-tool.ts';

/** Of a call whose requests all go where one access that was allowed does; others are put to the policy as they come up. */
export interface Authorized {
  readonly authorized: readonly NetworkAccess[];
}

/** A request as it was assessed. */
export interface PlannedRequest extends Authorized {
  readonly request: HttpRequest;
}

/** What a call touches that begins with this request. Rejects with `HttpFailure`. */
export async function requestAccess(
  { url, method = 'GET' }: Pick<HttpRequest, 'url' | 'method'>,
  { http, signal }: Pick<AssessContext, 'http' | 'signal'>,
): Promise<Assessment<Authorized>> {
  const access = await http.access(url, method, signal);
  return { access: [access], plan: { authorized: [access] } };
}

/** What a call touches that is this request. */
export async function planRequest(request: HttpRequest, context: AssessContext): Promise<Assessment<PlannedRequest>> {
  const { access, plan } = await withCatalogueTexts(() => requestAccess(request, context));
  return { access, plan: { ...plan, request } };
}

export async function sendRequest(
  { request, authorized }: PlannedRequest,
  context: ToolContext,
): Promise<HttpResponse> {
  return withCatalogueTexts(() => context.http.request(request, httpContext({ authorized }, context)));
}

/** What of a call and its context a request needs. */
export function httpContext(
  { authorized }: Authorized,
  { signal, allowAccess }: Pick<ToolContext, 'signal' | 'allowAccess'>,
): HttpContext {
  return { signal, allowAccess, authorized };
}

/** What an answer puts on the context: nobody here wrote it, and what stands on the person's own network is theirs besides. */
export function markAnswer({ url, isPrivate }: HttpResponse, { mark }: ToolContext): void {
  const source = new URL(url).origin;
  mark({ kind: 'untrusted', source });
  if (isPrivate) mark({ kind: 'private', source });
}

async function withCatalogueTexts<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HttpFailure) throw new ToolFailure(`Error: ${error.message}`, { cause: error });
    throw error;
  }
}
