import type { NetworkAccess } from '../../network/network-access.ts';
import { hostOf } from '../effective-access.ts';
import { asks, byRule, isMarkedBoth, type PolicyInput, type Verdict } from './verdict.ts';

export function judgeNetwork(
  input: PolicyInput,
  access: NetworkAccess,
  effective: 'network' | 'network-private',
): Verdict {
  const host = hostOf(access);
  const rule = byRule(input, access, effective);
  if (effective === 'network-private') return rule ?? asks({ code: 'private_network' }, effective, true);
  if (!isMarkedBoth(input) || input.namedHosts.has(host) || input.allowedHosts.has(host)) {
    return { kind: 'allow', reason: { code: input.asksModel ? 'own_model' : 'public_address' } };
  }
  return rule ?? asks({ code: 'address_not_named', address: host || access.url }, 'network', true);
}
