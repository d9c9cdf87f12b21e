import type { EventOf, Mark } from '../../src-preload/contract/events.ts';
import { isRecord } from '../base/json.ts';
import type { CallEffects } from '../policy/access.ts';
import type { Authorization } from '../policy/gate.ts';
import type { Denied } from '../policy/gate-call.ts';
import type { Tool, ToolInput } from '../tools/contract.ts';

export function decisionEvent(id: string, authorization: Authorization<CallEffects>): EventOf<'decision'> {
  const { answer, by, reason, ruleId } = authorization;
  const rule = ruleId === undefined ? {} : { ruleId };
  const classes = answer === 'allow' ? { classes: authorization.classes } : {};
  return { type: 'decision', id, answer, by, reason, ...rule, ...classes };
}

/** The reason why a call is impossible may reveal what is in the roots, such as a missing file or text. */
export function marksOfAssessing({ name, access }: Tool): readonly Mark[] {
  const looksAtRoots = access === 'read' || access === 'write' || access === 'execute';
  return looksAtRoots ? [{ kind: 'private', source: `what ${name} looked at` }] : [];
}

/** A call's own answer is kept; the person's feedback follows it. */
export function declinedText({ text, said }: Denied, own: string | undefined): string {
  if (own === undefined) return text;
  return said === undefined ? own : `${own}\n${said}`;
}

export function asRecord(input: unknown): ToolInput {
  return isRecord(input) ? { ...input } : {};
}
