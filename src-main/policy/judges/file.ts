import type { FileAccess } from '../access.ts';
import { asks, byRule, type PolicyInput, type Verdict } from './verdict.ts';

export function judgeFile(input: PolicyInput, access: FileAccess): Verdict {
  if (access.class === 'read') {
    if (access.outsideRoots !== true) return { kind: 'allow', reason: { code: 'read_inside' } };
    return byRule(input, access, 'read') ?? asks({ code: 'read_outside', path: access.path }, 'read', true);
  }
  if (access.outsideRoots === true) return { kind: 'deny', reason: { code: 'write_outside' } };
  return byRule(input, access, 'write') ?? asks({ code: 'write' }, 'write', true);
}
