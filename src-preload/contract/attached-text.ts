/**
 * The limit in UTF-16 units. A longer paste is attached instead, because each keystroke in the message field would take
 * a second.
 */
export const MAX_PASTE_IN_MESSAGE_LENGTH = 20_000;
/** UTF-16 units of an attached text that may still be inserted into the message field. */
export const MAX_TEXT_IN_MESSAGE_LENGTH = 100_000;
/** UTF-16 units of what is written in one message. */
export const MAX_MESSAGE_LENGTH = 2_000_000;
/** Limit for one attached text, as UTF-8. */
export const MAX_TEXT_BYTES = 20_000_000;

/**
 * How many units of each text a model is given if all together may take `room`: short texts whole, and the longer ones
 * share the rest equally.
 */
export function givenOf(lengths: readonly number[], room: number): readonly number[] {
  const given = [...lengths];
  let left = room;
  let waiting = lengths.length;
  for (const [length, index] of lengths.map((each, at) => [each, at] as const).sort(([a], [b]) => a - b)) {
    given[index] = Math.min(length, Math.floor(left / waiting));
    left -= given[index] ?? 0;
    waiting -= 1;
  }
  return given;
}
