import type { VendorError } from '../transport/error-shape.ts';
import { ALL_MEDIA, type MediaRefusal, mediaRefusal } from '../transport/media-refusal.ts';
import type { RefusedPart } from '../transport/refused-parts.ts';
import { toolsAt } from '../transport/refused-tools.ts';
import { type FailureKind, kindOfStatus, type Service, type Vendor } from '../transport/service.ts';

/** The kind of service: all speak one format, in dialects. */
export type Dialect = 'openai' | 'azure' | 'compatible';

const OPENAI: Vendor = {
  name: 'OpenAI',
  api: 'the OpenAI API',
  keyPage: 'https://platform.openai.com/api-keys',
  billingPage: 'https://platform.openai.com/settings/organization/billing/overview',
  statusPage: 'https://status.openai.com',
  buttons: { billing: 'openai-billing', status: 'openai-status' },
};

const AZURE: Vendor = {
  name: 'Azure OpenAI',
  api: 'the Azure OpenAI API',
  keyPage: 'https://ai.azure.com',
  statusPage: 'https://azure.status.microsoft',
};

/** `provider` is the name in config.json. The vendor's key serves only the provider that has the vendor's name. */
export function vendorOf(dialect: Dialect, provider: string): Vendor {
  if (dialect === 'azure') return AZURE;
  if (dialect === 'compatible') return { name: provider, api: 'an OpenAI-compatible API' };
  return provider.toLowerCase() === 'openai' ? { ...OPENAI, keyVariable: 'OPENAI_API_KEY' } : OPENAI;
}

/** Source: https://developers.openai.com/api/docs/guides/error-codes */
export function openAiService(dialect: Dialect, provider: string, host: string): Service {
  const limit = dialect === 'compatible' ? {} : { maxRequestBytes: 50 * 1024 * 1024 };
  return { vendor: vendorOf(dialect, provider), host, ...limit, kindOf, refusedPart, refusedMedia, refusedTools };
}

const KIND_BY_CODE: Readonly<Record<string, FailureKind>> = {
  insufficient_quota: 'no_credit',
  billing_hard_limit_reached: 'no_credit',
  billing_not_active: 'no_credit',
  invalid_api_key: 'wrong_key',
  model_not_found: 'unknown_model',
  DeploymentNotFound: 'unknown_model',
  context_length_exceeded: 'context_too_long',
  rate_limit_exceeded: 'rate_limited',
  server_error: 'server_error',
  server_is_overloaded: 'overloaded',
};

/**
 * The code decides, then the text where services write no code, then the status. An error in the middle of a stream has
 * no status.
 */
function kindOf({ status, type, code, text }: VendorError): FailureKind {
  if (status === undefined || status === 400 || status === 413) {
    if (/context (length|window|size)|maximum context|too many tokens|n_ctx/i.test(text)) return 'context_too_long';
  }
  // One request needs more than the account's tokens per minute, so repeating it would not help.
  if (/request too large/i.test(text)) return 'request_too_large';
  if (/insufficient (balance|credit|quota)/i.test(text)) return 'no_credit';
  const known = KIND_BY_CODE[code ?? ''];
  if (known !== undefined) return known;
  if (status === undefined) return KIND_BY_CODE[type ?? ''] ?? 'bad_request';
  // Groq answers 498 when it is over capacity.
  return status === 498 ? 'overloaded' : kindOfStatus(status);
}

/** Parts that a model, its version or a compatible service may not know; the request is fine without them. */
function refusedPart({ status, code, param, text }: VendorError): RefusedPart | undefined {
  if (status !== undefined && status !== 400 && status !== 422) return undefined;
  const said = `${param ?? ''} ${text}`;
  if (/use \/v1\/responses/i.test(text)) return 'chat';
  if (/tool_search|defer_loading/i.test(said)) return 'deferral';
  if (
    code === 'invalid_encrypted_content' ||
    /encrypted content|without its required (following|preceding) item/i.test(text)
  )
    return /not supported|unsupported/i.test(text) ? 'thinking' : 'signatures';
  if (/reasoning_content|\bphase\b|namespace/i.test(said)) return 'signatures';
  if (/reasoning[._]summary|generate reasoning summaries/i.test(said)) return 'summary';
  if (/reasoning|\bthink/i.test(said)) return 'thinking';
  if (/temperature/i.test(said)) return 'temperature';
  if (/stream_options|include_usage/i.test(said)) return 'usage';
  if (/prompt_cache_key/i.test(said)) return 'cache_key';
  return undefined;
}

/**
 * The service's error is `You uploaded an unsupported image. Please make sure your image has of one the following
 * formats: …` with the code `invalid_image_format`. Services that take only text say it in words of their own:
 * `messages[0].content must be a string`, `not a multimodal model`.
 */
function refusedMedia({ status, code, param, text }: VendorError): MediaRefusal | undefined {
  if (status !== undefined && status !== 400 && status !== 422) return undefined;
  if (/must be a string|multimodal|\bcontent type|unknown variant/i.test(text)) {
    return { kinds: mediaRefusal(`${param ?? ''} ${text}`)?.kinds ?? ALL_MEDIA, isOfModel: true };
  }
  return mediaRefusal(`${code ?? ''} ${param ?? ''} ${text}`);
}

/**
 * The service's error is `Invalid schema for function 'search': In context=(), …`, with the parameter
 * `tools[3].function.parameters`.
 */
function refusedTools({ param, text }: VendorError, sent: readonly string[]): readonly string[] {
  const [, named] = /\bfunction '([^']+)'/.exec(text) ?? [];
  const at = toolsAt(`${param ?? ''} ${text}`, /\btools\[(\d+)\]/g, sent);
  return at.length > 0 ? at : sent.filter((name) => name === named);
}
