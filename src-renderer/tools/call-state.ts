import type { ToolItem, ToolState } from '../chat/items.svelte.ts';
import type { Decision } from '../chat/turn-events.ts';

const LABELS: Readonly<Record<ToolState, string>> = {
  preparing: 'Preparing',
  asking: 'Checking',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  refused: 'Not run',
  denied: 'Denied',
  interrupted: 'Interrupted',
};

export function stateLabel(state: ToolState, waitsForPerson: boolean): string {
  return state === 'asking' && waitsForPerson ? 'Waiting for your answer' : LABELS[state];
}

export function isUnderWay(state: ToolState): boolean {
  return state === 'preparing' || state === 'asking' || state === 'running';
}

const DECIDERS: Readonly<Record<Decision['by'], string>> = {
  default: 'by Steward’s own rules',
  rule: 'by a rule of yours',
  flag: 'by a command-line option',
  user: 'by you',
};

/** `Allowed by a rule of yours`. */
export function decisionTitle(decision: Decision): string {
  return `${decision.answer === 'allow' ? 'Allowed' : 'Not allowed'} ${DECIDERS[decision.by]}`;
}

/** A result nobody has to open the card for: the person called the tool, and no model will say it in words. */
export function startsOpen(item: ToolItem): boolean {
  return item.id.startsWith('user_');
}
