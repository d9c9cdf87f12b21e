import { shortened } from '../../base/text.ts';

/** The SDK's errors, read by shape, so that the SDK itself is loaded only when a request is made. */
export interface VendorError {
  /** Absent for an error in the middle of a stream. */
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  /** `error.type` of the response body. */
  readonly type: string | undefined;
  /** `error.message` of the response body, or its plain text, without secrets. */
  readonly text: string;
}

export function vendorErrorOf(thrown: unknown, key: string | undefined): VendorError {
  const { status, headers, error, message } = record(thrown);
  const vendor = record(record(error).error);
  const type = vendor.type;
  const isStatus = typeof status === 'number';
  const words =
    typeof vendor.message === 'string'
      ? vendor.message
      : isStatus && typeof message === 'string'
        ? plainText(message)
        : '';
  return {
    status: isStatus ? status : undefined,
    headers: headers instanceof Headers ? headers : undefined,
    type: typeof type === 'string' ? type : undefined,
    text: shortened(withoutSecrets(words, key), MAX_QUOTED_CHARACTERS),
  };
}

/** For proxies' error pages: the text without the markup. */
function plainText(message: string): string {
  return message
    .slice(0, 20_000)
    .replace(/<(style|script|head)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const MAX_QUOTED_CHARACTERS = 500;

/** Node hides the reason two or three causes deep, and in `errors` if several addresses were tried. */
export function networkCode(thrown: unknown): string | undefined {
  let current: unknown = thrown;
  for (let depth = 0; depth < 6 && typeof current === 'object' && current !== null; depth++) {
    const { code, errors, cause } = record(current);
    if (typeof code === 'string') return code;
    current = Array.isArray(errors) && errors.length > 0 ? errors[0] : cause;
  }
  return undefined;
}

function record(value: unknown): Readonly<Record<string, unknown>> {
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
    errors: Reflect.get(value, 'errors'),
    cause: Reflect.get(value, 'cause'),
  };
}

/** Removes the key in use, and anything that looks like one, from a text. Servers and proxies sometimes echo them. */
export function withoutSecrets(text: string, key: string | undefined): string {
  let clean = text;
  if (key !== undefined && key.length >= 6) clean = clean.replaceAll(key, '[key]');
  return clean
    .replace(/sk-ant-[\w-]+/gi, 'sk-ant-[key]')
    .replace(/\b(bearer|x-api-key:?)\s+[\w.~+/=-]{6,}/gi, '$1 [key]')
    .replace(/\/\/[^\s/@]+@/g, '//');
}
