import type { EventOf } from '../../../src-preload/contract/events.ts';
import { IpcError } from '../ipc-error.ts';

const MAX_NAME_LENGTH = 100;

/**
 * A file that came with a call's result, under a name that the user can save it as. Throws `IpcError` `unknown_call`.
 */
export function fileInResult(
  { parts = [] }: Pick<EventOf<'tool_result'>, 'parts'>,
  at: number,
): { readonly name: string; readonly bytes: Buffer } {
  const part = parts[at];
  if (part === undefined || part.type === 'text') throw new IpcError('unknown_call', 'This call has no such file.');
  const given = part.type === 'image' ? undefined : part.name;
  return { name: fileName(given ?? '', MAX_NAME_LENGTH) || part.type, bytes: Buffer.from(part.data, 'base64') };
}

/** A text without what a file's name can't have, or what would hide its end; it may be empty. */
export function fileName(text: string, longest: number): string {
  const name = text
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}<>:"/\\|?*]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|(?<![. ])[. ]+$/g, '');
  if (name.length <= longest) return name;
  const [extension = ''] = /\.[^. ]{1,10}$/.exec(name) ?? [];
  return `${name.slice(0, longest - extension.length)}${extension}`;
}
