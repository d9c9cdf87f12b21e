import { isModHeld } from '../ui/key-names.ts';

/**
 * The keys that answer, one each, all with a modifier, because a bare key may be meant for something else. `confirm` is
 * the second key that a yes with grave consequences needs. `explain` and `keep` open a panel, in which `allow` then
 * answers. Source: design section 4.
 */
export const ANSWER_KEYS = {
  allow: 'Mod+Enter',
  confirm: 'Mod+Shift+Y',
  deny: 'Mod+D',
  explain: 'Mod+E',
  keep: 'Mod+Shift+Enter',
} as const;

export type AnswerKey = keyof typeof ANSWER_KEYS;

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly repeat: boolean;
  readonly isComposing: boolean;
}

const NAMES = Object.keys(ANSWER_KEYS) as AnswerKey[];

export function answerKeyOf(press: KeyPress): AnswerKey | undefined {
  // On a Mac, letters with Control edit text.
  const isHeld = press.key === 'Enter' ? press.ctrlKey !== press.metaKey : isModHeld(press);
  if (press.altKey || !isHeld) return undefined;
  const name = `Mod+${press.shiftKey ? 'Shift+' : ''}${press.key.length === 1 ? press.key.toUpperCase() : press.key}`;
  return NAMES.find((key) => ANSWER_KEYS[key] === name);
}

/** A key that does something where text is written or a button has the focus, and nothing at a question. */
export function isStray({ key, ctrlKey, metaKey }: KeyPress): boolean {
  return !ctrlKey && !metaKey && (key.length === 1 || ['Enter', 'Backspace', 'Delete'].includes(key));
}
