import { parseHttpUrl } from './destination.ts';

/** One request of an exchange. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Headers that another origin may receive. Anything else may be a secret, whatever its name. */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'user-agent',
]);

/**
 * The request that a redirect leads to, as browsers send it. Undefined if this is not a redirect. Throws `HttpFailure`
 * if it leads to a URL that is not http or https. Source: https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  const url = parseHttpUrl(location, hop.url);
  const becomesGet =
    status === 303 ? hop.method !== 'GET' && hop.method !== 'HEAD' : status <= 302 && hop.method === 'POST';
  const isSameOrigin = url.origin === hop.url.origin;
  const headers = Object.entries(hop.headers).filter(
    ([name]) => (isSameOrigin || HARMLESS_HEADERS.has(name)) && !(becomesGet && name.startsWith('content-')),
  );
  const method = becomesGet ? 'GET' : hop.method;
  const body = becomesGet ? undefined : hop.body;
  return { url, method, headers: Object.fromEntries(headers), ...(body === undefined ? {} : { body }) };
}
