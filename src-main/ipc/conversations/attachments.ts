import { whyNotAttachable } from '../../../src-preload/contract/attachable.ts';
import {
  MAX_MEDIA_BYTES,
  type MediaKind,
  mediaTypeOf,
  TELLING_BYTES,
} from '../../../src-preload/contract/attached-media.ts';
import { MAX_TEXT_BYTES } from '../../../src-preload/contract/attached-text.ts';
import type { Attachment } from '../../../src-preload/contract/conversations.ts';
import type { Mark, MessageAttachment, SentMessage, SentPrompt } from '../../../src-preload/contract/events.ts';
import { isImage, notAnImageText } from '../../../src-preload/contract/image-bytes.ts';
import { errorMessage } from '../../base/errors.ts';
import { eachOnce } from '../../policy/mark-sources.ts';
import { isSecretText } from '../../policy/secret-files.ts';
import type { GivenContent } from '../../services.ts';
import { attachedName } from '../../storage/conversations/attached-text.ts';
import { docxText } from '../../tools/files/docx/docx-text.ts';
import { IpcError } from '../ipc-error.ts';

/** The vendor's limit for one image. */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

export interface AttachmentPorts {
  readonly signal: AbortSignal;
  /** Reads the content of MCP servers through the gate. */
  readonly servers: {
    resource(attached: Extract<Attachment, { kind: 'resource' }>): Promise<GivenContent<readonly MessageAttachment[]>>;
    prompt(id: string): GivenContent<SentPrompt>;
  };
}

/**
 * Builds a message from attachments and text. An attached file's content belongs to the user, but does not count as
 * their words. Throws `IpcError` `bad_attachment`.
 */
export async function sentMessage(
  text: string,
  given: readonly Attachment[],
  { signal, servers }: AttachmentPorts,
): Promise<SentMessage> {
  const content = text.trim() === '' ? [] : [{ type: 'text', text } as const];
  if (content.length + given.length === 0)
    throw new IpcError('bad_input', 'conversations.send: text is empty and nothing is attached.');
  const prompts = given.filter((each) => each.kind === 'prompt');
  if (prompts.length > 1) throw new IpcError('bad_attachment', 'A message takes one prompt.');
  const files = given.filter((each) => each.kind !== 'resource' && each.kind !== 'prompt');
  refuseTooMuchMedia(files);
  const own = await Promise.all(files.map((attachment) => messageAttachment(attachment, signal)));
  // Sequentially, because each may need a question.
  const read: GivenContent<readonly MessageAttachment[]>[] = [];
  for (const each of given) if (each.kind === 'resource') read.push(await servers.resource(each));
  const prompt = prompts[0] === undefined ? undefined : servers.prompt(prompts[0].id);
  const attachments = [...own, ...read.flatMap((each) => each.content)];
  const ofServers = [...read, ...(prompt === undefined ? [] : [prompt])].flatMap(({ marks }) => marks);
  const marks = eachOnce([...own.flatMap(marksOf), ...ofServers]);
  return {
    content,
    ...(prompt === undefined ? {} : { prompt: prompt.content }),
    ...(attachments.length === 0 ? {} : { attachments }),
    ...(marks.length === 0 ? {} : { marks }),
  };
}

type FileAttachment = Exclude<Attachment, { kind: 'resource' | 'prompt' }>;
type MediaAttachment = Extract<Attachment, { kind: MediaKind }>;

/** The user attached it, so there is no question, but the context is still marked as containing a secret. */
function marksOf(attachment: MessageAttachment, index: number): readonly Mark[] {
  const name = attachment.name ?? `picture ${index + 1}`;
  const source = `attached file ${name}`;
  const isSecret = attachment.kind === 'text' && isSecretText(name, attachment.text);
  return [{ kind: 'private', source }, ...(isSecret ? [{ kind: 'secret', source } as const] : [])];
}

async function messageAttachment(attachment: FileAttachment, signal: AbortSignal): Promise<MessageAttachment> {
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
      if (!isImage(Buffer.from(attachment.data, 'base64'), attachment.mediaType))
        throw new IpcError('bad_attachment', notAnImageText(attachment.name));
      return { kind: 'image', name, mediaType: attachment.mediaType, data: attachment.data };
    case 'document':
    case 'audio':
      return attachedMedia(attachment, name);
    case 'docx':
      return { kind: 'text', name, text: withinLimit(attachment.name, await textOfDocument(attachment, signal)) };
  }
}

/** The bytes go on as they are; only what they are is looked at. */
function attachedMedia({ kind, name: given, data }: MediaAttachment, name: string): MessageAttachment {
  // Base64 has three bytes in four characters.
  const beginning = Buffer.from(data.slice(0, Math.ceil(TELLING_BYTES / 3) * 4), 'base64');
  const type = mediaTypeOf(beginning);
  if (type?.kind !== kind)
    throw new IpcError('bad_attachment', `${given} can’t be attached: it isn’t a PDF or an MP3 or WAV recording.`);
  return { kind, name, mediaType: type.mediaType, data };
}

function refuseTooMuchMedia(files: readonly FileAttachment[]): void {
  const bytes = files.reduce(
    (sum, file) => (file.kind === 'text' || file.kind === 'docx' ? sum : sum + Buffer.byteLength(file.data, 'base64')),
    0,
  );
  if (bytes <= MAX_MEDIA_BYTES) return;
  const most = `${MAX_MEDIA_BYTES / 1e6} MB`;
  throw new IpcError('bad_attachment', `The images, PDFs and recordings of a message may have up to ${most} together.`);
}

async function textOfDocument(
  { name, data }: Extract<Attachment, { kind: 'docx' }>,
  signal: AbortSignal,
): Promise<string> {
  try {
    return await docxText(Buffer.from(data, 'base64'), { signal });
  } catch (error) {
    if (signal.aborted) throw new IpcError('closing', 'Steward is closing.', { cause: error });
    const reason = errorMessage(error);
    throw new IpcError('bad_attachment', `${name} could not be attached: ${reason}.`, { cause: error });
  }
}

function withinLimit(name: string, text: string): string {
  if (Buffer.byteLength(text) <= MAX_TEXT_BYTES) return text;
  throw new IpcError('bad_attachment', `${name} is larger than ${MAX_TEXT_BYTES / 1e6} MB. Attach a part of it.`);
}
