import { createHash } from 'node:crypto';
import type { MediaBlock } from '../../../src-preload/contract/content-blocks.ts';
import { leftOut, withAcceptedMedia } from '../accepted-media.ts';
import type { Message } from '../messages.ts';
import type { ModelRequest, ModelStreamEvent } from '../provider.ts';
import type { MediaKind } from './media-refusal.ts';
import type { RequestFailure } from './request-failure.ts';

type LeftOutFiles = Extract<ModelStreamEvent, { type: 'left_out' }>;

/**
 * Files that a service refused. They are in every later request of their conversation, which would be refused as well.
 * Services rarely say which file it was: first those of the newest message with any are left out, and if that does not
 * help, all. Files that come later are sent.
 */
export class RefusedMedia {
  /** What the service said of a file, by model and hash. */
  readonly #files = new Map<string, string>();
  /** The kinds of files that a model does not take at all, by model. */
  readonly #kinds = new Map<string, Map<MediaKind, string>>();

  /**
   * Returns `undefined` if the next request will not differ. Otherwise it returns a function that takes this back, for
   * a service that gives the same reason without these files. `isAgain` says that a request without the newest files
   * was refused, too.
   */
  add(
    { model, messages }: ModelRequest,
    { refusedMedia, error }: RequestFailure,
    isAgain: boolean,
  ): (() => void) | undefined {
    if (refusedMedia === undefined) return undefined;
    const { kinds, isOfModel } = refusedMedia;
    const sent = messages
      .map((message) =>
        mediaIn(message).filter((media) => kinds.includes(media.type) && this.#refusal(model, media) === undefined),
      )
      .filter((media) => media.length > 0);
    const refused = isOfModel || isAgain ? sent.flat() : (sent.at(-1) ?? []);
    const ofModel = this.#kinds.get(model) ?? new Map<MediaKind, string>();
    for (const media of refused) {
      if (isOfModel) this.#kinds.set(model, ofModel.set(media.type, error.message));
      else this.#files.set(keyOf(model, media), error.message);
    }
    if (refused.length === 0) return undefined;
    return () => {
      for (const media of refused) {
        if (isOfModel) ofModel.delete(media.type);
        else this.#files.delete(keyOf(model, media));
      }
    };
  }

  /** Returns which capabilities of a model turned out to be missing. */
  capabilitiesOf(model: string): { images?: false; audio?: false; documents?: false } {
    const refused = this.#kinds.get(model);
    return {
      ...(refused?.has('image') ? { images: false } : {}),
      ...(refused?.has('audio') ? { audio: false } : {}),
      ...(refused?.has('document') ? { documents: false } : {}),
    };
  }

  /** Returns the messages with a text in place of each refused file, and what to tell the user about them. */
  without({ model, messages }: ModelRequest): {
    readonly messages: readonly Message[];
    readonly leftOut: LeftOutFiles | undefined;
  } {
    const refused = new Map<MediaBlock, string>();
    for (const media of messages.flatMap(mediaIn)) {
      const said = this.#refusal(model, media);
      if (said !== undefined) refused.set(media, said);
    }
    const [said] = refused.values();
    if (said === undefined) return { messages, leftOut: undefined };
    const accepts = (media: MediaBlock) => !refused.has(media);
    return {
      messages: withAcceptedMedia(messages, { inMessage: accepts, inResult: accepts }, notTaken),
      leftOut: { type: 'left_out', reason: 'refused_files', names: [...refused.keys()].map(nameOf), said },
    };
  }

  #refusal(model: string, media: MediaBlock): string | undefined {
    const ofModel = this.#kinds.get(model)?.get(media.type);
    return ofModel ?? (this.#files.size === 0 ? undefined : this.#files.get(keyOf(model, media)));
  }
}

const notTaken = (media: MediaBlock) => leftOut(media, "the model's service refused it");

function mediaIn({ role, content }: Message): readonly MediaBlock[] {
  if (role !== 'user') return [];
  return content.flatMap((block): readonly MediaBlock[] => {
    if (block.type === 'tool_result') return block.media ?? [];
    return block.type === 'text' ? [] : [block];
  });
}

function nameOf(media: MediaBlock): string {
  const name = media.type === 'image' ? undefined : media.name;
  return name ?? (media.type === 'audio' ? 'a recording' : media.type === 'image' ? 'an image' : 'a document');
}

function keyOf(model: string, { data }: MediaBlock): string {
  return `${model} ${createHash('sha256').update(data).digest('base64')}`;
}
