import { ModelError } from '../provider.ts';
import { connectionFailure } from './connection-failure.ts';
import { vendorErrorOf } from './error-shape.ts';
import { type FailureContext, type RequestFailure, requestFailed } from './request-failure.ts';
import { vendorFailure } from './vendor-failure.ts';

/** Sorts whatever a request threw. */
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
