import type { EnvironmentAccess } from '../access.ts';
import { asks, type Verdict } from './verdict.ts';

export function judgeVariable({ isPlain }: EnvironmentAccess): Verdict {
  return isPlain ? { kind: 'allow', reason: { code: 'plain_variable' } } : asks({ code: 'secret_variable' }, 'read');
}
