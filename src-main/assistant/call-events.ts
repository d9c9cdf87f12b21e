import type { EventOf, Mark } from '../../src-preload/contract/events.ts';
import { isRecord } from '../base/json.ts';
import { type Access, type CallEffects, type FileAccess, isForUser } from '../policy/access.ts';
import { feedbackText } from '../policy/asked-call.ts';
import type { Authorization } from '../policy/gate.ts';
import type { Denied } from '../policy/gate-call.ts';
import type { Tool, ToolFailure, ToolInput, ToolResult } from '../tools/contract.ts';
import { InvalidArguments } from '../tools/invalid-arguments.ts';

export function decisionEvent(id: string, authorization: Authorization<CallEffects>): EventOf<'decision'> {
  const { answer, by, reason, ruleId } = authorization;
  const rule = ruleId === undefined ? {} : { ruleId };
  if (answer === 'allow') return { type: 'decision', id, answer, by, reason, ...rule, classes: authorization.classes };
  const { said } = authorization;
  return { type: 'decision', id, answer, by, reason, ...rule, ...(said === undefined ? {} : { said }) };
}

/** The reason why a call is impossible may reveal what is in the roots, such as a missing file or text. */
export function marksOfAssessing({ name, access }: Tool, { cause }: ToolFailure): readonly Mark[] {
  const looksAtRoots = access === 'read' || access === 'write' || access === 'execute';
  if (cause instanceof InvalidArguments) return [];
  return looksAtRoots ? [{ kind: 'private', source: `what ${name} looked at` }] : [];
}

/**
 * The accesses of which the result may contain something. An error may of any: it can say why something could not be
 * shown to the user.
 */
export function reachedBy(result: ToolResult, access: readonly Access[]): readonly Access[] {
  const { isError, isAccountUnreached } = result;
  const missing = missingFile(result, access);
  if (missing !== undefined) return [{ ...missing, isForUser: true }];
  return access.filter((each) => {
    if (each.kind === 'command') return isError || !isForUser(each);
    return !(isAccountUnreached === true && each.kind === 'account');
  });
}

/** The paths of the files that an allowed call reads. */
export function filesReadBy(access: readonly Access[]): readonly string[] {
  return access.flatMap((each) => (each.kind === 'file' && each.class === 'read' ? [each.path] : []));
}

/** The accesses whose text the model may have learned. An error may quote what is only for the user. */
export function textsReadBy(result: ToolResult, access: readonly Access[]): readonly Access[] {
  if (result.isError && missingFile(result, access) === undefined) return access;
  return reachedBy(result, access).filter((each) => !isForUser(each));
}

/**
 * The file that the call was to read, if it does not exist. The model learns that, which is private, but nothing of a
 * file, a secret or a text from outside. A call that touches more may have read the rest of it.
 */
function missingFile({ isError, isNothingThere }: ToolResult, access: readonly Access[]): FileAccess | undefined {
  const [only, ...more] = access;
  const isMissing = isError && isNothingThere === true && more.length === 0;
  return isMissing && only?.kind === 'file' && only.class === 'read' ? only : undefined;
}

/** A call's own answer is kept; the user's feedback follows it. */
export function declinedText({ text, said }: Denied, own: string | undefined): string {
  if (own === undefined) return text;
  return said === undefined ? own : `${own}\n${feedbackText(said)}`;
}

export function asRecord(input: unknown): ToolInput {
  return isRecord(input) ? { ...input } : {};
}
