import type { ComparedQuestion } from './line-diff.ts';

/** Characters that are made visible, broken and joined in the time of a frame or two. */
const MOST_CHARACTERS = 60_000;
const VALUE_CHARACTERS = 8;

/** Whether it takes so long to lay a question out that the window would not answer meanwhile. */
export function isLongQuestion(question: ComparedQuestion): boolean {
  let left = MOST_CHARACTERS;
  // Nothing of it is nested deep: `base/bounded-json.ts`.
  const count = (value: unknown): void => {
    if (left < 0) return;
    if (typeof value === 'string') left -= value.length;
    else if (typeof value !== 'object' || value === null) left -= VALUE_CHARACTERS;
    else {
      for (const [key, member] of Object.entries(value)) {
        left -= key.length + VALUE_CHARACTERS;
        count(member);
      }
    }
  };
  count(question);
  return left < 0;
}
