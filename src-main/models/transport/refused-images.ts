import { createHash } from 'node:crypto';
import type { MediaBlock } from '../../../src-preload/contract/content-blocks.ts';
import { withAcceptedMedia } from '../accepted-media.ts';
import type { Message } from '../messages.ts';

/**
 * Images that a service could not read. They are in every later request of their conversation, which would be refused as well. The service does
 * not say which one it was, so it is all that were sent with it; other images are fine.
 */
export class RefusedImages {
  readonly #hashes = new Set<string>();

  /** True if the next request will differ. */
  add(messages: readonly Message[]): boolean {
    const before = this.#hashes.size;
    for (const image of imagesIn(messages)) this.#hashes.add(hashOf(image));
    return this.#hashes.size > before;
  }

  /** The messages with a text in place of each of them. */
  without(messages: readonly Message[]): readonly Message[] {
    if (this.#hashes.size === 0) return messages;
    const accepts = (media: MediaBlock) => media.type !== 'image' || !this.#hashes.has(hashOf(media));
    return withAcceptedMedia(messages, { inMessage: accepts, inResult: accepts });
  }
}

function imagesIn(messages: readonly Message[]): readonly MediaBlock[] {
  return messages
    .flatMap(({ role, content }) => (role === 'user' ? content : []))
    .flatMap((block): readonly MediaBlock[] => {
      if (block.type === 'tool_result') return block.media ?? [];
      return block.type === 'text' ? [] : [block];
    })
    .filter(({ type }) => type === 'image');
}

function hashOf({ data }: MediaBlock): string {
  return createHash('sha256').update(data).digest('base64');
}
