import type { MediaBlock, ResultPart } from '../../src-preload/contract/content-blocks.ts';

/** What of a result is drawn or played, or why it is not. */
export type ShownMedia =
  | { readonly kind: 'image' | 'audio'; readonly url: string; readonly mediaType: string; readonly bytes: number }
  | {
      readonly kind: 'left-out';
      readonly what: MediaBlock['type'];
      /** The index of the file among the parts. */
      readonly part: number;
      /** The file's name, empty if it has none. */
      readonly name: string;
      readonly mediaType: string;
      readonly bytes: number;
    };

/** What Chromium decodes by itself. An SVG is a document: it is never put into the page. */
const IMAGE_TYPE = /^image\/(?:png|jpe?g|gif|webp|avif|bmp)$/i;
const AUDIO_TYPE = /^audio\/(?:mpeg|mp3|mp4|aac|ogg|opus|wav|x-wav|wave|webm|flac)$/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** 20 MB: more than a message of a server may have. */
const MAX_CHARACTERS = 27_000_000;

/** Everything in a result that is more than text, in its order. */
export function shownMedia(parts: readonly ResultPart[]): readonly ShownMedia[] {
  return parts.flatMap((part, index): ShownMedia[] => {
    if (part.type === 'text') return [];
    const { type, mediaType, data } = part;
    const bytes = Math.floor((data.replace(/(?<!=)=+$/, '').length * 3) / 4);
    const isKnown = type !== 'document' && (type === 'image' ? IMAGE_TYPE : AUDIO_TYPE).test(mediaType);
    if (!isKnown || data.length > MAX_CHARACTERS || !BASE64.test(data))
      return [{ kind: 'left-out', what: type, part: index, name: nameOf(part), mediaType, bytes }];
    return [{ kind: type, url: `data:${mediaType};base64,${data}`, mediaType, bytes }];
  });
}

/** A picture in a data URL that Chromium decodes by itself. */
export function isPicture(url: string): boolean {
  const [, mediaType = ''] = /^data:([^;,]+);base64,/.exec(url) ?? [];
  return IMAGE_TYPE.test(mediaType);
}

function nameOf(part: MediaBlock): string {
  return part.type === 'image' ? '' : (part.name ?? '');
}
