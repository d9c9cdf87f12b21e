import type { AppAccess, FileAccess, VariableAccess } from '../access.ts';
import { asks, byRule, has, type PolicyInput, type Verdict } from './verdict.ts';

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

export function judgeVariable({ isPlain }: VariableAccess): Verdict {
  return isPlain ? { kind: 'allow', reason: { code: 'plain_variable' } } : asks({ code: 'secret_variable' }, 'read');
}

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
