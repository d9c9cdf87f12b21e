import type { VendorError } from '../transport/error-shape.ts';
import { type MediaRefusal, mediaRefusal } from '../transport/media-refusal.ts';
import type { RefusedPart } from '../transport/refused-parts.ts';
import { toolsAt } from '../transport/refused-tools.ts';
import { type FailureKind, kindOfStatus, type Service, type Vendor } from '../transport/service.ts';

export const ANTHROPIC: Vendor = {
  name: 'Anthropic',
  api: 'the Messages API',
  keyVariable: 'ANTHROPIC_API_KEY',
  keyPage: 'https://platform.claude.com/settings/keys',
  billingPage: 'https://platform.claude.com/settings/billing',
  statusPage: 'https://status.claude.com',
  buttons: { billing: 'anthropic-billing', status: 'anthropic-status' },
};

/** Source: https://platform.claude.com/docs/en/api/errors */
export function messagesService(host: string): Service {
  return {
    vendor: ANTHROPIC,
    host,
    maxRequestBytes: 32 * 1024 * 1024,
    kindOf,
    refusedPart,
    refusedMedia,
    refusedTools,
  };
}

const KIND_BY_TYPE: Readonly<Record<string, FailureKind>> = {
  authentication_error: 'wrong_key',
  billing_error: 'no_credit',
  permission_error: 'no_permission',
  not_found_error: 'unknown_model',
  request_too_large: 'request_too_large',
  rate_limit_error: 'rate_limited',
  overloaded_error: 'overloaded',
  api_error: 'server_error',
  timeout_error: 'server_error',
};

/** The kind is determined by the status, or by the type of an error in the middle of a stream, which has no status. */
function kindOf({ status, type, text }: VendorError): FailureKind {
  // The API reports both with the type of any bad request; only the message distinguishes them.
  if (status === undefined || status === 400 || status === 403) {
    if (/credit balance is too low|spend(ing)? limit|usage limits?\b/i.test(text)) return 'no_credit';
  }
  if (status === undefined || status === 400) {
    if (/prompt is too long|exceeds? (the )?(context|maximum context)|context (window|length|limit)/i.test(text)) {
      return 'context_too_long';
    }
  }
  if (status === undefined) return KIND_BY_TYPE[type ?? ''] ?? 'bad_request';
  if (type === 'overloaded_error') return 'overloaded';
  // The API says 529 when it is overloaded; 503 is that of a proxy.
  return status === 503 ? 'server_error' : kindOfStatus(status);
}

/**
 * Gateways may not know deferred tools. Thinking blocks of newer models are bound to the model, the account and the
 * conversation before them. A changed tool list, a compaction or another model makes the API refuse them with a 400;
 * the request is fine without them.
 */
function refusedPart({ status, text }: VendorError): RefusedPart | undefined {
  if (status !== 400) return undefined;
  if (/defer_loading|tool[_ ]reference/i.test(text)) return 'deferral';
  if (!/thinking/i.test(text)) return undefined;
  return /signature|bound to|thinking`? blocks?|messages\.\d+\.content/i.test(text) ? 'signatures' : 'thinking';
}

/**
 * The API's errors are `Could not process image` and `messages.2.content.0.pdf.source.base64.data: The PDF specified
 * was not valid.`
 */
function refusedMedia({ status, text }: VendorError): MediaRefusal | undefined {
  return status === 400 ? mediaRefusal(text) : undefined;
}

/** The API's error is `tools.3.custom.input_schema: JSON schema is invalid. …` */
function refusedTools({ text }: VendorError, sent: readonly string[]): readonly string[] {
  return toolsAt(text, /\btools\.(\d+)\./g, sent);
}
