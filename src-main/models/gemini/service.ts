import type { VendorError } from '../transport/error-shape.ts';
import { ALL_MEDIA, type MediaRefusal, mediaRefusal } from '../transport/media-refusal.ts';
import type { RefusedPart } from '../transport/refused-parts.ts';
import { toolsAt } from '../transport/refused-tools.ts';
import { type FailureKind, kindOfStatus, type Service, type Vendor } from '../transport/service.ts';

export const GOOGLE: Vendor = {
  name: 'Google',
  api: 'the Gemini API',
  keyVariable: 'GEMINI_API_KEY',
  keyPage: 'https://aistudio.google.com/apikey',
  billingPage: 'https://aistudio.google.com/usage',
  statusPage: 'https://aistudio.google.com/status',
};

/**
 * Source: https://ai.google.dev/gemini-api/docs/troubleshooting. Inline parts count towards the size of a request:
 * …/docs/file-input-methods
 */
export function geminiService(host: string): Service {
  return { vendor: GOOGLE, host, maxRequestBytes: 100 * 1024 * 1024, kindOf, refusedPart, refusedMedia, refusedTools };
}

/** Here `type` is Google's status (`INVALID_ARGUMENT`), and `code` is the reason in its details (`API_KEY_INVALID`). */
function kindOf({ status = 0, type, code, text }: VendorError): FailureKind {
  if (code === 'API_KEY_INVALID' || code === 'API_KEY_EXPIRED' || /API key (not valid|expired)/i.test(text))
    return 'wrong_key';
  // If the service does not know the key, it speaks of unregistered callers and answers 403.
  if (status === 403 && /unregistered callers|API key was reported as leaked/i.test(text)) return 'wrong_key';
  if (/(credits? (are|is) depleted|billing account .* (disabled|closed)|enable billing)/i.test(text))
    return 'no_credit';
  if (type === 'FAILED_PRECONDITION') return 'no_permission';
  if (status === 400 && /exceeds the maximum number of tokens|token count .* exceeds/i.test(text))
    return 'context_too_long';
  if (status === 400 && /payload size exceeds/i.test(text)) return 'request_too_large';
  if (type === 'RESOURCE_EXHAUSTED') return 'rate_limited';
  if (type === 'UNAVAILABLE') return 'overloaded';
  return kindOfStatus(status);
}

/**
 * The service's errors are `Function call is missing a thought_signature`, `Corrupted thought signature` and `Thinking
 * level is not supported for this model.`
 */
function refusedPart({ status, text }: VendorError): RefusedPart | undefined {
  if (status !== 400) return undefined;
  if (/thought[ _]?signature/i.test(text)) return 'signatures';
  return /thinking|includeThoughts|include_thoughts/i.test(text) ? 'thinking' : undefined;
}

/**
 * The service's errors are `Unable to process input image. Please retry or report in …`, `Provided image is not
 * valid.`, `The document has no pages.`, `Unsupported MIME type: application/pdf`, `Image input modality is not enabled
 * for models/…`, or one that names a place in the request: `Invalid value at 'contents[0].parts[2].inline_data.data'`.
 */
function refusedMedia({ status, text }: VendorError): MediaRefusal | undefined {
  if (status !== 400 || /function_?declarations/i.test(text)) return undefined;
  return mediaRefusal(text) ?? (/inline_?data/i.test(text) ? { kinds: ALL_MEDIA, isOfModel: false } : undefined);
}

/**
 * The service's error is `GenerateContentRequest.tools[0].function_declarations[3].parameters.properties[a].items:
 * missing field.`
 */
function refusedTools({ text }: VendorError, sent: readonly string[]): readonly string[] {
  return toolsAt(text, /\bfunction_?declarations\[(\d+)\]/gi, sent);
}
