import mammoth from 'mammoth';
import { errorMessage } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json.ts';
import { grouped } from '../../../base/text.ts';
import { boundedXml, MAX_XML_NODES } from './bounded-xml.ts';
import { type ZipLimits, ZipParts } from './zip-parts.ts';

/** A document with thousands of pictures is acceptable; 64 MiB of WordprocessingML are about 3,000 pages. */
const LIMITS: ZipLimits = { maxEntries: 20_000, maxPartBytes: 48 * 1024 * 1024, maxTotalBytes: 64 * 1024 * 1024 };

/** Characters of text; the Bible has 4,500,000. */
const MAX_CHARACTERS = 10_000_000;

/** The first bytes of files that Word protects with a password, and of files from before Word 2007: [MS-CFB], section 2.2. */
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** What mammoth's own lib/unzip.js (1.13) returns for an opened archive; not in its types. */
type MammothInput = Parameters<typeof mammoth.convertToHtml>[0];

/**
 * The text of a Word document; see `docxText`, in whose thread this runs. Mammoth unpacks nothing itself: it receives each part it asks
 * for, within the limits, and never asks for pictures, because everything that would show them was removed.
 */
export async function docxParagraphs(bytes: Buffer): Promise<string> {
  if (bytes.subarray(0, COMPOUND_FILE.length).equals(COMPOUND_FILE))
    throw new Error('it is protected with a password, or older than Word 2007. Save it as .docx without a password');
  const parts = await ZipParts.open(bytes, LIMITS);
  const budget = { nodesLeft: MAX_XML_NODES };
  const archive: object = {
    file: {
      // Its mapping of styles to HTML is irrelevant here.
      exists: (name: string) => parts.has(name) && name !== 'mammoth/style-map',
      read: async (name: string, encoding?: string) => {
        if (encoding !== 'utf-8') throw new Error(`no reader for ${name} as ${encoding ?? 'bytes'}`);
        return boundedXml(new TextDecoder().decode(await parts.read(name)), budget);
      },
    },
  };
  let paragraphs: readonly string[] = [];
  try {
    await mammoth.convertToHtml(archive as MammothInput, {
      includeEmbeddedStyleMap: false,
      transformDocument: (document: unknown) => {
        paragraphs = paragraphsOf(document);
        return isRecord(document) ? { ...document, children: [] } : document;
      },
    });
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  }
  const text = paragraphs.join('\n');
  if (text.length > MAX_CHARACTERS)
    throw new Error(`its text is longer than the ${grouped(MAX_CHARACTERS)} characters that can be read`);
  return text;
}

/** In mammoth's document tree. The content of a text box comes before the end of the paragraph that holds it. */
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

/** Mammoth's parser reports errors without a position. */
function reasonOf(error: unknown): string {
  // For a part without any element.
  if (error instanceof TypeError) return 'its XML is damaged';
  const message = errorMessage(error);
  const [, problem] = /^\w+: \[xmldom \w+\]\s*(.*)/.exec(message) ?? [];
  return problem === undefined ? message : `its XML is damaged: ${problem}`;
}
