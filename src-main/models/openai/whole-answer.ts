import { list, record, text } from '../transport/answer-fields.ts';
import type { StreamEvent } from '../transport/guarded-fetch.ts';

/** A completion that was not streamed, as the one chunk that says the same; none if it has no message. */
export function completionChunks(answer: unknown): readonly StreamEvent[] {
  const completion = record(answer);
  const choices = list(completion.choices).map(record);
  if (!choices.some(({ message }) => typeof message === 'object' && message !== null)) return [];
  const whole = choices.map(({ message, finish_reason, ...choice }) => ({
    ...choice,
    delta: message,
    finish_reason: text(finish_reason) ?? 'stop',
  }));
  return [{ data: { ...completion, choices: whole } }];
}

/** A response that was not streamed, as the events that end its items and itself; none if it has no items. */
export function responseEvents(answer: unknown): readonly StreamEvent[] {
  const response = record(answer);
  if (!Array.isArray(response.output)) return [];
  const items = list(response.output).flatMap((item, output_index) =>
    ['response.output_item.added', 'response.output_item.done'].map((type) => ({ data: { type, output_index, item } })),
  );
  const isKnown = response.status === 'incomplete' || response.status === 'failed';
  const end = `response.${isKnown ? response.status : 'completed'}`;
  return [...items, { data: { type: end, response } }];
}
