import type { Attachment } from '../../src-preload/contract/conversations.ts';
import { errorMessage } from '../base/errors.ts';
import type { UserInputBlock } from '../storage/content.ts';
import type { SentMessage } from '../storage/events.ts';
import { docxText } from '../tools/files/docx/docx-text.ts';
import { IpcError } from './ipc-error.ts';

/** Source: the vendor's limit for one image. */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const MAX_TEXT_CHARACTERS = 2_000_000;

/**
 * A message of what was attached and what was written. What is in an attached file is the person's own, but not their words.
 * Throws `IpcError` `bad_attachment`.
 */
export async function sentMessage(
  text: string,
  attachments: readonly Attachment[],
  signal: AbortSignal,
): Promise<SentMessage> {
  const attached = await Promise.all(attachments.map((attachment) => attachedBlock(attachment, signal)));
  const written: UserInputBlock[] = text.trim() === '' ? [] : [{ type: 'text', text }];
  const content = [...attached, ...written];
  if (content.length === 0)
    throw new IpcError('bad_input', 'conversations.send: text is empty and nothing is attached.');
  if (attached.length === 0) return { content };
  const marks = attachments.map(({ name }) => ({ kind: 'private', source: `attached file ${shown(name)}` }) as const);
  return { content, attached: attached.length, marks };
}

async function attachedBlock(attachment: Attachment, signal: AbortSignal): Promise<UserInputBlock> {
  switch (attachment.kind) {
    case 'text':
      return fenced(attachment.name, attachment.text);
    case 'image':
      if (Buffer.byteLength(attachment.data, 'base64') > MAX_IMAGE_BYTES)
        throw new IpcError('bad_attachment', `${attachment.name} is larger than 5 MB. Make the image smaller.`);
      return { type: 'image', mediaType: attachment.mediaType, data: attachment.data };
    case 'docx':
      return fenced(attachment.name, await textOfDocument(attachment, signal));
  }
}

async function textOfDocument(
  { name, data }: Extract<Attachment, { kind: 'docx' }>,
  signal: AbortSignal,
): Promise<string> {
  try {
    return await docxText(Buffer.from(data, 'base64'), signal);
  } catch (error) {
    if (signal.aborted) throw new IpcError('closing', 'Steward is closing.', { cause: error });
    const reason = errorMessage(error);
    throw new IpcError('bad_attachment', `${name} could not be attached: ${reason}.`, { cause: error });
  }
}

/** A fence that is longer than any in the text, so that the text cannot end it. */
function fenced(name: string, text: string): UserInputBlock {
  if (text.length > MAX_TEXT_CHARACTERS)
    throw new IpcError('bad_attachment', `${name} is longer than 2,000,000 characters. Attach a part of it.`);
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  return { type: 'text', text: `Attached file: ${shown(name)}\n${fence}\n${text}${end}${fence}` };
}

function shown(name: string): string {
  return name.replace(/[\p{C}`]/gu, ' ').trim();
}
