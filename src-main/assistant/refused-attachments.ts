import type { EventOf, StoredEvent } from '../../src-preload/contract/events.ts';
import { leftOut } from '../models/accepted-media.ts';
import type { UserBlock } from '../models/messages.ts';

/**
 * How services refuse a request because of a part in it: a damaged or protected PDF, one with too many pages, a picture
 * that is none.
 */
const REFUSALS: ReadonlySet<string> = new Set(['bad_request', 'request_too_large', 'context_too_long']);

/**
 * The messages that a service refused at once, and after which the conversation went on: sent again, what is attached
 * to them would have every later request refused. A retry of such a message, maybe by another model, still sends it.
 */
export function refusedMessages(live: readonly StoredEvent[]): ReadonlySet<EventOf<'user_message'>> {
  const refused = new Set<EventOf<'user_message'>>();
  let unanswered: EventOf<'user_message'> | undefined;
  let isRefused = false;
  for (const event of live) {
    if (event.type === 'user_message') {
      if (isRefused && unanswered !== undefined) refused.add(unanswered);
      unanswered = event;
      isRefused = false;
    } else if (event.type === 'block') unanswered = undefined;
    else if (event.type === 'error') isRefused = REFUSALS.has(event.code);
  }
  return refused;
}

/** A message's blocks without what was refused with it. */
export function withoutMedia(blocks: readonly UserBlock[]): readonly UserBlock[] {
  return blocks.map((block) =>
    block.type === 'text' || block.type === 'tool_result'
      ? block
      : leftOut(block, 'the service refused the message with it, so it is not sent again'),
  );
}
