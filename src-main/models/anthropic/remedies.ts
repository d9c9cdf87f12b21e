import type { Remedy } from '../../../src-preload/contract/remedies.ts';
import type { ModelErrorCode } from '../provider.ts';

const MODELS = { kind: 'settings', section: 'models' } as const;
/** config.json is in the folder shown there; a base URL is set in it. */
const CONFIG = { kind: 'settings', section: 'data' } as const;
const BILLING = { kind: 'page', page: 'anthropic-billing' } as const;
const STATUS = { kind: 'page', page: 'anthropic-status' } as const;

const OF_VENDOR: Readonly<Record<ModelErrorCode, readonly Remedy[]>> = {
  no_key: [MODELS],
  wrong_key: [MODELS],
  no_permission: [MODELS],
  no_credit: [BILLING],
  unknown_model: [MODELS],
  rate_limited: [],
  overloaded: [STATUS],
  server_error: [STATUS],
  offline: [],
  no_answer: [STATUS],
  stream_broken: [],
  answer_too_large: [],
  context_too_long: [],
  request_too_large: [],
  bad_request: [],
  bad_answer: [],
};

/** With another base URL the address itself may be wrong. */
const ELSEWHERE: Readonly<Partial<Record<ModelErrorCode, readonly Remedy[]>>> = {
  unknown_model: [MODELS, CONFIG],
  server_error: [CONFIG],
  offline: [CONFIG],
  no_answer: [CONFIG],
  bad_request: [CONFIG],
  bad_answer: [CONFIG],
};

/** Where a failure of this kind can be fixed. */
export function anthropicRemedies(code: ModelErrorCode, isVendors: boolean): readonly Remedy[] {
  return (isVendors ? undefined : ELSEWHERE[code]) ?? OF_VENDOR[code];
}
