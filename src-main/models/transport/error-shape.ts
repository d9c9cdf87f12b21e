import { parsedJson } from '../../base/json.ts';
import { shortened } from '../../base/text.ts';
import { redactSecrets } from '../../secrets/redaction.ts';
import { text } from './answer-fields.ts';

/** An error that a service reported to us or to an SDK. Errors of SDKs are read by their shape. */
export interface VendorError {
  /** Absent for an error in the middle of a stream. */
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  /** `error.type` of the response body, which Anthropic's errors always have. */
  readonly type: string | undefined;
  /** `error.code`, where the service has one. */
  readonly code: string | undefined;
  /** `error.param`, the parameter that the error is about. */
  readonly param: string | undefined;
  /** `error.message` of the response body, or its plain text if it has none. Secrets are removed. */
  readonly text: string;
}

/** An error that a service reported, in the shape in which SDKs throw theirs. */
export class ReportedError extends Error {
  override readonly name = 'ReportedError';
  /** Has `message`, and `type` or `code`; or has an `error` that has these, or is a text. */
  readonly error: unknown;
  readonly status: number | undefined;
  readonly headers: Headers | undefined;

  /** `response` is absent for an error in the middle of a stream. `text` is the body of an answer that is no JSON. */
  constructor(error: unknown, response?: Pick<ReportedError, 'status' | 'headers'>, text = '') {
    super(text);
    this.error = error;
    this.status = response?.status;
    this.headers = response?.headers;
  }
}

/** Returns the answer to a request. Throws `ReportedError` if the service refuses it. */
export async function accepted(request: Promise<Response>): Promise<Response> {
  const response = await request;
  if (response.ok) return response;
  const body = await response.text();
  throw new ReportedError(parsedJson(body), response, body);
}

export function vendorErrorOf(thrown: unknown, key: string | undefined): VendorError {
  const { status, headers, error, message } = errorFields(thrown);
  // Anthropic's SDK keeps the whole body, OpenAI's only its `error`.
  const body = errorFields(error);
  const vendor = body.error === undefined ? body : errorFields(body.error);
  const isStatus = typeof status === 'number';
  // OpenRouter and Google state the HTTP status in these fields, also in the middle of a stream.
  const stated = [vendor.code, vendor.status].find(isErrorStatus);
  const otherWords = isStatus && typeof message === 'string' ? plainText(message) : '';
  const words = text(vendor.message) ?? text(body.error) ?? otherWords;
  return {
    status: isStatus ? status : stated,
    headers: headers instanceof Headers ? headers : undefined,
    type: text(vendor.type),
    code: text(vendor.code),
    param: text(vendor.param),
    text: shortened(withoutSecrets(words, key), MAX_QUOTED_CHARACTERS),
  };
}

function isErrorStatus(value: unknown): value is number {
  return typeof value === 'number' && value >= 400 && value < 600;
}

/** Returns the text without markup, because proxies answer with error pages. */
function plainText(message: string): string {
  return message
    .slice(0, 20_000)
    .replace(/<(style|script|head)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const MAX_QUOTED_CHARACTERS = 500;

/**
 * The error for a port that `fetch` never connects to (https://fetch.spec.whatwg.org/#port-blocking); undici says it in
 * words only.
 */
export const FORBIDDEN_PORT = 'bad port';

/** Node hides the reason two or three causes deep, and in `errors` if several addresses were tried. */
export function networkCode(thrown: unknown): string | undefined {
  let current: unknown = thrown;
  for (let depth = 0; depth < 6 && typeof current === 'object' && current !== null; depth++) {
    const { code, errors, cause, message } = errorFields(current);
    if (typeof code === 'string') return code;
    if (message === FORBIDDEN_PORT) return FORBIDDEN_PORT;
    current = Array.isArray(errors) && errors.length > 0 ? errors[0] : cause;
  }
  return undefined;
}

function errorFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...pick(value) } : {};
}

/** Errors keep `message` and `cause` as own properties, or inherit them; both are read here. */
function pick(value: object): Record<string, unknown> {
  return {
    status: Reflect.get(value, 'status'),
    headers: Reflect.get(value, 'headers'),
    error: Reflect.get(value, 'error'),
    message: Reflect.get(value, 'message'),
    type: Reflect.get(value, 'type'),
    code: Reflect.get(value, 'code'),
    param: Reflect.get(value, 'param'),
    errors: Reflect.get(value, 'errors'),
    cause: Reflect.get(value, 'cause'),
  };
}

/** Removes the key in use, and anything that looks like one, from a text. Servers and proxies sometimes echo them. */
export function withoutSecrets(text: string, key: string | undefined): string {
  return redactSecrets(text, key === undefined ? [] : [key]).replace(/\/\/[^\s/@]+@/g, '//');
}
