import { z } from 'zod';
import { normalizeHost } from '../../network/private-network.ts';
import { MAX_MESSAGE_LENGTH, parsed, UnusableRequest } from './requested-form.ts';

const MAX_URL_LENGTH = 2_000;
const LOOPBACK = /^(?:localhost|127(?:[.]\d{1,3}){3}|::1)$/;
/** URLs in one error; more than this is not a sign-in. */
const MAX_AT_ONCE = 3;

/** An address that a server asks the user to open. */
export interface RequestedUrl {
  /** Exactly as it would be opened. */
  readonly url: string;
  /** The host as in the URL; an international name is in its ASCII form. */
  readonly host: string;
  /** The message of the server. */
  readonly message: string;
  /** Identifies the request in the server's completion notice; `null` if there will be none. */
  readonly elicitationId: string | null;
}

const schema = z.object({
  url: z.string().max(MAX_URL_LENGTH),
  message: z.string().max(MAX_MESSAGE_LENGTH),
  elicitationId: z.string().max(200).optional(),
});

const requiredSchema = z.object({ elicitations: z.array(z.unknown()).min(1).max(MAX_AT_ONCE) });

/**
 * The address in the parameters of `elicitation/create`. Throws `UnusableRequest` if it is unsafe to open in a browser.
 */
export function requestedUrl(params: unknown): RequestedUrl {
  const { url: written, message, elicitationId = null } = parsed(schema, params, 'the request');
  // A parser drops tabs and line breaks, so the opened URL would differ from the written one.
  if (/[\s\p{C}]/u.test(written) || !URL.canParse(written))
    throw new UnusableRequest('the URL is not a complete address');
  const url = new URL(written);
  const host = normalizeHost(url.hostname) ?? '';
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(host)))
    throw new UnusableRequest('the URL is neither https nor on this machine');
  if (url.username !== '' || url.password !== '') throw new UnusableRequest('the URL contains a user name');
  return { url: url.href, host: url.host, message, elicitationId };
}

/** The URLs that must be opened before a call (error -32042). Throws `UnusableRequest`. */
export function requiredUrls(data: unknown): readonly RequestedUrl[] {
  return parsed(requiredSchema, data, 'the error').elicitations.map(requestedUrl);
}
