import { ascii, type Beginning, beginsWith, riff } from './file-beginnings.ts';

/**
 * How a file of each type begins, at some offsets. Source:
 * https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern
 */
const BEGINNINGS = {
  'image/png': [[0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]]],
  'image/jpeg': [[0, [0xff, 0xd8, 0xff]]],
  'image/gif': [[0, ascii('GIF8')]],
  'image/webp': riff('WEBP'),
} as const satisfies Readonly<Record<string, Beginning>>;

/** Whether a file begins like an image of this type. Whether the rest can be read is not known. */
export function isImage(bytes: Uint8Array, mediaType: keyof typeof BEGINNINGS): boolean {
  return beginsWith(bytes, BEGINNINGS[mediaType]);
}

export function notAnImageText(name: string): string {
  return `${name} can’t be attached: it isn’t an image that can be read.`;
}
