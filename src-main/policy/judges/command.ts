import type { ExecuteAccess } from '../access.ts';
import { wordsOf } from '../rule-matching.ts';
import { unreviewedAround } from './unreviewed.ts';
import { asks, byRule, isUntrusted, type PolicyInput, type Verdict } from './verdict.ts';

export function judgeCommand(input: PolicyInput, access: ExecuteAccess): Verdict {
  const paths = unreviewedAround(input, access);
  if (paths.length > 0) return asks({ code: 'unreviewed_files', paths }, 'execute');
  if (isUntrusted(input)) return asks({ code: 'command_untrusted' }, 'execute');
  if (wordsOf(access) === null) return asks({ code: 'shell_line' }, 'execute');
  return byRule(input, access, 'execute') ?? asks({ code: 'command' }, 'execute', true);
}
