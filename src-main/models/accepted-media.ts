import type { MediaBlock, TextBlock } from '../../src-preload/contract/content-blocks.ts';
import type { Message, ToolResultBlock, UserBlock } from './messages.ts';

export interface MediaAcceptance {
  readonly inMessage: (media: MediaBlock) => boolean;
  readonly inResult: (media: MediaBlock) => boolean;
}

/** Makes the text that is sent in place of a part. */
type Instead = (media: MediaBlock) => TextBlock;

/**
 * The messages with a text in place of each part that the model does not accept, so that it knows that there was one.
 */
export function withAcceptedMedia(
  messages: readonly Message[],
  accepted: MediaAcceptance,
  instead: Instead = notAccepted,
): readonly Message[] {
  return messages.map((message) =>
    message.role === 'user'
      ? { ...message, content: message.content.map((block) => inPlace(block, accepted, instead)) }
      : message,
  );
}

function inPlace(block: UserBlock, { inMessage, inResult }: MediaAcceptance, instead: Instead): UserBlock {
  switch (block.type) {
    case 'text':
      return block;
    case 'tool_result':
      return resultWith(block, inResult, instead);
    default:
      return inMessage(block) ? block : instead(block);
  }
}

function resultWith(
  block: ToolResultBlock,
  accepts: (media: MediaBlock) => boolean,
  instead: Instead,
): ToolResultBlock {
  const { media = [], ...result } = block;
  const left = media.filter((part) => !accepts(part));
  if (left.length === 0) return block;
  const kept = media.filter((part) => accepts(part));
  const content = [result.content, ...left.map((part) => instead(part).text)].join('\n');
  return { ...result, content, ...(kept.length === 0 ? {} : { media: kept }) };
}

const KINDS = { image: 'image', audio: 'recording', document: 'document' } as const;

/** The text that a model is given in place of a part that it does not accept. */
export function notAccepted(media: MediaBlock): TextBlock {
  return leftOut(media, 'this model does not accept it');
}

/** A text in place of a part that is not sent, so that the model knows that there was one. */
export function leftOut(media: MediaBlock, why: string): TextBlock {
  const name = media.type !== 'image' && media.name !== undefined ? ` ${JSON.stringify(media.name)}` : '';
  const text = `[The ${KINDS[media.type]}${name} (${media.mediaType}) is left out: ${why}. Do not guess what is in it.]`;
  return { type: 'text', text };
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Whether data is plain Base64. Services refuse a whole request because of one part that contains anything else. */
export function isBase64(data: string): boolean {
  return BASE64.test(data);
}
