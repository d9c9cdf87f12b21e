import { isUnreadableKind, whyNotAttachable } from '../../../src-preload/contract/attachable.ts';
import {
  ABILITY_FOR,
  MAX_MEDIA_BYTES,
  type MediaKind,
  mediaTypeOf,
  TELLING_BYTES,
} from '../../../src-preload/contract/attached-media.ts';
import { MAX_TEXT_BYTES } from '../../../src-preload/contract/attached-text.ts';
import type { Attachment } from '../../../src-preload/contract/conversations.ts';
import { notAnImageText } from '../../../src-preload/contract/image-bytes.ts';
import type { PreparedPrompt } from '../../../src-preload/contract/server-content.ts';
import type { ModelChoice } from '../../../src-preload/contract/settings.ts';
import { sizeText } from '../../ui/amounts.ts';

/** An attachment that has not been sent yet, with what its chip shows. */
export interface PendingAttachment {
  readonly id: number;
  readonly attachment: Attachment;
  readonly bytes: number;
  /** The text was pasted and is not a file. */
  readonly isPasted?: true;
  /** The text of an attached prompt. */
  readonly prepared?: PreparedPrompt;
}

/** The contract's limits, for people. */
export const MAX_ATTACHMENTS = 20;
const MAX_IMAGE_BYTES = 5_000_000;
const MAX_DOCX_BYTES = 20_000_000;
const MAX_NAME_LENGTH = 255;

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
const DOCX_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** The file types that the system's file dialog offers first. */
export const ACCEPTED = [
  ...IMAGE_TYPES,
  DOCX_TYPE,
  '.docx',
  'application/pdf,audio/mpeg,audio/wav',
  '.pdf,.mp3,.wav',
  'text/*',
  '.md,.json,.yml,.yaml,.toml,.csv,.ts,.js,.py,.sh,.sql,.log',
].join(',');

/** A file that cannot be attached; the message says why. */
export class NotAttachable extends Error {
  override readonly name = 'NotAttachable';
}

const MEDIA = {
  document: { what: 'A PDF', ability: 'read PDFs', instead: 'paste its text' },
  audio: { what: 'A recording', ability: 'listen to recordings', instead: 'attach a transcript' },
} as const;

/** `model` is the one that will answer, if known. Rejects with `NotAttachable`. */
export async function attachmentFrom(file: File, model?: ModelChoice): Promise<Attachment> {
  const name = (file.name === '' ? 'pasted' : file.name).slice(-MAX_NAME_LENGTH);
  const media = mediaTypeOf(new Uint8Array(await file.slice(0, TELLING_BYTES).arrayBuffer()));
  if (media !== null) {
    const { kind } = media;
    refuseOver(file, name, MAX_MEDIA_BYTES, MEDIA[kind].what);
    if (model !== undefined && !takes(model, kind))
      throw new NotAttachable(
        `${name} can’t be attached: ${whoCannot(model, kind)}. Choose another model, or ${MEDIA[kind].instead}.`,
      );
    return { kind, name, data: await base64Of(file) };
  }
  const imageType = IMAGE_TYPES.find((type) => type === file.type);
  if (imageType !== undefined) {
    refuseOver(file, name, MAX_IMAGE_BYTES, 'An image');
    await refuseUnreadable(file, name);
    return { kind: 'image', name, mediaType: imageType, data: await base64Of(file) };
  }
  if (file.type === DOCX_TYPE || /\.docx$/i.test(name)) {
    refuseOver(file, name, MAX_DOCX_BYTES, 'A Word document');
    return { kind: 'docx', name, data: await base64Of(file) };
  }
  // Files that can't be read at any size are not reported as too large.
  if (file.size > MAX_TEXT_BYTES && isUnreadableKind(name))
    throw new NotAttachable(whyNotAttachable(name, null) ?? name);
  refuseOver(file, name, MAX_TEXT_BYTES, 'A text');
  return { kind: 'text', name, text: await textOf(file, name) };
}

export function takes({ abilities }: ModelChoice, kind: MediaKind): boolean {
  return abilities.includes(ABILITY_FOR[kind]);
}

/** Says who can't take it: `Claude Sonnet 5.5 can’t listen to recordings`. */
export function whoCannot({ label, attachedRoom }: ModelChoice, kind: MediaKind): string {
  return `${attachedRoom === null ? `The ${label}` : label} can’t ${MEDIA[kind].ability}`;
}

/** Throws `NotAttachable` if one more image, PDF or recording is more than a message may have. */
export function refuseTooMuchMedia(attached: readonly PendingAttachment[], more: Attachment, bytes: number): void {
  const isMedia = ({ kind }: Attachment) => kind === 'image' || kind === 'document' || kind === 'audio';
  const before = attached.reduce((sum, each) => (isMedia(each.attachment) ? sum + each.bytes : sum), 0);
  if (!isMedia(more) || before + bytes <= MAX_MEDIA_BYTES) return;
  const most = sizeText(MAX_MEDIA_BYTES);
  throw new NotAttachable(
    `There is no room for ${more.name}. The images, PDFs and recordings of a message may have up to ${most} together.`,
  );
}

/**
 * Attaches a paste that is too long for the message field. `count` is the number of pastes that are already attached.
 * Throws `NotAttachable`.
 */
export function pastedText(text: string, count: number): Pick<PendingAttachment, 'attachment' | 'bytes' | 'isPasted'> {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > MAX_TEXT_BYTES)
    throw new NotAttachable(
      `The text on the clipboard is too large (${sizeText(bytes)}). Up to ${sizeText(MAX_TEXT_BYTES)} can be pasted. Your draft is unchanged.`,
    );
  const name = count === 0 ? PASTED_NAME : `${PASTED_NAME} ${count + 1}`;
  return { attachment: { kind: 'text', name, text }, bytes, isPasted: true };
}

const PASTED_NAME = 'Pasted text';

function refuseOver(file: File, name: string, mostBytes: number, what: string): void {
  if (file.size <= mostBytes) return;
  throw new NotAttachable(
    `${name} is too large (${sizeText(file.size)}). ${what} may be up to ${sizeText(mostBytes)}.`,
  );
}

/** A service that can't read an image refuses the whole conversation from then on. */
async function refuseUnreadable(file: File, name: string): Promise<void> {
  try {
    (await createImageBitmap(file)).close();
  } catch (error) {
    throw new NotAttachable(notAnImageText(name), { cause: error });
  }
}

async function textOf(file: File, name: string): Promise<string> {
  const bytes = await file.arrayBuffer();
  const text = decoded(bytes);
  const why = whyNotAttachable(name, text);
  if (text === null || why !== null) throw new NotAttachable(why ?? name);
  return text;
}

/** Null if the bytes are not UTF-8. */
function decoded(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const pieces: string[] = [];
  // These many bytes are passed as arguments of one call; more would overflow the stack.
  const PIECE = 0x8000;
  for (let at = 0; at < bytes.length; at += PIECE) pieces.push(String.fromCharCode(...bytes.subarray(at, at + PIECE)));
  return btoa(pieces.join(''));
}
