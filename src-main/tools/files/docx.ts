import { isRecord } from '../../base/json.ts';
import { grouped } from '../../base/text.ts';

/** A small archive may unpack to anything: more than this is not tried. */
const MAX_UNPACKED_BYTES = 300 * 1024 * 1024;

/**
 * The paragraphs of a Word document in document order, those in table cells included, joined by newlines. Throws with the
 * reason if it is damaged. Source: tool catalogue B.1, read_file.
 *
 * Like mammoth's `extractRawText`, except that a line break within a paragraph is one: there the words around it run together.
 */
export async function docxText(bytes: Buffer): Promise<string> {
  const unpacked = unpackedBytes(bytes);
  if (unpacked > MAX_UNPACKED_BYTES) {
    throw new Error(
      `the document unpacks to ${grouped(unpacked)} bytes, more than the ${grouped(MAX_UNPACKED_BYTES)} that can be read`,
    );
  }
  const { convertToHtml } = (await import('mammoth')).default;
  let paragraphs: readonly string[] = [];
  await convertToHtml(
    { buffer: bytes },
    {
      includeEmbeddedStyleMap: false,
      transformDocument: (document: unknown) => {
        paragraphs = paragraphsOf(document);
        // Nothing is left to be made into HTML, pictures least of all.
        return isRecord(document) ? { ...document, children: [] } : document;
      },
    },
  );
  return paragraphs.join('\n');
}

/** Of mammoth's tree of a document. What a text box in a paragraph holds comes before the end of that paragraph. */
function paragraphsOf(document: unknown): string[] {
  const paragraphs: string[] = [];
  let text = '';
  const read = (element: unknown) => {
    if (!isRecord(element)) return;
    if (element.type === 'text') text += String(element.value);
    else if (element.type === 'tab') text += '\t';
    else if (element.type === 'break' && element.breakType === 'line') text += '\n';
    else if (Array.isArray(element.children)) element.children.forEach(read);
    if (element.type !== 'paragraph') return;
    paragraphs.push(text);
    text = '';
  };
  read(document);
  return paragraphs;
}

const CENTRAL_ENTRY = 0x02014b50;
const END_OF_CENTRAL_DIRECTORY = 0x06054b50;

/** What a zip archive says of its size, from its central directory (APPNOTE.TXT 4.3.12, 4.3.16); 0 if it is not one. */
function unpackedBytes(bytes: Buffer): number {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end === -1 || end + 20 > bytes.length || bytes.readUInt32LE(end) !== END_OF_CENTRAL_DIRECTORY) return 0;
  let entry = bytes.readUInt32LE(end + 16);
  let total = 0;
  while (entry + 46 <= end && bytes.readUInt32LE(entry) === CENTRAL_ENTRY) {
    total += bytes.readUInt32LE(entry + 24);
    entry += 46 + bytes.readUInt16LE(entry + 28) + bytes.readUInt16LE(entry + 30) + bytes.readUInt16LE(entry + 32);
  }
  return total;
}
