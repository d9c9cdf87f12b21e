import type { VendorPage } from '../../../src-preload/contract/settings.ts';
import { ModelError } from '../provider.ts';
import type { ProviderOptions } from '../provider-options.ts';
import type { VendorError } from './error-shape.ts';
import type { MediaRefusal } from './media-refusal.ts';
import type { RefusedPart } from './refused-parts.ts';

/** The company behind a service, for texts and for where a user can fix a failure. */
export interface Vendor {
  /**
   * The vendor's name, such as `Anthropic`. For a service that speaks a vendor's format, it is the name in config.json.
   */
  readonly name: string;
  /** The API's name within a sentence: `the Messages API`. */
  readonly api: string;
  /** The environment variable of its key, if there is one. */
  readonly keyVariable?: string;
  /** The page where keys are made. */
  readonly keyPage?: string;
  readonly billingPage?: string;
  readonly statusPage?: string;
  /** The same pages as buttons. */
  readonly buttons?: { readonly billing?: VendorPage; readonly status?: VendorPage };
}

/** What a service reports with an error. */
export type FailureKind =
  | 'no_credit'
  | 'wrong_key'
  | 'no_permission'
  | 'unknown_model'
  | 'request_too_large'
  | 'context_too_long'
  | 'rate_limited'
  | 'overloaded'
  | 'server_error'
  | 'bad_request';

/** One service at one address. */
export interface Service {
  readonly vendor: Vendor;
  /** The host as messages name it: `api.anthropic.com`. */
  readonly host: string;
  /** The most bytes of a request; a larger one is not sent. Absent if no limit is known. */
  readonly maxRequestBytes?: number;
  readonly kindOf: (error: VendorError) => FailureKind;
  /** Names the part that the service rejects of a request that it would accept without it. */
  readonly refusedPart: (error: VendorError) => RefusedPart | undefined;
  /** Says which files the service rejects, if the error is about files. */
  readonly refusedMedia: (error: VendorError) => MediaRefusal | undefined;
  /** Returns the names of the tools that the service rejects; `sent` has the names of those sent, in order. */
  readonly refusedTools: (error: VendorError, sent: readonly string[]) => readonly string[];
}

const KIND_BY_STATUS: Readonly<Record<number, FailureKind>> = {
  401: 'wrong_key',
  402: 'no_credit',
  403: 'no_permission',
  404: 'unknown_model',
  413: 'request_too_large',
  429: 'rate_limited',
  503: 'overloaded',
  529: 'overloaded',
};

/** What an HTTP status means where nothing else tells. */
export function kindOfStatus(status: number): FailureKind {
  return KIND_BY_STATUS[status] ?? (status >= 500 ? 'server_error' : 'bad_request');
}

/** Puts the limit into words for messages: ` (limit 32 MB)`. */
export function limitText(maxRequestBytes: number | undefined): string {
  return maxRequestBytes === undefined ? '' : ` (limit ${Math.round(maxRequestBytes / 1024 / 1024)} MB)`;
}

export interface Endpoint {
  /** The address, without a slash at its end. */
  readonly url: string;
  readonly host: string;
}

/**
 * Throws `ModelError` if `baseUrl` is not a plain http or https address. `setIn` names the place where a user set it.
 */
export function endpointOf(baseUrl: string, provider: string, setIn: string): Endpoint {
  const url = baseUrl.trim().replace(/(?<!\/)\/+$/, '');
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.password !== '') {
    throw new ModelError(
      'bad_request',
      `The base URL of the provider "${provider}" is not a plain http or https address. Correct it in ${setIn}.`,
    );
  }
  return { url, host: parsed.host };
}

/** Returns where a request goes and with which key. Both are read before each request. Throws `ModelError`. */
export async function accessOf(
  { baseUrl, needsKey, apiKey }: Pick<ProviderOptions, 'baseUrl' | 'needsKey' | 'apiKey'>,
  { provider, vendor, setIn }: { readonly provider: string; readonly vendor: Vendor; readonly setIn: string },
): Promise<{ readonly endpoint: Endpoint; readonly key: string | undefined }> {
  const endpoint = endpointOf(baseUrl, provider, setIn);
  const given = await apiKey();
  return { endpoint, key: needsKey || given?.trim() ? usableKey(given, vendor) : undefined };
}

/** Returns the key as it is sent. Throws `ModelError`. */
export function usableKey(key: string | undefined, vendor: Vendor): string {
  const trimmed = key?.trim();
  if (!trimmed) throw new ModelError('no_key', noKeyText(vendor));
  if (!/^[\x21-\x7e]+$/.test(trimmed)) throw new ModelError('wrong_key', unusableKeyText(vendor));
  return trimmed;
}

function noKeyText({ name, keyVariable, keyPage }: Vendor): string {
  const variable = keyVariable === undefined ? '' : `, or set ${keyVariable} and start again`;
  const made = keyPage === undefined ? '' : ` (keys are made at ${keyPage})`;
  return `No ${name} API key is set. Add one in Settings${variable}${made}.`;
}

function unusableKeyText({ name, keyVariable }: Vendor): string {
  const places = keyVariable === undefined ? 'Settings' : `Settings or ${keyVariable}`;
  return (
    `The ${name} API key contains characters that keys never have (spaces, line breaks or quotes). ` +
    `Copy it again into ${places}.`
  );
}
