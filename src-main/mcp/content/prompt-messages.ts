import type { ImageBlock, TextBlock } from '../../../src-preload/contract/content-blocks.ts';
import type { PromptMessage } from '../../../src-preload/contract/events.ts';
import { isRecord } from '../../base/json.ts';
import { grouped } from '../../base/text.ts';
import { resourceText } from '../../storage/conversations/attached-text.ts';
import { type CallPart, callPart, partText } from '../calls/call-result.ts';

/** The image types that models accept. */
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const MAX_MESSAGES = 1_000;
const MAX_CHARACTERS = 1_000_000;
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

export type { PromptMessage } from '../../../src-preload/contract/events.ts';

/**
 * The messages of a prompt with their roles. Content that models can't take is described in text. Throws if the prompt
 * is too large or empty.
 */
export function promptMessages(given: readonly unknown[]): readonly PromptMessage[] {
  if (given.length > MAX_MESSAGES)
    throw new Error(`The prompt has ${grouped(given.length)} messages, max ${grouped(MAX_MESSAGES)}`);
  const messages = given.flatMap((each) => messageOf(each) ?? []);
  if (messages.length === 0) throw new Error('The prompt has no messages');
  const characters = messages
    .flatMap(({ content }) => content)
    .reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0);
  if (characters > MAX_CHARACTERS)
    throw new Error(`The prompt is too long (${grouped(characters)} characters, max ${grouped(MAX_CHARACTERS)})`);
  return messages;
}

/** Whether a model can be given this image. */
export function isShowableImage(mediaType: string, data: string): boolean {
  return IMAGE_TYPES.has(mediaType) && Buffer.byteLength(data, 'base64') <= MAX_IMAGE_BYTES;
}

function messageOf(message: unknown): PromptMessage | undefined {
  if (!isRecord(message)) return undefined;
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant') return undefined;
  // One block in every revision so far; several are harmless.
  const blocks = (Array.isArray(content) ? content : [content]).flatMap((each) => blockOf(callPart(each), role) ?? []);
  return blocks.length === 0 ? undefined : { role, content: blocks };
}

function blockOf(part: CallPart, role: PromptMessage['role']): TextBlock | ImageBlock | undefined {
  const image = imageIn(part);
  // Only user messages may contain images.
  if (role === 'user' && image !== undefined) return image;
  const text = part.type === 'resource' && part.text !== undefined ? resourceText(part.uri, part.text) : partText(part);
  return text === undefined || text === '' ? undefined : { type: 'text', text };
}

function imageIn(part: CallPart): ImageBlock | undefined {
  if (part.type !== 'image' && part.type !== 'resource') return undefined;
  const { mediaType, data } = part;
  if (mediaType === undefined || data === undefined || !isShowableImage(mediaType, data)) return undefined;
  return { type: 'image', mediaType, data };
}
