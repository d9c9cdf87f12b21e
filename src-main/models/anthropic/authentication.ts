/** The default address of the Messages API. */
export const ANTHROPIC_URL = 'https://api.anthropic.com';

/** The SDK sends the key as a bearer token. Gateways written for its earlier versions read `x-api-key`. */
export function authentication(url: string, key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, ...(url === ANTHROPIC_URL ? {} : { 'x-api-key': key }) };
}
