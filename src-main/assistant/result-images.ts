import type { ImageBlock } from '../../src-preload/contract/content-blocks.ts';
import type { EventOf } from '../../src-preload/contract/events.ts';
import type { Message, UserBlock } from '../models/messages.ts';

/** Of all results in a request, as Base64; a request as a whole may have 32 MB: https://platform.claude.com/docs/en/api/overview */
const MOST_CHARACTERS = 12_000_000;
/** With more, the API takes only small ones: https://platform.claude.com/docs/en/build-with-claude/vision */
const MOST_IMAGES = 20;

/** Pictures in a result. Sounds are named in its text only: no model that we know takes them there. */
export function imagesOf({ parts = [] }: Pick<EventOf<'tool_result'>, 'parts'>): readonly ImageBlock[] {
  return parts.filter((part) => part.type === 'image');
}

/** The newest pictures of results, as many as a request has room for; the text of a result names those that are left out. */
export function withinImageRoom(messages: readonly Message[]): readonly Message[] {
  let images = MOST_IMAGES;
  let characters = MOST_CHARACTERS;
  const fits = ({ data }: ImageBlock): boolean => {
    const isLeftOut = images < 1 || data.length > characters;
    if (isLeftOut) return false;
    images -= 1;
    characters -= data.length;
    return true;
  };
  const fitting = (block: UserBlock): UserBlock => {
    if (block.type !== 'tool_result' || block.images === undefined) return block;
    const { images: all, ...rest } = block;
    const kept = all.filter(fits);
    return kept.length === 0 ? rest : { ...rest, images: kept };
  };
  return messages
    .toReversed()
    .map((message) =>
      message.role === 'user'
        ? { ...message, content: message.content.toReversed().map(fitting).toReversed() }
        : message,
    )
    .toReversed();
}
