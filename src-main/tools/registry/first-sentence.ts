import { sentencesOf, shortened } from '../../base/text.ts';

const MAX_LENGTH = 300;

/** On one line. */
export function firstSentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  // Anything longer is no sentence that would help.
  const [first] = sentencesOf(line.slice(0, 4 * MAX_LENGTH));
  return shortened(first?.segment.trim() ?? '', MAX_LENGTH);
}
