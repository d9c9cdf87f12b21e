import { z } from 'zod';
import { normalizeHost } from '../network/private-network.ts';
import { LONGEST_MESSAGE, parsed, UnusableRequest } from './requested-form.ts';

const LONGEST_URL = 2_000;
const LOOPBACK = /^(?:localhost|127(?:[.]\d{1,3}){3}|::1)$/;
/** In one error of a server; more is not a sign-in any more. */
const MOST_AT_ONCE = 3;

/** An address that a server asks a person to open. */
export interface RequestedUrl {
  /** As it would be opened. */
  readonly url: string;
  /** As in the URL, an international name in its ASCII form. */
  readonly host: string;
  /** The server's. */
  readonly message: string;
  /** Names it in the server's word that the person is done; `null`: there will be none. */
  readonly elicitationId: string | null;
}

const schema = z.object({
  url: z.string().max(LONGEST_URL),
  message: z.string().max(LONGEST_MESSAGE),
  elicitationId: z.string().max(200).optional(),
});

const requiredSchema = z.object({ elicitations: z.array(z.unknown()).min(1).max(MOST_AT_ONCE) });

/** The address in the parameters of `elicitation/create`. Throws `UnusableRequest` for one that no browser should get. */
export function requestedUrl(params: unknown): RequestedUrl {
  const { url: written, message, elicitationId = null } = parsed(schema, params, 'the request');
  // A parser drops tabs and line ends, so what would be opened is not what was written.
  if (/[\s\p{C}]/u.test(written) || !URL.canParse(written)) throw new UnusableRequest('the URL is not a whole address');
  const url = new URL(written);
  const host = normalizeHost(url.hostname) ?? '';
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(host)))
    throw new UnusableRequest('the URL is neither https nor on this machine');
  if (url.username !== '' || url.password !== '') throw new UnusableRequest('the URL holds a user name');
  return { url: url.href, host: url.host, message, elicitationId };
}

/** Those that a call needs before it can be made (error -32042). Throws `UnusableRequest`. */
export function requiredUrls(data: unknown): readonly RequestedUrl[] {
  return parsed(requiredSchema, data, 'the error').elicitations.map(requestedUrl);
}
