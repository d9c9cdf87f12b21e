import { list, record, text } from '../transport/answer-fields.ts';

/**
 * Turns an answer of the Messages API that was not streamed into the events that it would have been streamed as. There
 * are none if it is no message. Source: https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export function messageEvents(answer: unknown): readonly unknown[] {
  const message = record(answer);
  if (message.type !== 'message' || !Array.isArray(message.content)) return [];
  const { content, usage, stop_reason, stop_sequence, stop_details } = message;
  return [
    { type: 'message_start', message: { ...message, content: [] } },
    ...list(content).flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: block },
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: text(stop_reason) ?? 'end_turn', stop_sequence, stop_details },
      usage: record(usage),
    },
    { type: 'message_stop' },
  ];
}
