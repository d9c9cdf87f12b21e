import { whyNotAttachable } from '../../src-preload/contract/attachable.ts';
import { MOST_TEXT_BYTES } from '../../src-preload/contract/attached-text.ts';
import type { Attachment } from '../../src-preload/contract/conversations.ts';
import type { Mark, MessageAttachment, SentMessage } from '../../src-preload/contract/events.ts';
import { errorMessage } from '../base/errors.ts';
import { isSecretText } from '../policy/secret-files.ts';
import { attachedName } from '../storage/conversations/attached-text.ts';
import { docxText } from '../tools/files/docx/docx-text.ts';
import { IpcError } from './ipc-error.ts';

/** Source: the vendor's limit for one image. */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/**
 * Builds a message from attachments and text. An attached file's content belongs to the person, but does not count as their words.
 * Throws `IpcError` `bad_attachment`.
 */
export async function sentMessage(
  text: string,
  attachments: readonly Attachment[],
  signal: AbortSignal,
): Promise<SentMessage> {
  const attached = await Promise.all(attachments.map((attachment) => messageAttachment(attachment, signal)));
  const content = text.trim() === '' ? [] : [{ type: 'text', text } as const];
  if (content.length + attached.length === 0)
    throw new IpcError('bad_input', 'conversations.send: text is empty and nothing is attached.');
  if (attached.length === 0) return { content };
  const marks = attached.flatMap(marksOf);
  return { content, attachments: attached, marks };
}

/** The person attached it, so there is no question, but the context is still marked as containing a secret. */
function marksOf(attachment: MessageAttachment, index: number): readonly Mark[] {
  const name = attachment.name ?? `picture ${index + 1}`;
  const source = `attached file ${name}`;
  const isSecret = attachment.kind === 'text' && isSecretText(name, attachment.text);
  return [{ kind: 'private', source }, ...(isSecret ? [{ kind: 'secret', source } as const] : [])];
}

async function messageAttachment(attachment: Attachment, signal: AbortSignal): Promise<MessageAttachment> {
  const name = attachedName(attachment.name);
  switch (attachment.kind) {
    case 'text': {
      const why = whyNotAttachable(attachment.name, attachment.text);
      if (why !== null) throw new IpcError('bad_attachment', why);
      return { kind: 'text', name, text: withinLimit(attachment.name, attachment.text) };
    }
    case 'image':
      if (Buffer.byteLength(attachment.data, 'base64') > MAX_IMAGE_BYTES)
        throw new IpcError('bad_attachment', `${attachment.name} is larger than 5 MB. Make the image smaller.`);
      return { kind: 'image', name, mediaType: attachment.mediaType, data: attachment.data };
    case 'docx':
      return { kind: 'text', name, text: withinLimit(attachment.name, await textOfDocument(attachment, signal)) };
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

function withinLimit(name: string, text: string): string {
  if (Buffer.byteLength(text) <= MOST_TEXT_BYTES) return text;
  throw new IpcError('bad_attachment', `${name} is larger than ${MOST_TEXT_BYTES / 1e6} MB. Attach a part of it.`);
}
