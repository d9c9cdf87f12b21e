import type { CardPart, ConsentCard } from '../../../src-preload/contract/consent.ts';
import { decisionReasonText } from '../../../src-preload/contract/decision-reason.ts';
import { markText } from '../../../src-preload/contract/mark-text.ts';
import { undoRefusalText } from '../../../src-preload/contract/undo-refusal.ts';
import { visible, visibleLines } from '../../base/text.ts';
import { describeAccess } from '../../policy/access-text.ts';
import type { DiffPreview } from '../../policy/diff-preview.ts';
import { LineDiffs } from '../../policy/line-diff.ts';
import type { ConsentQuestion } from '../../policy/question/consent-question.ts';
import {
  cautionText,
  type NamedText,
  partTitle,
  type QuestionPart,
  STANDING_TITLE,
} from '../../policy/question/question-parts.ts';

/** The question as the window draws it, with every character that hides or reorders text made visible. */
export async function consentCard(question: ConsentQuestion, conversationTitle: string | null): Promise<ConsentCard> {
  const { id, kind, title, reason, tool, offers, takesWord, isAddress, reviews } = question;
  const { mayPassVariables, mayStopAsking = false } = question;
  const diffs = new LineDiffs();
  const parts: CardPart[] = [];
  for (const part of question.parts) if (!isEmpty(part)) parts.push(await cardPart(part, diffs));
  return {
    ...{ id, kind, parts, mayPassVariables, takesWord, mayStopAsking, reviews },
    ...(isAddress === undefined ? {} : { isAddress }),
    title: visible(title),
    reason: visibleLines(decisionReasonText(reason)),
    tool: tool === null ? null : visible(tool),
    offers: offers.map(({ rule, keepFor }) => ({ label: visible(rule.label), keepFor })),
    conversationTitle: conversationTitle === null ? null : visible(conversationTitle),
  };
}

function isEmpty(part: QuestionPart): boolean {
  return part.kind === 'arguments' && part.values.length === 0;
}

async function cardPart(part: QuestionPart, diffs: LineDiffs): Promise<CardPart> {
  const title = visible(partTitle(part));
  switch (part.kind) {
    case 'read':
      return { kind: 'read', title, sources: part.marks.map((mark) => visible(markText(mark))) };
    case 'touches': {
      const accesses = part.accesses.map((each) => ({
        class: each.class,
        text: visibleLines(describeAccess(each)),
      }));
      return { kind: 'touches', title, accesses };
    }
    case 'command':
      return { kind: 'command', title, line: visibleLines(part.line), directory: visible(part.directory) };
    case 'withheld':
      return { kind: 'withheld', title, names: part.names.map(visible) };
    case 'diff':
      return diffPart(title, part, diffs);
    case 'unreviewed':
      return diffPart(title, part.change, diffs);
    case 'caution':
      return { kind: 'text', title, text: cautionText(part.code) };
    case 'text':
      return { kind: 'text', title, text: visibleLines(part.text) };
    case 'arguments':
      return { kind: 'arguments', title, values: part.values.map(shown) };
    case 'value': {
      const standing = part.standing === null ? null : { title: STANDING_TITLE, text: visibleLines(part.standing) };
      return { kind: 'value', title, ...shown(part), standing };
    }
    case 'stays': {
      const lines = part.refused.map(({ path, reason }) => visible(`${path}: ${undoRefusalText(reason)}`));
      return { kind: 'text', title, text: lines.join('\n') };
    }
  }
}

async function diffPart(title: string, change: DiffPreview, diffs: LineDiffs): Promise<CardPart> {
  const lines = (await diffs.of(change)).map(({ kind, text }) => ({ kind, text: visible(text) }));
  const note = change.note === undefined ? null : visible(change.note);
  return { kind: 'diff', title, path: visible(change.path), note, lines };
}

function shown({ name, text }: NamedText): NamedText {
  return { name: visible(name), text: visibleLines(text) };
}
