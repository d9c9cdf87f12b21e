import type { FetchLike } from '@modelcontextprotocol/client';
import { isLoopback, secureAddress, shownAddress } from '../../accounts/secure-address.ts';
import { SignInFailure } from '../../accounts/sign-in-problem.ts';
import { fetchResponse } from '../../network/fetch-response.ts';
import type { HttpClient } from '../../network/http.ts';
import type { NetworkAccess } from '../../network/network-access.ts';

/** Metadata and tokens are only a few kilobytes. */
const MAX_BYTES = 1_000_000;

export interface AuthorizationFetchOptions {
  readonly http: Pick<HttpClient, 'access' | 'request'>;
  /** The MCP server's, as confirmed by the user. */
  readonly serverUrl: string;
  readonly signal: AbortSignal;
  /** Origins the user confirmed; only these are sent anything. Read anew for each request. */
  readonly confirmed: ReadonlySet<string>;
  /** Origins on private networks that the user confirmed. */
  readonly confirmedPrivate: ReadonlySet<string>;
  /**
   * The user asked for this sign-in, so public addresses may be read. Otherwise only the server and confirmed addresses
   * may be.
   */
  readonly isUserActing: boolean;
  /** Asks the user about a private address; absent if no one can be asked. */
  readonly confirmPrivate?: (url: string) => Promise<boolean>;
}

/**
 * `fetch` for everything about signing in. The server names the addresses, so each is checked before it is looked up:
 * it must be https or on this machine, and public or confirmed. A request body is never forwarded to another address.
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
        // The SDK follows same-origin redirects itself.
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

interface Rule extends Omit<AuthorizationFetchOptions, 'http' | 'signal'> {
  readonly serverAccess: NetworkAccess;
}

async function mayReach(access: NetworkAccess, rule: Rule): Promise<boolean> {
  if (access.isMetadata === true) return false;
  const { origin } = new URL(access.url);
  const isServer = origin === new URL(rule.serverUrl).origin;
  const isReading = access.method === 'GET' || access.method === 'HEAD';
  const mayBeUsed = isReading
    ? rule.isUserActing || isServer || rule.confirmed.has(origin)
    : rule.confirmed.has(origin);
  if (!mayBeUsed) return false;
  if (access.class === 'network') return true;
  if (isServer && rule.serverAccess.class === 'network-private') return true;
  // Anyone who can use one loopback service of this machine this way is already on the machine.
  if (isLoopback(new URL(access.url)) && isLoopback(new URL(rule.serverUrl))) return true;
  if (rule.confirmedPrivate.has(origin)) return true;
  return rule.confirmPrivate?.(access.url) ?? false;
}
