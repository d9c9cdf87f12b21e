import { isModifier } from '../../src-preload/contract/modifier-keys.ts';
import { answerKeyOf, type KeyPress } from './answer-keys.ts';
import type { ConsentDesk } from './consent-desk.svelte.ts';

/** Handles the keys that answer (`ANSWER_KEYS`) and Escape, and returns whether the key was one of them. */
export function pressedAtDesk(desk: ConsentDesk, press: KeyPress): boolean {
  if ((desk.card === null && desk.preparing === null) || press.isComposing) return false;
  const key = answerKeyOf(press);
  const isConfirmed = desk.isArmed && key === 'confirm' && !press.repeat;
  if (!isModifier(press)) desk.isArmed = false;
  const { ctrlKey, metaKey, altKey, shiftKey } = press;
  const isEscape = press.key === 'Escape' && !ctrlKey && !metaKey && !altKey && !shiftKey;
  if (key === undefined && !isEscape) return false;
  if (press.repeat) return true;
  if (isConfirmed) void allowAsPanelSays(desk);
  else if (key === 'allow') allowPressed(desk);
  else if (key === 'deny') void desk.deny();
  else if (key === 'explain') openPanel(desk, 'word', desk.mayTakeWord);
  else if (key === 'keep') openPanel(desk, 'rules', desk.mayKeepRule);
  else if (isEscape && desk.panel !== 'none') desk.panel = 'none';
  else if (isEscape) void (desk.hasForm ? desk.cancel() : desk.deny());
  return true;
}

function allowPressed(desk: ConsentDesk): void {
  if (desk.panel === 'word') void desk.denyWithWord();
  else if (desk.card === null || !desk.guard.accepts()) return;
  else if (!desk.isRead || (desk.review?.missing ?? null) !== null) {
    if (!desk.isRead) desk.missing = 'reading';
    desk.unreadPresses += 1;
    // A second press that follows at once would allow what only just came into view.
    desk.guard.cardAppeared();
  } else if (desk.ticks.length > 0 && desk.ticked.length === 0) desk.missing = 'ticks';
  else if (desk.isGrave) desk.isArmed = desk.canAllow;
  else void allowAsPanelSays(desk);
}

function allowAsPanelSays(desk: ConsentDesk): Promise<void> {
  if (desk.panel === 'rules') return desk.allowForConversation();
  return desk.card?.kind === 'review' ? desk.reviewed() : desk.allowOnce();
}

function openPanel(desk: ConsentDesk, panel: 'rules' | 'word', isOffered: boolean): void {
  if (isOffered && desk.canAnswer && desk.guard.accepts()) desk.panel = panel;
}
