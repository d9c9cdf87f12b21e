import { writeFile } from 'node:fs/promises';
import { errorMessage } from '../base/errors.ts';
import { IpcError } from './ipc-error.ts';

/** `what` begins the sentence if that fails: `The conversation`. Rejects with `IpcError` `not_saved`. */
export async function saveText(path: string, text: string | Uint8Array, what: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw new IpcError('not_saved', `${what} could not be saved: ${errorMessage(error)}`, { cause: error });
  }
}
