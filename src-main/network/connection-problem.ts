import { errorMessage } from '../base/errors.ts';
import { ownValue } from '../base/json.ts';

/** What people are told, by the codes of Node and undici. `{host}` is replaced. */
const TEXTS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The host {host} could not be found',
  EAI_AGAIN: 'The host {host} could not be looked up: there may be no connection to the internet',
  ECONNREFUSED: '{host} refused the connection',
  ECONNRESET: '{host} broke the connection off',
  UND_ERR_SOCKET: '{host} broke the connection off',
  EPIPE: '{host} broke the connection off',
  EHOSTUNREACH: '{host} cannot be reached',
  ENETUNREACH: '{host} cannot be reached: there may be no connection to the internet',
  ETIMEDOUT: 'The connection to {host} timed out',
  UND_ERR_CONNECT_TIMEOUT: 'The connection to {host} timed out',
  UND_ERR_HEADERS_OVERFLOW: '{host} sent more headers than are accepted',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: '{host} sent another length than it had said',
  CERT_HAS_EXPIRED: 'The certificate of {host} has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of {host} is signed by itself only',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of {host} is signed by an authority that is not known',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate of {host} could not be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate of {host} could not be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of {host} is for another host',
  EPROTO: '{host} does not speak TLS there',
  ERR_SSL_WRONG_VERSION_NUMBER: '{host} does not speak TLS there',
};

/** Why a host could not be reached, for people. */
export function connectionProblem(error: unknown, host: string): string {
  const code = codeOf(error);
  // A status below 100 fails undici's own assertion.
  if (error instanceof Error && (error.name === 'HTTPParserError' || code === 'ERR_ASSERTION'))
    return `${host} does not speak HTTP there`;
  if (/^(?:Z_|ERR_?_?BROTLI|ERR__ERROR_FORMAT)/.test(code))
    return `The answer of ${host} is compressed in a way that cannot be read`;
  return ownValue(TEXTS, code)?.replace('{host}', host) ?? errorMessage(error);
}

/** Node tries several addresses at once and then throws one error for all of them, without a message. */
function codeOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 4) return '';
  if ('code' in error && typeof error.code === 'string' && error.code !== 'UND_ERR') return error.code;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return codeOf(inner, depth + 1);
}
