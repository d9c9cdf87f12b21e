/** Bytes at offsets from the start of a file. */
export type Beginning = readonly (readonly [at: number, bytes: readonly number[]])[];

/** Whether a file begins like this. Whether the rest can be read is not known. */
export function beginsWith(file: Uint8Array, beginning: Beginning): boolean {
  return beginning.every(([at, bytes]) => bytes.every((byte, index) => file[at + index] === byte));
}

export function ascii(text: string): readonly number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}

/**
 * A RIFF file of this form (https://learn.microsoft.com/windows/win32/xaudio2/resource-interchange-file-format--riff-).
 */
export function riff(form: string): Beginning {
  return [
    [0, ascii('RIFF')],
    [8, ascii(form)],
  ];
}
