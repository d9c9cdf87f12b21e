import type { CardPart, ConsentCard } from '../../../src-preload/contract/consent.ts';
import { decisionReasonText } from '../../../src-preload/contract/decision-reason.ts';
import { visible, visibleLines } from '../../base/visible-text.ts';
import type { Access } from '../../policy/access.ts';
import { commandLine, describeAccess } from '../../policy/access-text.ts';
import { askedReason, type ConsentRequest, type GrantConsentRequest } from '../../policy/consent.ts';
import type { ComparedPreview, ComparedQuestion } from '../../policy/line-diff.ts';
import { valueText } from '../../policy/value-text.ts';
import { toolQuestion } from './consent-title.ts';

export interface CardLayout {
  readonly question: ComparedQuestion;
  readonly title: string;
  readonly conversationTitle: string | null;
}

export function cardTitle(request: ConsentRequest): string {
  if (request.kind === 'tool') return toolQuestion(request);
  if (request.kind === 'grant') return GRANT_TITLES[request.subject];
  return request.subject === 'turn' ? 'Undo this turn?' : 'Undo this change?';
}

/** The question as it is drawn: complete, and with every character that hides or reorders text made visible. */
export function consentCard({ question: request, title, conversationTitle }: CardLayout): ConsentCard {
  const shared = { id: request.id, title, reason: visibleLines(decisionReasonText(askedReason(request))) };
  if (request.kind === 'grant') {
    return {
      ...shared,
      kind: 'grant',
      tool: null,
      parts: grantParts(request),
      marks: [],
      offers: [],
      conversationTitle: null,
    };
  }
  if (request.kind === 'undo') {
    return {
      ...shared,
      kind: 'undo',
      tool: null,
      parts: undoParts(request),
      marks: [],
      offers: [],
      conversationTitle: shownTitle(conversationTitle),
    };
  }
  return {
    ...shared,
    kind: 'tool',
    tool: visible(request.tool),
    parts: toolParts(request),
    marks: [...new Set(request.marks.map(({ kind, source }) => `${visible(source)} (${MARK_NOTES[kind]})`))],
    offers: request.offers.map(({ label }) => visible(label)),
    conversationTitle: shownTitle(conversationTitle),
  };
}

function shownTitle(conversationTitle: string | null): string | null {
  return conversationTitle === null ? null : visible(conversationTitle);
}

const MARK_NOTES = { untrusted: 'from outside', private: 'private' } as const;

const GRANT_TITLES: Readonly<Record<GrantConsentRequest['subject'], string>> = {
  workspace: 'Work in this folder?',
  folder: 'Grant this folder?',
  endpoint: 'Use this address?',
  provider: 'Use this model provider?',
  'mcp-server': 'Use this server?',
  rule: 'Keep this rule?',
  tool: 'Switch this tool on?',
  key: 'Use this key?',
};

function grantParts({ key, value, previous }: GrantConsentRequest): CardPart[] {
  const parts: CardPart[] = [argument(key, value)];
  if (previous !== undefined) parts.push({ kind: 'text', title: 'Now it is', text: visibleLines(valueText(previous)) });
  return parts;
}

function toolParts({ input, access, previews }: Extract<ComparedQuestion, { kind: 'tool' }>): CardPart[] {
  const parts: CardPart[] = access.map(accessPart);
  // The access says the command line and its folder already.
  const isCommandSaid = access.some((each) => each.class === 'execute');
  for (const preview of previews) if (preview.kind !== 'command' || !isCommandSaid) parts.push(previewPart(preview));
  for (const [name, value] of Object.entries(input)) parts.push(argument(name, value));
  return parts;
}

function undoParts({ previews, refused }: Extract<ComparedQuestion, { kind: 'undo' }>): CardPart[] {
  const parts: CardPart[] = [];
  for (const preview of previews) parts.push(previewPart(preview));
  const text = refused.map(({ path, reason }) => visible(`${path}: ${reason}`)).join('\n');
  if (refused.length > 0) parts.push({ kind: 'text', title: 'What stays as it is', text });
  return parts;
}

function accessPart(access: Access): CardPart {
  if (access.class !== 'execute')
    return { kind: 'access', class: access.class, text: visibleLines(describeAccess(access)) };
  const line = visibleLines(commandLine(access.command));
  return { kind: 'command', line, directory: visible(access.directory) };
}

function previewPart(preview: ComparedPreview): CardPart {
  switch (preview.kind) {
    case 'diff':
      return {
        kind: 'diff',
        path: visible(preview.path),
        note: preview.note === undefined ? null : visible(preview.note),
        lines: preview.lines.map(({ kind, text }) => ({ kind, text: visible(text) })),
      };
    case 'command':
      return { kind: 'command', line: visibleLines(preview.line), directory: visible(preview.directory) };
    case 'text':
      return { kind: 'text', title: visible(preview.title), text: visibleLines(preview.text) };
  }
}

function argument(name: string, value: unknown): CardPart {
  return { kind: 'argument', name: visible(name), text: visibleLines(valueText(value)) };
}
