import { type DecodedText, decodeText } from '../../../base/encoding/text-encoding.ts';
import type { HttpResponse } from '../../../network/http.ts';

/** Pages declare it near their beginning; the standard examines 1,024 bytes, but many pages declare it later. */
const SEARCHED_BYTES = 4_096;

/**
 * Decodes bytes by their byte order mark, else the charset of the header, else (`isMarkup`) the page's own `<meta>` or
 * XML declaration, else as `decodeText` does. An unknown charset is ignored; invalid bytes become U+FFFD. Source: tool
 * catalogue B.3.
 */
export async function decodeBody(
  body: Uint8Array,
  contentType: string | undefined,
  isMarkup: boolean,
): Promise<DecodedText> {
  const inHeader = /;\s*charset\s*=\s*(?:["']\s*)?([^\s"';,]+)/i.exec(contentType ?? '')?.[1];
  return decodeText(body, [inHeader, ...(isMarkup ? await labelsInMarkup(body) : [])]);
}

/** Decodes a response that is a page. */
export function decodePage({ body, headers }: Pick<HttpResponse, 'body' | 'headers'>): Promise<DecodedText> {
  return decodeBody(body, headers['content-type'], true);
}

/** The labels of each `<meta>`, then of the XML declaration. */
async function labelsInMarkup(body: Uint8Array): Promise<readonly string[]> {
  const head = Buffer.from(body.subarray(0, SEARCHED_BYTES)).toString('latin1');
  const { Parser } = await import('htmlparser2');
  const labels: (string | undefined)[] = [];
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (name === 'meta') labels.push(labelInMeta(attributes));
    },
  });
  parser.write(head);
  labels.push(/^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)/.exec(head)?.[1]);
  // Markup that can be read as ASCII is not UTF-16:
  // https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding
  return labels.filter((label) => label !== undefined).map((label) => (/^utf-?16/i.test(label) ? 'utf-8' : label));
}

/** Descriptions may mention charsets too: `content` counts only with `http-equiv`. */
function labelInMeta(attributes: Readonly<Record<string, string>>): string | undefined {
  const { charset, content = '' } = attributes;
  if (charset !== undefined) return charset.trim();
  if (attributes['http-equiv']?.trim().toLowerCase() !== 'content-type') return undefined;
  return /charset\s*=\s*(?:["']\s*)?([^\s"';]+)/i.exec(content)?.[1];
}
