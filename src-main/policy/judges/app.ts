import type { AppAccess } from '../access.ts';
import { asks, has, type PolicyInput, type Verdict } from './verdict.ts';

/** A call without accesses stays inside the app if its tool is read-only; otherwise it may do anything its class allows. */
export function judgeUnstated({ asksModel, declaredClass }: PolicyInput): Verdict {
  if (declaredClass === 'read') return { kind: 'allow', reason: { code: 'read_only' } };
  if (declaredClass === 'network' && asksModel) return { kind: 'allow', reason: { code: 'own_model' } };
  return asks({ code: 'effects_unstated' }, declaredClass);
}

export function judgeApp(input: PolicyInput, access: AppAccess): Verdict {
  if (access.class === 'write' && access.memory && has(input, 'untrusted'))
    return asks({ code: 'memory_marked' }, 'write');
  return { kind: 'allow', reason: { code: 'inside_app' } };
}
