import { list, record, text } from '../transport/answer-fields.ts';

/**
 * Turns a completion that was not streamed into the one chunk that says the same. There is none if it has no message.
 */
export function completionChunks(answer: unknown): readonly unknown[] {
  const completion = record(answer);
  const choices = list(completion.choices).map(record);
  if (!choices.some(({ message }) => typeof message === 'object' && message !== null)) return [];
  const whole = choices.map(({ message, finish_reason, ...choice }) => ({
    ...choice,
    delta: message,
    finish_reason: text(finish_reason) ?? 'stop',
  }));
  return [{ ...completion, choices: whole }];
}

/**
 * Turns a response that was not streamed into the events that end its items and itself. There are none if it has no
 * items.
 */
export function responseEvents(answer: unknown): readonly unknown[] {
  const response = record(answer);
  if (!Array.isArray(response.output)) return [];
  const items = list(response.output).flatMap((item, output_index) =>
    ['response.output_item.added', 'response.output_item.done'].map((type) => ({ type, output_index, item })),
  );
  const isKnown = response.status === 'incomplete' || response.status === 'failed';
  const end = `response.${isKnown ? response.status : 'completed'}`;
  return [...items, { type: end, response }];
}
