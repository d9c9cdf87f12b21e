import { randomUUID } from 'node:crypto';
import { isGrave } from '../../src-preload/contract/consequence.ts';
import { canonicalHash } from '../base/canonical-json.ts';
import type { ConsentAnswer, ToolConsentRequest, ToolGroupConsentRequest } from './consent.ts';

/** Calls with the same value may share a question; `null`: this one is asked about separately. */
export function likenessOf(request: ToolConsentRequest): string | null {
  const { tool, classes, reason, marks, rulesMeet, review, access, consequences } = request;
  // Sending and grave calls are asked about separately.
  if (classes.includes('send') || consequences.some(isGrave)) return null;
  // These have their own answers.
  if (review.length > 0 || reason.code === 'changed_while_asked') return null;
  if (access.some((each) => each.kind === 'command' && (each.withheld ?? []).length > 0)) return null;
  // A question about links of a mail is about one sender.
  const why = reason.code === 'mail_link' ? reason : reason.code;
  return canonicalHash({ tool, classes, why, marks, rulesMeet });
}

/** One question about several calls; `undefined`: there are fewer than two, or they are no longer similar. */
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

/** What a shared answer means for one of them. */
export function answerForCall(answer: ConsentAnswer, index: number): ConsentAnswer {
  if (answer.answer !== 'allow' || answer.scope !== 'once' || answer.calls === undefined) return answer;
  if (!answer.calls.includes(index)) return { answer: 'deny', by: 'user' };
  return { answer: 'allow', scope: 'once', by: answer.by };
}
