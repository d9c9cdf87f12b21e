import { isLoopback } from '../../accounts/secure-address.ts';
import { errorMessage } from '../../base/errors.ts';
import { ModelError } from '../provider.ts';
import { FORBIDDEN_PORT, networkCode, vendorErrorOf, withoutSecrets } from './error-shape.ts';
import { type FailureContext, type RequestFailure, requestFailed } from './request-failure.ts';
import { vendorFailure } from './vendor-failure.ts';

/** Classifies anything that a request threw. */
export function failureOf(thrown: unknown, context: FailureContext): RequestFailure {
  if (thrown instanceof ModelError) return requestFailed(thrown);
  const vendor = vendorErrorOf(thrown, context.key);
  const isVendors =
    vendor.status !== undefined || vendor.type !== undefined || vendor.code !== undefined || vendor.text !== '';
  if (isVendors) return vendorFailure(vendor, context);
  if (thrown instanceof SyntaxError) {
    const text = `${context.service.host} sent a line that is not JSON. Try again; check the base URL if it happens again.`;
    return requestFailed(new ModelError('bad_answer', text));
  }
  return connectionFailure(thrown, context.service.host, context.key);
}

/** Errors below HTTP: no network, unknown host, no secure connection, a lost connection. */
export function connectionFailure(thrown: unknown, host: string, key: string | undefined): RequestFailure {
  const code = networkCode(thrown);
  if (code !== undefined && /CERT|SSL|TLS|SELF_SIGNED|ISSUER|VERIFY|DEPTH_ZERO/.test(code)) {
    return requestFailed(
      new ModelError(
        'offline',
        `No secure connection to ${host}: its certificate or encryption was not accepted (${code}). Check the computer's clock, and any proxy or virus scanner in between.`,
      ),
    );
  }
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return requestFailed(
        new ModelError(
          'offline',
          `${host} could not be found (${code}). Check the internet connection, then try again.`,
        ),
        true,
      );
    case 'ECONNREFUSED':
      return refused(host, code);
    case FORBIDDEN_PORT:
      return requestFailed(
        new ModelError(
          'bad_request',
          `${host} is at a port that web requests may not use, because it belongs to another kind of service. Let the service listen at another port, and change the base URL.`,
        ),
      );
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'ENETDOWN':
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return requestFailed(
        new ModelError(
          'offline',
          `${host} cannot be reached (${code}). Check the internet connection, then try again.`,
        ),
        true,
      );
  }
  if (
    code !== undefined ||
    /terminated|socket|connection error|fetch failed|premature close/i.test(errorMessage(thrown))
  ) {
    return requestFailed(streamBroken(host, code), true);
  }
  return requestFailed(
    new ModelError('bad_answer', `The request to ${host} failed: ${withoutSecrets(errorMessage(thrown), key)}`),
  );
}

/** On this machine a refusal means that no program listens there, and waiting a moment does not change that. */
function refused(host: string, code: string): RequestFailure {
  if (isLoopback(new URL(`http://${host}`))) {
    const text = `${host} refused the connection (${code}): no program on this computer listens there. Start it, or correct the base URL, then try again.`;
    return requestFailed(new ModelError('offline', text));
  }
  const text = `${host} refused the connection (${code}). Check the internet connection and the base URL.`;
  return requestFailed(new ModelError('offline', text), true);
}

/** The error for a stream that ended before its answer did. */
export function streamBroken(host: string, code?: string): ModelError {
  return new ModelError(
    'stream_broken',
    `The connection to ${host} was lost before the answer was complete${code ? ` (${code})` : ''}. What had arrived is kept: try again.`,
  );
}
