import type { CardPart, ConsentCard } from '../../../src-preload/contract/consent.ts';
import { decisionReasonText } from '../../../src-preload/contract/decision-reason.ts';
import { visible, visibleLines } from '../../base/visible-text.ts';
import type { Access, Preview } from '../../policy/access.ts';
import { commandLine, describeAccess } from '../../policy/access-text.ts';
import {
  askedReason,
  type ConsentRequest,
  type GrantConsentRequest,
  type ToolConsentRequest,
  type UndoConsentRequest,
} from '../../policy/consent.ts';
import { LineDiffs } from '../../policy/line-diff.ts';
import { toolQuestion } from './consent-title.ts';

/** The question as it is drawn: complete, and with every character that hides or reorders text made visible. */
export async function consentCard(request: ConsentRequest, conversationTitle: string | null): Promise<ConsentCard> {
  const shared = { id: request.id, reason: visibleLines(decisionReasonText(askedReason(request))) };
  if (request.kind === 'grant') {
    const { subject } = request;
    return {
      ...shared,
      kind: 'grant',
      title: GRANT_TITLES[subject],
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
      title: request.subject === 'turn' ? 'Undo this turn?' : 'Undo this change?',
      tool: null,
      parts: await undoParts(request),
      marks: [],
      offers: [],
      conversationTitle: shownTitle(conversationTitle),
    };
  }
  return {
    ...shared,
    kind: 'tool',
    title: toolQuestion(request),
    tool: visible(request.tool),
    parts: await toolParts(request),
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
  if (previous !== undefined) parts.push({ kind: 'text', title: 'Now it is', text: visibleLines(textOf(previous)) });
  return parts;
}

async function toolParts({ input, access, previews }: ToolConsentRequest): Promise<CardPart[]> {
  const parts: CardPart[] = access.map(accessPart);
  const diffs = new LineDiffs();
  // The access says the command line and its folder already.
  const isCommandSaid = access.some((each) => each.class === 'execute');
  for (const preview of previews)
    if (preview.kind !== 'command' || !isCommandSaid) parts.push(await previewPart(preview, diffs));
  for (const [name, value] of Object.entries(input)) parts.push(argument(name, value));
  return parts;
}

async function undoParts({ previews, refused }: UndoConsentRequest): Promise<CardPart[]> {
  const parts: CardPart[] = [];
  const diffs = new LineDiffs();
  for (const preview of previews) parts.push(await previewPart(preview, diffs));
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

async function previewPart(preview: Preview, diffs: LineDiffs): Promise<CardPart> {
  switch (preview.kind) {
    case 'diff': {
      const lines = await diffs.of(preview);
      return {
        kind: 'diff',
        path: visible(preview.path),
        note: preview.note === undefined ? null : visible(preview.note),
        lines: lines.map(({ kind, text }) => ({ kind, text: visible(text) })),
      };
    }
    case 'command':
      return { kind: 'command', line: visibleLines(preview.line), directory: visible(preview.directory) };
    case 'text':
      return { kind: 'text', title: visible(preview.title), text: visibleLines(preview.text) };
  }
}

function argument(name: string, value: unknown): CardPart {
  return { kind: 'argument', name: visible(name), text: visibleLines(textOf(value)) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? 'undefined');
}
