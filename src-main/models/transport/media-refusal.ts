import type { MediaBlock } from '../../../src-preload/contract/content-blocks.ts';

export type MediaKind = MediaBlock['type'];

/** What a service's error says of the files in a request. */
export interface MediaRefusal {
  /** The kinds of files that the error may be about. */
  readonly kinds: readonly MediaKind[];
  /** Whether the model takes none of these kinds. Otherwise something is wrong with a file, and others are fine. */
  readonly isOfModel: boolean;
}

export const ALL_MEDIA: readonly MediaKind[] = ['image', 'document', 'audio'];

const WORDS: Readonly<Record<MediaKind, RegExp>> = {
  image: /\bimages?\b|image_(url|parse)|\bvision\b|mmproj/i,
  document: /\bpdfs?\b|\bdocuments?\b|\bfile_data\b|\binput_file\b/i,
  audio: /\baudio\b|\binput_audio\b/i,
};
const OF_MODEL =
  /(not|n't) (support|have|accept|enabled|a multimodal)|\bunsupported (content|input)|modality is not|missing data required for image input|mmproj|unknown variant/i;
/** Words about what a file must be like. A model that takes no files at all does not say them. */
const OF_FILE =
  /\b(formats?|mime|gif|webp|png|jpe?g|bmp|tiff?|heic|avif|pages?|password|encrypted|larger|sizes?|pixels?|dimensions?|animated)\b/i;

/**
 * Returns the kinds that an error's words name, or `undefined` if there are none. Requests without parts of these
 * kinds stay as they are.
 */
export function mediaRefusal(words: string): MediaRefusal | undefined {
  const kinds = ALL_MEDIA.filter((kind) => WORDS[kind].test(words));
  return kinds.length === 0 ? undefined : { kinds, isOfModel: OF_MODEL.test(words) && !OF_FILE.test(words) };
}
