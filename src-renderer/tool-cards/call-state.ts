import type { DecisionBy, EventOf } from '../../src-preload/contract/events.ts';
import type { TerminalCard, ToolCard } from '../../src-preload/contract/tool-card.ts';
import type { ToolItem, ToolState } from '../conversation/items.svelte.ts';

const LABELS: Readonly<Record<ToolState, string>> = {
  preparing: 'Preparing',
  asking: 'Checking',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  refused: 'Not run',
  denied: 'Denied',
  unanswered: 'Not answered',
  interrupted: 'Interrupted',
  undone: 'Undone',
};

export function stateLabel(
  { state, card, mail }: Pick<ToolItem, 'state' | 'card' | 'mail'>,
  waitsForUser: boolean,
): string {
  if (isUnderWay(state) && waitsForUser) return 'Waiting for your answer';
  if (mail !== null) return mailLabel(mail, state);
  return state === 'done' && card?.kind === 'terminal' ? terminalLabel(card) : LABELS[state];
}

function mailLabel(mail: EventOf<'mail'>, state: ToolState): string {
  if (mail.state === 'not_sent') return 'Not sent';
  if (mail.state === 'sent') return 'Sent';
  if (mail.state === 'unsure') return 'Not confirmed';
  return state === 'running' ? (mail.state === 'waiting' ? 'Waiting' : 'Sending') : LABELS[state];
}

/** Unless the head of the card, or the line with the error, already says what became of the mail. */
export function showsMail({ mail, state }: Pick<ToolItem, 'mail' | 'state'>): boolean {
  if (mail === null || mail.why === 'refused') return false;
  return mail.state !== 'sent' || state !== 'done';
}

/** The tool succeeded; whether the command did is a separate question. */
function terminalLabel({ ending, exitCode = 0 }: TerminalCard): string {
  return ending === 'background' || (ending === 'exited' && exitCode === 0) ? LABELS.done : 'Ended';
}

/** Where the command ran, if the system held it there. */
export function boundsText({ bounds }: Pick<TerminalCard, 'bounds'>): string | undefined {
  switch (bounds) {
    case 'read-only':
      return 'Ran in a read-only sandbox: it could change nothing and reach nobody.';
    case 'folder':
      return 'Ran in a sandbox: it could change files in this folder only, and reach nobody.';
    default:
      return undefined;
  }
}

export function isUnderWay(state: ToolState): boolean {
  return state === 'preparing' || state === 'asking' || state === 'running';
}

const DECIDERS: Readonly<Record<DecisionBy, string>> = {
  default: 'by Steward’s own rules',
  rule: 'by one of your rules',
  grant: 'because it may work freely in this folder',
  flag: 'by a command-line option',
  user: 'by you',
};

/**
 * Why the call was allowed or not, as a title: `Allowed by one of your rules`. An invalid call needs no decision and is
 * not run.
 */
export function decisionTitle(decision: Pick<EventOf<'decision'>, 'answer' | 'by'>): string {
  if (decision.answer === 'deny' && decision.by === 'default') return LABELS.refused;
  return `${decision.answer === 'allow' ? 'Allowed' : 'Not allowed'} ${DECIDERS[decision.by]}`;
}

/** Kinds that show a short form in a closed card. */
const SHOWN_UNOPENED: ReadonlySet<ToolCard['kind']> = new Set([
  'diff',
  'terminal',
  'results',
  'jobs',
  'table',
  'mail-list',
  'mail',
  'agenda',
  'calendar-event',
] as const);

export function showsUnopened(card: ToolCard): boolean {
  return SHOWN_UNOPENED.has(card.kind);
}

/** The result is shown without opening the card: the user called the tool, so no model will describe it. */
export function startsOpen(item: ToolItem): boolean {
  return item.isOwnCall && (item.card === null || !showsUnopened(item.card));
}
