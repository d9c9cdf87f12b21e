import { errorMessage } from '../../base/errors.ts';
import { ModelError } from '../provider.ts';
import { networkCode, vendorErrorOf, withoutSecrets } from './error-shape.ts';
import { type FailureContext, type RequestFailure, requestFailed } from './request-failure.ts';
import { vendorFailure } from './vendor-failure.ts';

/** Classifies anything a request threw. */
export function failureOf(thrown: unknown, context: FailureContext): RequestFailure {
  if (thrown instanceof ModelError) return requestFailed(thrown);
  const vendor = vendorErrorOf(thrown, context.key);
  if (vendor.status !== undefined || vendor.type !== undefined) return vendorFailure(vendor, context);
  if (thrown instanceof SyntaxError) {
    const text = `${context.host} sent a line that is not JSON. Try again; check the base URL if it happens again.`;
    return requestFailed(new ModelError('bad_answer', text));
  }
  return connectionFailure(thrown, context);
}

/** Errors below HTTP: no network, unknown host, no secure connection, a lost connection. */
export function connectionFailure(thrown: unknown, { host, key }: FailureContext): RequestFailure {
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
      return requestFailed(
        new ModelError(
          'offline',
          `${host} refused the connection (${code}). Check the internet connection and the base URL.`,
        ),
        true,
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

export function streamBroken(host: string, code?: string): ModelError {
  return new ModelError(
    'stream_broken',
    `The connection to ${host} was lost before the answer was complete${code ? ` (${code})` : ''}. What had arrived is kept: try again.`,
  );
}
