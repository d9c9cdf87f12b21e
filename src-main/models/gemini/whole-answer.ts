import { list, record } from '../transport/answer-fields.ts';

/**
 * Reads an answer that was not streamed as events: one response, or a list of its pieces, as `streamGenerateContent`
 * sends them without `alt=sse`. There are no events if it has neither candidates nor a reason for having none. Source:
 * https://ai.google.dev/api/generate-content
 */
export function wholeAnswer(answer: unknown): readonly unknown[] {
  const pieces = Array.isArray(answer) ? list(answer) : [answer];
  const isAnswer = pieces.some((piece) => {
    const { candidates, promptFeedback } = record(piece);
    return Array.isArray(candidates) || promptFeedback !== undefined;
  });
  return isAnswer ? pieces : [];
}
