import type { ExecuteAccess } from '../access.ts';
import { wordsOf } from '../rule-matching.ts';
import { asks, byRule, has, type PolicyInput, type Verdict } from './verdict.ts';

export function judgeCommand(input: PolicyInput, access: ExecuteAccess): Verdict {
  if (has(input, 'untrusted')) return asks({ code: 'command_untrusted' }, 'execute');
  if (wordsOf(access) === null) return asks({ code: 'shell_line' }, 'execute');
  return byRule(input, access, 'execute') ?? asks({ code: 'command' }, 'execute', true);
}
