import type { MediaBlock } from '../../../src-preload/contract/content-blocks.ts';

export type MediaKind = MediaBlock['type'];

/** What a service's error says of the files in a request. */
export interface MediaRefusal {
  /** Which of them it may be about. */
  readonly kinds: readonly MediaKind[];
  /** The model takes none of these kinds. Otherwise something is wrong with a file, and others are fine. */
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
/** A model that takes none says nothing of what a file must be like. */
const OF_FILE =
  /\b(formats?|mime|gif|webp|png|jpe?g|bmp|tiff?|heic|avif|pages?|password|encrypted|larger|sizes?|pixels?|dimensions?|animated)\b/i;

/** The kinds that an error's words name; `undefined`: none. A request without such parts is not changed by it. */
export function mediaRefusal(words: string): MediaRefusal | undefined {
  const kinds = ALL_MEDIA.filter((kind) => WORDS[kind].test(words));
  return kinds.length === 0 ? undefined : { kinds, isOfModel: OF_MODEL.test(words) && !OF_FILE.test(words) };
}
