import { ModelError } from '../provider.ts';
import { networkCode, type VendorError } from '../transport/error-shape.ts';
import { failureOf } from '../transport/failures.ts';
import { type MediaRefusal, mediaRefusal } from '../transport/media-refusal.ts';
import type { RefusedPart } from '../transport/refused-parts.ts';
import { type FailureContext, type RequestFailure, requestFailed } from '../transport/request-failure.ts';
import { type FailureKind, kindOfStatus, type Service, type Vendor } from '../transport/service.ts';

export const OLLAMA: Vendor = { name: 'Ollama', api: "Ollama's API" };

export function ollamaService(host: string): Service {
  return { vendor: OLLAMA, host, kindOf, refusedPart, refusedMedia, refusedTools: () => [] };
}

function kindOf({ status, text }: VendorError): FailureKind {
  if (/exceeds?.* context (length|window|size)|context (length|window) exceeded/i.test(text)) return 'context_too_long';
  // Ollama answers 500, or with a line in the stream, though the request is at fault.
  if (IMAGE_PROBLEM.test(text)) return 'bad_request';
  if (status === undefined) return 'server_error';
  // Ollama has all these paths, so something else listens there.
  if (status === 404 && !/model/i.test(text)) return 'bad_request';
  return kindOfStatus(status);
}

function refusedPart({ status, text }: VendorError): RefusedPart | undefined {
  if (status !== 400) return undefined;
  if (/does not support thinking|think value/i.test(text)) return 'thinking';
  return /does not support tools/i.test(text) ? 'tools' : undefined;
}

/**
 * Ollama's errors are `this model is missing data required for image input`, `Failed to create new sequence: failed to
 * process inputs: image: unknown format` and `illegal base64 data at input byte 4`, which only images can cause.
 */
const IMAGE_PROBLEM =
  /image input|failed to process inputs|\bimage: |invalid image|only supports one image|illegal base64|support (images?|vision)/i;

function refusedMedia({ text }: VendorError): MediaRefusal | undefined {
  if (!IMAGE_PROBLEM.test(text)) return undefined;
  return mediaRefusal(text) ?? { kinds: ['image'], isOfModel: false };
}

/** Classifies a failure as for any service, but in words that help with a program on the user's own machine. */
export function ollamaFailure(thrown: unknown, context: FailureContext): RequestFailure {
  const { model, service } = context;
  if (networkCode(thrown) === 'ECONNREFUSED') {
    const text = `Ollama is not running at ${service.host}. Start it (open the Ollama app, or run \`ollama serve\`), then try again. If it runs elsewhere, set its base URL in Settings.`;
    return requestFailed(new ModelError('offline', text));
  }
  const failure = failureOf(thrown, context);
  const { code, message } = failure.error;
  if (code === 'unknown_model') {
    const text = `Ollama does not have the model "${model}". Get it with \`ollama pull ${model}\`, or choose one that you have (\`ollama list\`).`;
    return requestFailed(new ModelError('unknown_model', text));
  }
  if (/requires more system memory|out of memory|unable to allocate/i.test(message)) {
    const text = `${model} needs more memory than this machine has free. Choose a smaller model, or a smaller context window (contextTokens of the provider). ${message}`;
    return requestFailed(new ModelError('server_error', text));
  }
  return failure;
}
