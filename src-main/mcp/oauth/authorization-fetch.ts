import type { FetchLike } from '@modelcontextprotocol/client';
import { SignInFailure } from '../../accounts/sign-in-problem.ts';
import type { HttpClient } from '../../network/http.ts';
import type { NetworkAccess } from '../../network/network-access.ts';
import { normalizeHost } from '../../network/private-network.ts';
import { fetchResponse } from '../fetch-response.ts';

/** Metadata and tokens are a few kilobytes. */
const MAX_BYTES = 1_000_000;
const LOOPBACK = /^(?:localhost|.+\.localhost|127\.0\.0\.1|::1)$/;

export interface AuthorizationFetchOptions {
  readonly http: Pick<HttpClient, 'access' | 'request'>;
  /** The MCP server's, as a person confirmed it. */
  readonly serverUrl: string;
  readonly signal: AbortSignal;
  /** Origins that a person confirmed: only these are sent anything. Looked at anew for each request. */
  readonly confirmed: ReadonlySet<string>;
  /** Origins on private networks that a person confirmed. */
  readonly confirmedPrivate: ReadonlySet<string>;
  /** A person has asked for this sign-in: public addresses may be read. Else only what was confirmed, and the server. */
  readonly isPersonActing: boolean;
  /** Asks the person about a private address; absent: nobody is asked. */
  readonly confirmPrivate?: (url: string) => Promise<boolean>;
}

/**
 * `fetch` for everything about signing in. Which addresses those are is said by a server, so each is decided before it is looked up:
 * https or this machine, public or confirmed, and nothing that was sent goes on to another address.
 */
export function authorizationFetch({ http, signal, ...rule }: AuthorizationFetchOptions): FetchLike {
  return async (target, init = {}) => {
    const url = secureAddress(String(target));
    const body = init.body === undefined || init.body === null ? undefined : String(init.body);
    const response = await http.request(
      {
        url,
        method: init.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        ...(body === undefined ? {} : { body }),
        // The SDK follows those that stay where they are.
        maxRedirects: 0,
        maxBytes: MAX_BYTES,
      },
      {
        signal,
        authorized: [],
        allowAccess: async (access) => {
          if (!(await mayReach(access, { ...rule, serverAccess: http.access(rule.serverUrl, 'GET') })))
            throw new SignInFailure({ code: 'address_not_allowed', url: shownAddress(access.url) });
        },
      },
    );
    if (body !== undefined && response.status >= 300 && response.status < 400) {
      const { location = '' } = response.headers;
      throw new SignInFailure({ code: 'redirected', url: shownAddress(new URL(location, url).href) });
    }
    return fetchResponse(response, new Uint8Array(response.body));
  };
}

/** The address as it is, if nobody on the way can read what is sent there. Throws `SignInFailure`. */
export function secureAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url));
  if (url === undefined || !isSecure) throw new SignInFailure({ code: 'insecure_address', url: text.slice(0, 200) });
  return url.href;
}

interface Rule extends Omit<AuthorizationFetchOptions, 'http' | 'signal'> {
  readonly serverAccess: NetworkAccess;
}

async function mayReach(access: NetworkAccess, rule: Rule): Promise<boolean> {
  if (access.isMetadata === true) return false;
  const { origin } = new URL(access.url);
  const isServer = origin === new URL(rule.serverUrl).origin;
  const isReading = access.method === 'GET' || access.method === 'HEAD';
  const mayBeUsed = isReading
    ? rule.isPersonActing || isServer || rule.confirmed.has(origin)
    : rule.confirmed.has(origin);
  if (!mayBeUsed) return false;
  if (access.class === 'network') return true;
  if (isServer && rule.serverAccess.class === 'network-private') return true;
  // Who may use one service of this machine in this way is on it.
  if (isLoopback(new URL(access.url)) && isLoopback(new URL(rule.serverUrl))) return true;
  if (rule.confirmedPrivate.has(origin)) return true;
  return rule.confirmPrivate?.(access.url) ?? false;
}

function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.test(normalizeHost(hostname) ?? '');
}

/** Without a query, which may hold anything. */
function shownAddress(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`;
}
