import { codecOf } from '../../base/encoding/codec.ts';
import type { TextEncoding } from '../../base/encoding/text-encoding.ts';
import { StoredText } from './stored-text.ts';
import { editBytes, type TextEdit } from './text-edit.ts';

export interface EditWork {
  readonly bytes: Uint8Array;
  readonly encoding: TextEncoding;
  readonly edit: TextEdit;
  /** Whether the new bytes are wanted. The size says enough as long as the user is being asked. */
  readonly wantsBytes: boolean;
}

export interface EditDone {
  readonly bytes?: Uint8Array;
  /** The size of the edited file, in bytes. */
  readonly size: number;
  readonly replaced: number;
  /** How many occurrences remain. */
  readonly left: number;
}

/** Resolves with null if the text is not in the file. Rejects with a `FileProblem`. */
export async function doEdit({ bytes: given, encoding, edit, wantsBytes }: EditWork): Promise<EditDone | null> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const edited = editBytes(bytes, edit, new StoredText(bytes, encoding, await codecOf(encoding.name)));
  if (edited === null) return null;
  const { replaced, left } = edited;
  return { size: edited.bytes.length, replaced, left, ...(wantsBytes ? { bytes: edited.bytes } : {}) };
}
