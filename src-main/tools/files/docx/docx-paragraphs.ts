import { randomUUID } from 'node:crypto';
import { TextDecoder } from 'node:util';
import mammoth from 'mammoth';
import { errorMessage } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json.ts';
import { grouped } from '../../../base/text.ts';
import { boundedXml, MAX_XML_NODES } from './bounded-xml.ts';
import { headerParts } from './header-parts.ts';
import { ListNumbers } from './list-numbers.ts';
import { WordEdits } from './word-edits.ts';
import { WordText } from './word-text.ts';
import { type ZipLimits, ZipParts } from './zip-parts.ts';

/** A document with thousands of pictures is acceptable; 64 MiB of WordprocessingML are about 3,000 pages. */
const LIMITS: ZipLimits = { maxEntries: 20_000, maxPartBytes: 48 * 1024 * 1024, maxTotalBytes: 64 * 1024 * 1024 };

/** The most characters of text; the Bible has 4,500,000. */
const MAX_CHARACTERS = 10_000_000;

/**
 * The first bytes of files that Word protects with a password, and of files from before Word 2007: [MS-CFB], section
 * 2.2.
 */
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** What mammoth's own lib/unzip.js (1.13) returns for an opened archive. Its types don't have it. */
type MammothInput = Parameters<typeof mammoth.convertToHtml>[0];

/**
 * Reads the text of a Word document; see `docxText`, in whose thread this runs. Mammoth unpacks nothing itself: it
 * receives each part it asks for, within the limits, and never asks for pictures, because everything that would show
 * them was removed.
 */
export async function docxParagraphs(
  bytes: Buffer,
  onProgress: (text: string) => void = () => undefined,
): Promise<string> {
  if (bytes.subarray(0, COMPOUND_FILE.length).equals(COMPOUND_FILE))
    throw new Error('it is protected with a password, or older than Word 2007. Save it as .docx without a password');
  const parts = await ZipParts.open(bytes, LIMITS);
  const source = new WordParts(parts, onProgress);
  const archive: object = {
    file: {
      // The mapping of styles to HTML is irrelevant here.
      exists: (name: string) => parts.has(name) && name !== 'mammoth/style-map',
      read: async (name: string, encoding?: string) => {
        if (encoding !== 'utf-8') throw new Error(`no reader for ${name} as ${encoding ?? 'bytes'}`);
        return source.read(name);
      },
    },
  };
  let text = '';
  try {
    await mammoth.convertToHtml(archive as MammothInput, {
      includeEmbeddedStyleMap: false,
      transformDocument: (document: unknown) => {
        text = source.textOf(document);
        return isRecord(document) ? { ...document, children: [], comments: [] } : document;
      },
    });
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  }
  if (text.length > MAX_CHARACTERS)
    throw new Error(`its text is longer than the ${grouped(MAX_CHARACTERS)} characters that can be read`);
  return text;
}

/** The most characters before the root element, including comments. */
const PROLOGUE = 2_000;

/** The parts of a document as mammoth gets them, and what it makes of them as text. */
class WordParts {
  readonly #parts: ZipParts;
  readonly #onProgress: (text: string) => void;
  readonly #budget = { nodesLeft: MAX_XML_NODES };
  #numberingXml = '';
  #stylesXml = '';
  /** Nobody can guess these marks, so no document can pass its own text for a header. */
  readonly #marks = { header: randomUUID(), footer: randomUUID(), end: randomUUID() };

  constructor(parts: ZipParts, onProgress: (text: string) => void) {
    this.#parts = parts;
    this.#onProgress = onProgress;
  }

  async read(name: string): Promise<string> {
    const source = await this.#source(name);
    if (/<w:document[\s>]/.test(source.slice(0, PROLOGUE))) return this.#document(name, source);
    const xml = boundedXml(source, this.#budget, new WordEdits()).trim();
    if (xml.startsWith('<w:numbering')) this.#numberingXml = xml;
    if (xml.startsWith('<w:styles')) this.#stylesXml = xml;
    return xml;
  }

  /** Returns the document with its headers and footers, which mammoth doesn't read, at the end. */
  async #document(name: string, source: string): Promise<string> {
    this.#onProgress(`Reading ${grouped(source.length)} characters of Word’s XML…\n`);
    const numbers = new ListNumbers(this.#numberingXml, this.#stylesXml);
    const xml = boundedXml(source, this.#budget, new WordEdits({ numbers }));
    const end = xml.lastIndexOf('</w:body>');
    if (end === -1) return xml;
    const added: string[] = [];
    for (const { kind, xml: part } of await headerParts(name, this.#parts, (each, edits) => this.#bounded(each, edits)))
      added.push(marker(this.#marks[kind]), part);
    this.#onProgress('Reading its paragraphs…\n');
    return added.length === 0 ? xml : `${xml.slice(0, end)}${added.join('')}${xml.slice(end)}`;
  }

  async #bounded(name: string, edits?: WordEdits): Promise<string> {
    return boundedXml(await this.#source(name), this.#budget, edits);
  }

  async #source(name: string): Promise<string> {
    return new TextDecoder().decode(await this.#parts.read(name));
  }

  /** Returns the text of mammoth's document tree. */
  textOf(document: unknown): string {
    const reader = new WordText();
    const { header, footer } = this.#marks;
    const parts: Record<'body' | 'header' | 'footer', string[][]> = { body: [[]], header: [], footer: [] };
    let into = parts.body;
    for (const paragraph of reader.read(isRecord(document) ? document.children : [])) {
      if (paragraph === header || paragraph === footer) {
        into = paragraph === header ? parts.header : parts.footer;
        into.push([]);
      } else {
        into.at(-1)?.push(paragraph);
      }
    }
    const sections = [
      ...section('Footnotes:', notesOf(document, 'footnote', reader)),
      ...section('Endnotes:', notesOf(document, 'endnote', reader)),
      ...section('Comments:', commentsOf(document)),
      ...section('Headers:', distinct(parts.header)),
      ...section('Footers:', distinct(parts.footer)),
    ];
    return [...(parts.body[0] ?? []), ...sections].join('\n');
  }
}

function marker(text: string): string {
  return `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

/** Puts lines under a title on a line of its own, after an empty one. */
function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}

function joined(paragraphs: readonly string[]): string {
  return paragraphs.join('\n').trim();
}

/** Removes repeated parts, because sections of a document often have the same header. */
function distinct(parts: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(parts.map(joined))].filter((text) => text !== '');
}

/** Returns the notes of a kind that the text refers to. A note can refer to another. */
function notesOf(document: unknown, type: string, reader: WordText): readonly string[] {
  const notes = isRecord(document) ? document.notes : undefined;
  if (!isRecord(notes) || typeof notes.resolve !== 'function') return [];
  const lines: string[] = [];
  for (const [id, number] of reader.noteNumbers(type)) {
    const note: unknown = notes.resolve({ noteType: type, noteId: id });
    if (isRecord(note)) lines.push(`[${number}] ${joined(reader.read(note.body))}`);
  }
  return lines;
}

function commentsOf(document: unknown): readonly string[] {
  const comments = isRecord(document) && Array.isArray(document.comments) ? document.comments : [];
  return comments.flatMap((comment: unknown) => {
    if (!isRecord(comment)) return [];
    const author = String(comment.authorName ?? comment.authorInitials ?? 'Unknown');
    const text = joined(new WordText().read(comment.body));
    return text === '' ? [] : [`${author}: ${text}`];
  });
}

/** Mammoth's parser reports errors without a position. */
function reasonOf(error: unknown): string {
  // The reader throws this for a part without any element.
  if (error instanceof TypeError) return 'its XML is damaged';
  const message = errorMessage(error);
  const [, problem] = /^\w+: \[xmldom \w+\]\s*(.*)/.exec(message) ?? [];
  return problem === undefined ? message : `its XML is damaged: ${problem}`;
}
