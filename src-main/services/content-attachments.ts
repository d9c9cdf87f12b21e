import { MAX_TEXT_BYTES } from '../../src-preload/contract/attached-text.ts';
import type { MessageAttachment, ResourceOrigin } from '../../src-preload/contract/events.ts';
import { grouped } from '../base/text.ts';
import { isShowableImage } from '../mcp/content/prompt-messages.ts';
import type { ResourceContents } from '../mcp/content/server-content.ts';
import { attachedName } from '../storage/conversations/attached-text.ts';
import { ContentFailure } from './content-failure.ts';

/** One URI can have several contents, for example a folder. */
const MAX_CONTENTS = 100;
const MAX_NAME_LENGTH = 255;

/**
 * What a model is given of a resource: texts, supported images, and for anything else its size and type. Throws
 * `ContentFailure`.
 */
export function attachmentsOf(
  origin: ResourceOrigin,
  contents: readonly ResourceContents[],
): readonly MessageAttachment[] {
  if (contents.length === 0) throw new ContentFailure('failed', `${origin.uri} is empty.`);
  if (contents.length > MAX_CONTENTS) {
    const counts = `${grouped(contents.length)} parts, max ${grouped(MAX_CONTENTS)}`;
    throw new ContentFailure('too_large', `${origin.uri} is too large to attach (${counts}).`);
  }
  const bytes = contents.reduce((sum, { text = '' }) => sum + Buffer.byteLength(text), 0);
  if (bytes > MAX_TEXT_BYTES) {
    const counts = `${grouped(bytes)} bytes, max ${grouped(MAX_TEXT_BYTES)}`;
    throw new ContentFailure('too_large', `${origin.uri} is too large to attach (${counts}).`);
  }
  return contents.map((content) => attachmentOf(origin, content));
}

function attachmentOf({ server }: ResourceOrigin, { uri, mimeType, text, blob }: ResourceContents): MessageAttachment {
  const from = { server, uri };
  const name = attachedName(uri).slice(-MAX_NAME_LENGTH);
  if (text !== undefined) return { kind: 'text', name, text, from };
  const data = blob ?? '';
  if (mimeType !== undefined && isShowableImage(mimeType, data))
    return { kind: 'image', name, mediaType: mimeType, data, from };
  const size = Buffer.byteLength(data, 'base64');
  return { kind: 'text', name, text: `[${size} bytes of ${mimeType ?? 'application/octet-stream'}]`, from };
}
