import { providerRemedy, type Remedy } from '../../../src-preload/contract/remedies.ts';
import type { ModelErrorCode } from '../provider.ts';
import type { Vendor } from './service.ts';

/** Claude needs no entry in config.json: its key is set for the vendor. */
const CLAUDE = 'anthropic';
const MODELS = { kind: 'settings', section: 'models' } as const;
/** config.json is in the folder shown there; a base URL is set in it. */
const CONFIG = { kind: 'settings', section: 'data' } as const;

type Place = 'models' | 'billing' | 'status';

const AT_VENDOR: Readonly<Record<ModelErrorCode, Place | undefined>> = {
  no_key: 'models',
  wrong_key: 'models',
  no_permission: 'models',
  no_credit: 'billing',
  unknown_model: 'models',
  rate_limited: undefined,
  overloaded: 'status',
  server_error: 'status',
  offline: undefined,
  no_answer: 'status',
  stream_broken: undefined,
  answer_too_large: undefined,
  context_too_long: undefined,
  request_too_large: undefined,
  bad_request: undefined,
  bad_answer: undefined,
};

/** With another base URL the address itself may be wrong: it is on the provider's page, or Claude's in config.json. */
const MAY_BE_ADDRESS: ReadonlySet<ModelErrorCode> = new Set([
  ...(['unknown_model', 'server_error', 'offline', 'no_answer', 'bad_request', 'bad_answer'] as const),
]);

/**
 * Returns the places where a failure of this kind can be fixed. `isVendors` says that the service is at the vendor's
 * own address.
 */
export function modelRemedies(
  code: ModelErrorCode,
  provider: string,
  { buttons = {} }: Vendor,
  isVendors: boolean,
): readonly Remedy[] {
  const own = provider === CLAUDE ? MODELS : providerRemedy(provider);
  if (!isVendors && MAY_BE_ADDRESS.has(code)) {
    if (own !== MODELS) return [own];
    return code === 'unknown_model' ? [MODELS, CONFIG] : [CONFIG];
  }
  const place = AT_VENDOR[code];
  if (place === undefined) return [];
  if (place === 'models') return [own];
  const page = buttons[place];
  return page === undefined ? [] : [{ kind: 'page', page }];
}
