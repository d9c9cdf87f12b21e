import { secretValue } from '../secrets/secret-value.ts';
import { ANTHROPIC_VERSION, authentication } from './anthropic/authentication.ts';
import { connectionFailure } from './transport/failures.ts';

export interface KeyTestResult {
  readonly works: boolean;
  /** The result, in words for the user. It never contains the key. */
  readonly message: string;
}

type Service = 'anthropic' | 'openai' | 'gemini' | 'brave';

interface KeyTest {
  readonly service: Service;
  /** The cheapest request that needs a valid key. */
  readonly path: string;
  readonly headers: (key: string, baseUrl: string) => Record<string, string>;
}

/** The sources are the vendors' API references (list models, the organisation, one search). */
const TESTS: Readonly<Record<string, KeyTest>> = {
  'anthropic-api-key': {
    service: 'anthropic',
    path: '/v1/models',
    headers: (key, url) => ({ ...authentication(url, key), ...ANTHROPIC_VERSION }),
  },
  'anthropic-admin-api-key': {
    service: 'anthropic',
    path: '/v1/organizations/me',
    headers: (key) => ({ 'x-api-key': key, ...ANTHROPIC_VERSION }),
  },
  'openai-api-key': {
    service: 'openai',
    path: '/v1/models',
    headers: (key) => ({ authorization: `Bearer ${key}` }),
  },
  'gemini-api-key': { service: 'gemini', path: '/v1beta/models', headers: (key) => ({ 'x-goog-api-key': key }) },
  'brave-api-key': {
    service: 'brave',
    path: '/res/v1/web/search?q=test&count=1',
    headers: (key) => ({ 'x-subscription-token': key }),
  },
};

const ANSWER_WITHIN_MS = 20_000;

/** Whether there is a service that can test such a key. */
export function canBeTested(name: string): boolean {
  return Object.hasOwn(TESTS, name);
}

/** Asks the service whether it accepts this key. Nothing is stored, and nothing is sent anywhere else. */
export async function testKey(
  name: string,
  value: string,
  baseUrlOf: (service: Service) => string,
): Promise<KeyTestResult> {
  const checked = secretValue(value);
  if ('refused' in checked) return { works: false, message: `The key ${checked.refused}.` };
  const test = TESTS[name];
  if (test === undefined) return { works: true, message: 'Google checks it when you connect an account.' };
  const key = checked.value;
  const baseUrl = baseUrlOf(test.service).replace(/(?<!\/)\/+$/, '');
  const { host } = new URL(baseUrl);
  try {
    const response = await fetch(`${baseUrl}${test.path}`, {
      headers: { accept: 'application/json', ...test.headers(key, baseUrl) },
      // A redirect would carry the key to another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    await response.body?.cancel();
    return verdictOn(response, host);
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      return { works: false, message: `${host} did not answer within ${ANSWER_WITHIN_MS / 1000} seconds. Try again.` };
    return { works: false, message: connectionFailure(error, host, key).error.message };
  }
}

function verdictOn({ status, headers }: Response, host: string): KeyTestResult {
  if (status >= 200 && status < 300) {
    return /\bjson\b/i.test(headers.get('content-type') ?? '')
      ? { works: true, message: `The key works: ${host} accepts it.` }
      : {
          works: false,
          message: `${host} answered with a page instead of data. Check the address, or sign in to the network you are on.`,
        };
  }
  if (status >= 300 && status < 400)
    return { works: false, message: `${host} redirects (HTTP ${status}). Keys are not sent on to another address.` };
  switch (status) {
    case 400:
    case 401:
      return {
        works: false,
        message: `${host} does not accept this key (HTTP ${status}). It may be mistyped, deleted, or of another service.`,
      };
    case 402:
      return { works: true, message: `${host} knows the key, but the account has no credit left (HTTP 402).` };
    case 403:
      return {
        works: false,
        message: `${host} knows the key but does not let it in (HTTP 403). Check what it is allowed to do.`,
      };
    case 429:
      return { works: true, message: `${host} knows the key; its rate limit is reached at the moment (HTTP 429).` };
    default:
      return { works: false, message: `${host} could not say whether the key works (HTTP ${status}). Try again.` };
  }
}
