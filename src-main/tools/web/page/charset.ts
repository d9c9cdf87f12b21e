import { TextDecoder } from 'node:util';
import { encodingOf } from '../../files/text-encoding.ts';

/** Pages declare it near their beginning; the standard examines 1,024 bytes, but many pages declare it later. */
const SEARCHED_BYTES = 4_096;

/**
 * Decodes bytes using the charset of the header, else the byte order mark, else (`isMarkup`) the page's own `<meta>` or XML declaration,
 * else UTF-8. An unknown charset is ignored; invalid bytes become U+FFFD. Source: tool catalogue B.3.
 */
export async function decodeBody(
  body: Uint8Array,
  contentType: string | undefined,
  isMarkup: boolean,
): Promise<string> {
  const mark = encodingOf(body);
  const decoder =
    decoderOf(/;\s*charset\s*=\s*["']?\s*([^\s"';,]+)/i.exec(contentType ?? '')?.[1]) ??
    (mark.bomBytes > 0 ? new TextDecoder(mark.name) : undefined) ??
    (isMarkup ? await statedInMarkup(body) : undefined) ??
    new TextDecoder();
  return decoder.decode(body);
}

function decoderOf(label: string | undefined): TextDecoder | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    // Not a charset according to https://encoding.spec.whatwg.org/#names-and-labels.
    return undefined;
  }
}

/** From the first `<meta>` with a known charset, else from the XML declaration. */
async function statedInMarkup(body: Uint8Array): Promise<TextDecoder | undefined> {
  const head = Buffer.from(body.subarray(0, SEARCHED_BYTES)).toString('latin1');
  const { Parser } = await import('htmlparser2');
  const labels: (string | undefined)[] = [];
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (name === 'meta') labels.push(statedInMeta(attributes));
    },
  });
  parser.write(head);
  labels.push(/^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)/.exec(head)?.[1]);
  for (const label of labels) {
    // Markup that can be read as ASCII is not UTF-16: https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding
    const decoder = decoderOf(label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label);
    if (decoder !== undefined) return decoder;
  }
  return undefined;
}

/** Descriptions may mention charsets too: `content` counts only with `http-equiv`. */
function statedInMeta(attributes: Readonly<Record<string, string>>): string | undefined {
  const { charset, content = '' } = attributes;
  if (charset !== undefined) return charset.trim();
  if (attributes['http-equiv']?.trim().toLowerCase() !== 'content-type') return undefined;
  return /charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(content)?.[1];
}
