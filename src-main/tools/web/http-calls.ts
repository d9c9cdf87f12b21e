import { type HttpContext, HttpFailure, type HttpRequest, type HttpResponse } from '../../network/http.ts';
import type { CallEffects } from '../../policy/access.ts';
import { type ToolContext, ToolFailure } from '../contract.ts';

/** What a request would touch, for `effects`. */
export async function httpAccess(url: string, method: string, { http, signal }: ToolContext): Promise<CallEffects> {
  return withCatalogueTexts(async () => ({ access: [await http.access(url, method, signal)] }));
}

export async function httpResponse(request: HttpRequest, context: ToolContext): Promise<HttpResponse> {
  return withCatalogueTexts(() => context.http.request(request, httpContext(context)));
}

/** What of a call's context a request needs. */
export function httpContext({
  signal,
  authorized,
  allowAccess = async () => undefined,
}: Pick<ToolContext, 'signal' | 'authorized' | 'allowAccess'>): HttpContext {
  return { signal, allowAccess, authorized: authorized?.access.filter((access) => 'host' in access) ?? [] };
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
