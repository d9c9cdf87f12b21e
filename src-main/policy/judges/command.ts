import type { ExecuteAccess } from '../access.ts';
import { wordsOf } from '../rule-matching.ts';
import { asks, byRule, type PolicyInput, type Verdict } from './verdict.ts';

export function judgeCommand(input: PolicyInput, access: ExecuteAccess): Verdict {
  if (input.marks.some((mark) => mark.kind === 'untrusted')) return asks({ code: 'command_untrusted' }, 'execute');
  if (wordsOf(access) === null) return asks({ code: 'shell_line' }, 'execute');
  return byRule(input, access, 'execute') ?? asks({ code: 'command' }, 'execute', true);
}
