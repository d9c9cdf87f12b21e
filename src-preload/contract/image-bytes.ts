/** How a file of each type begins, at some offsets. Source: https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern */
const BEGINNINGS = {
  'image/png': [[0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]]],
  'image/jpeg': [[0, [0xff, 0xd8, 0xff]]],
  'image/gif': [[0, [0x47, 0x49, 0x46, 0x38]]],
  'image/webp': [
    [0, [0x52, 0x49, 0x46, 0x46]],
    [8, [0x57, 0x45, 0x42, 0x50]],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [number, readonly number[]])[]>>;

/** It begins like an image of this type; whether the rest can be read is not known. */
export function isImage(bytes: Uint8Array, mediaType: keyof typeof BEGINNINGS): boolean {
  return BEGINNINGS[mediaType].every(([at, beginning]) => beginning.every((byte, index) => bytes[at + index] === byte));
}

export function notAnImageText(name: string): string {
  return `${name} can’t be attached: it isn’t an image that can be read.`;
}
