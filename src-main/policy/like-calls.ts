import { randomUUID } from 'node:crypto';
import { isGrave } from '../../src-preload/contract/consequence.ts';
import { canonicalHash } from '../base/canonical-json.ts';
import type { ConsentAnswer, ToolConsentRequest, ToolGroupConsentRequest } from './consent.ts';

/** Calls with the same value may share a question. Null means that this call is asked about separately. */
export function likenessOf(request: ToolConsentRequest): string | null {
  const { tool, classes, reason, marks, rulesMeet, review, access, consequences } = request;
  // Sending and grave calls are asked about separately, so that none of them is ticked along with ten harmless ones.
  if (classes.includes('send') || consequences.some(isGrave)) return null;
  // These calls have answers of their own, which a shared question couldn't offer.
  if (review.length > 0 || reason.code === 'changed_while_asked') return null;
  if (access.some((each) => each.kind === 'command' && (each.withheld ?? []).length > 0)) return null;
  // The links of mails are asked about by sender, so the senders have to be the same too.
  const why = reason.code === 'mail_link' ? reason : reason.code;
  return canonicalHash({ tool, classes, why, marks, rulesMeet });
}

/** One question about several calls. Undefined if there are fewer than two, or if they are no longer similar. */
export function groupOf(
  calls: readonly ToolConsentRequest[],
  conversationId: string | null,
): ToolGroupConsentRequest | undefined {
  const [first] = calls;
  if (first === undefined || calls.length < 2) return undefined;
  const likeness = likenessOf(first);
  if (likeness === null || calls.some((call) => likenessOf(call) !== likeness)) return undefined;
  const offered = canonicalHash(first.offers);
  const offers = calls.every((call) => canonicalHash(call.offers) === offered) ? first.offers : [];
  const reasons = [...new Map(calls.map((call) => [canonicalHash(call.reason), call.reason])).values()];
  const reason = reasons.length === 1 ? first.reason : ({ code: 'all_of', reasons } as const);
  return { kind: 'tools', id: randomUUID(), reason, tool: first.tool, calls, offers, conversationId };
}

/** The meaning of a shared answer for one of the calls. */
export function answerForCall(answer: ConsentAnswer, index: number): ConsentAnswer {
  if (answer.answer !== 'allow' || answer.scope !== 'once' || answer.calls === undefined) return answer;
  if (!answer.calls.includes(index)) return { answer: 'deny', by: 'user' };
  return { answer: 'allow', scope: 'once', by: answer.by };
}
