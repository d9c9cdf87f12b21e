/** The default address of the Messages API. */
export const ANTHROPIC_URL = 'https://api.anthropic.com';

export const ANTHROPIC_VERSION = { 'anthropic-version': '2023-06-01' };

/** The SDK sends the key as a bearer token. Gateways written for its earlier versions read `x-api-key`. */
export function authentication(url: string, key: string | undefined): Record<string, string> {
  if (key === undefined) return {};
  return { authorization: `Bearer ${key}`, ...(url === ANTHROPIC_URL ? {} : { 'x-api-key': key }) };
}
