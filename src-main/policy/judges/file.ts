import type { FileAccess } from '../access.ts';
import { asks, byRule, type PolicyInput, type Verdict } from './verdict.ts';

export function judgeFile(input: PolicyInput, access: FileAccess): Verdict {
  if (access.class === 'read') {
    if (access.isSecret === true) return judgeSecretFile(input, access);
    if (!access.outsideRoots) return { kind: 'allow', reason: { code: 'read_inside' } };
    return byRule(input, access, 'read') ?? asks({ code: 'read_outside', path: access.path }, 'read', true);
  }
  if (access.outsideRoots) return { kind: 'deny', reason: { code: 'write_outside' } };
  return byRule(input, access, 'write') ?? asks({ code: 'write' }, 'write', true);
}

/** Neither rules nor granted folders cover it: each file needs permission once per conversation. */
function judgeSecretFile({ openedSecretFiles }: PolicyInput, { path }: FileAccess): Verdict {
  if (openedSecretFiles.has(path)) return { kind: 'allow', reason: { code: 'secret_file_allowed', path } };
  return asks({ code: 'secret_file', path }, 'read');
}
