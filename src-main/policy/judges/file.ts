import type { FileAccess } from '../access.ts';
import { asks, byRule, type PolicyInput, type Verdict } from './verdict.ts';

export function judgeFile(input: PolicyInput, access: FileAccess): Verdict {
  if (access.class === 'read') {
    // No rule answers for it, and no folder that was granted.
    if (access.isSecret === true && !input.openedSecretFiles.has(access.path))
      return asks({ code: 'secret_file', path: access.path }, 'read');
    if (access.isSecret === true && access.outsideRoots !== true)
      return { kind: 'allow', reason: { code: 'secret_file_allowed', path: access.path } };
    if (access.outsideRoots !== true) return { kind: 'allow', reason: { code: 'read_inside' } };
    return byRule(input, access, 'read') ?? asks({ code: 'read_outside', path: access.path }, 'read', true);
  }
  if (access.outsideRoots === true) return { kind: 'deny', reason: { code: 'write_outside' } };
  return byRule(input, access, 'write') ?? asks({ code: 'write' }, 'write', true);
}
