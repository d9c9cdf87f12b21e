import type { MediaBlock } from '../../src-preload/contract/content-blocks.ts';
import type { EventOf } from '../../src-preload/contract/events.ts';
import { leftOut } from '../models/accepted-media.ts';
import type { Message, UserBlock } from '../models/messages.ts';

/**
 * Limit for all parts of a request, as Base64; a request as a whole may have 32 MB:
 * https://platform.claude.com/docs/en/api/overview
 */
const MAX_CHARACTERS = 28_000_000;
/** Limit for the parts in results. */
const MAX_IN_RESULTS = 12_000_000;
/** With more, the API takes only small images: https://platform.claude.com/docs/en/build-with-claude/vision */
const MAX_PARTS = 20;

const NO_ROOM = 'newer attachments take all the room of a request. If you need it, ask the user to attach it again';

/** Pictures, recordings and documents in a result. */
export function mediaOf({ parts = [] }: Pick<EventOf<'tool_result'>, 'parts'>): readonly MediaBlock[] {
  return parts.filter((part) => part.type !== 'text');
}

/**
 * The newest of what is attached to messages and of such parts of results, as many as a request has room for. What the
 * user attached comes first. A text stands in place of an attachment that is left out; the text of a result names its
 * parts anyway.
 */
export function withinMediaRoom(messages: readonly Message[]): readonly Message[] {
  const attached = new MediaRoom(MAX_CHARACTERS);
  const kept = newestFirst(messages, (block) => {
    if (block.type === 'text' || block.type === 'tool_result') return block;
    return attached.takes(block) ? block : leftOut(block, NO_ROOM);
  });
  const results = new MediaRoom(Math.min(attached.characters, MAX_IN_RESULTS), MAX_PARTS);
  return newestFirst(kept, (block) => {
    if (block.type !== 'tool_result' || block.media === undefined) return block;
    const { media: all, ...rest } = block;
    const media = all.filter((part) => results.takes(part));
    return media.length === 0 ? rest : { ...rest, media };
  });
}

class MediaRoom {
  characters: number;
  #parts: number;

  constructor(characters: number, parts = Number.POSITIVE_INFINITY) {
    this.characters = characters;
    this.#parts = parts;
  }

  takes({ data }: MediaBlock): boolean {
    if (this.#parts < 1 || data.length > this.characters) return false;
    this.#parts -= 1;
    this.characters -= data.length;
    return true;
  }
}

function newestFirst(messages: readonly Message[], change: (block: UserBlock) => UserBlock): readonly Message[] {
  return messages
    .toReversed()
    .map((message) =>
      message.role === 'user'
        ? { ...message, content: message.content.toReversed().map(change).toReversed() }
        : message,
    )
    .toReversed();
}
