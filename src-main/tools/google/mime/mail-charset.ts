import { isUtf8 } from 'node:buffer';
import { decodeBody as decodeBytes } from '../../web/page/charset.ts';

/** In these charsets, bytes that happen to be UTF-8 as well would be odd sequences that no one writes (`Ã¼`). */
const ONE_BYTE_CHARSET = /charset\s*=\s*(?:["']\s*)?(?:iso-?8859|windows-|cp-?125|latin|us-ascii|macintosh|koi8)/i;

/**
 * Decodes the text of a body in base64url, with or without padding and whitespace. `contentType` is its header, which
 * names the charset; if it is missing, `decodeText` decides. Source: tool catalogue F.1.
 */
export async function decodeBody(data: string, contentType: string): Promise<string> {
  const bytes = Buffer.from(data, 'base64url');
  // Some senders label UTF-8 with an old charset.
  const isMislabelled = ONE_BYTE_CHARSET.test(contentType) && isUtf8(bytes);
  const { text } = await decodeBytes(bytes, isMislabelled ? undefined : contentType, false);
  return text.replace(/\r\n?/g, '\n');
}
