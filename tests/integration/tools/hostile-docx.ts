import {
  documentXml,
  docxEntries,
  OFFICE,
  packedDocx,
  paragraph,
  RELATIONSHIPS,
  type ZipEntry,
  zipOf,
} from './docx-fixture.ts';

const document = 'word/document.xml';
const packed = (name: string, content: string | Buffer, more: Partial<ZipEntry> = {}): ZipEntry => ({
  name,
  content,
  isDeflated: true,
  ...more,
});
const replaced = (entry: ZipEntry) => docxEntries('').map((each) => (each.name === entry.name ? entry : each));
const attributes = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `${name(index)}="1"`).join(' ');

export interface HostileDocx {
  readonly name: string;
  readonly make: () => Buffer;
  readonly reason: RegExp;
}

/** Small files that were made to keep their reader busy, to fill its memory, or to be read otherwise than they are shown. */
export const HOSTILE_DOCX: readonly HostileDocx[] = [
  {
    name: 'a part of 350 MB in 340 kB',
    make: () => packedDocx(Buffer.alloc(350e6, ' ')),
    reason: /its part word\/document\.xml unpacks to more than the 50,331,648 bytes that can be read$/,
  },
  {
    name: 'a size that is a lie',
    make: () => zipOf(replaced(packed(document, Buffer.alloc(60e6, ' '), { claimedBytes: 100 }))),
    reason: /too many bytes in the stream/,
  },
  {
    name: 'a size that is not even there',
    make: () => zipOf(replaced(packed(document, 'x', { claimedBytes: 0xffff_0000 }))),
    reason: /its part word\/document\.xml unpacks to more than/,
  },
  {
    name: 'the same part for everything',
    make: () => {
      const related = ['styles', 'numbering', 'footnotes', 'endnotes', 'comments']
        .map((type, index) => `<Relationship Id="r${index}" Type="${OFFICE}/${type}" Target="document.xml"/>`)
        .join('');
      const relationships = `<Relationships xmlns="${RELATIONSHIPS}">${related}</Relationships>`;
      return packedDocx(documentXml(paragraph(' '.repeat(24e6))), [
        packed('word/_rels/document.xml.rels', relationships),
      ]);
    },
    reason: /it unpacks to more than the 67,108,864 bytes/,
  },
  {
    name: 'more elements than memory',
    make: () => packedDocx(documentXml('<w:p/>'.repeat(1_100_000))),
    reason: /more than the 1,000,000 elements, attributes and texts/,
  },
  {
    name: 'more attributes than memory',
    make: () => packedDocx(documentXml(`<w:p ${attributes(1_100_000, (index) => `a${index}`)}/>`)),
    reason: /more than the 1,000,000 elements, attributes and texts/,
  },
  {
    name: 'texts that become longer when they are written anew',
    make: () => packedDocx(documentXml(`<w:p a='${'"'.repeat(12e6)}'/>`)),
    reason: /more than the 67,108,864 characters/,
  },
  {
    name: 'a text that nobody reads to its end',
    make: () => packedDocx(documentXml(paragraph('x'.repeat(11e6)))),
    reason: /its text is longer than the 10,000,000 characters/,
  },
  {
    name: 'elements in elements in elements',
    make: () => packedDocx(documentXml('<w:p>'.repeat(100_000) + '</w:p>'.repeat(100_000))),
    reason: /nested more than 256 levels deep/,
  },
  {
    name: 'a namespace in every element',
    make: () => packedDocx(documentXml(Array.from({ length: 300 }, (_, at) => `<w:p xmlns:a${at}="u"/>`).join(''))),
    reason: /more than 200 prefixes of namespaces/,
  },
  {
    name: 'what a parser reads anew at every character',
    make: () => packedDocx(documentXml('<'.repeat(2e6))),
    reason: /its XML is damaged/,
  },
  {
    name: 'entities of entities',
    make: () =>
      packedDocx(`<!DOCTYPE a [<!ENTITY b "${'x'.repeat(1e4)}">]>${documentXml(paragraph('&b;'.repeat(1e4)))}`),
    reason: /it declares a document type/,
  },
  {
    name: 'a file of this machine as an entity',
    make: () => packedDocx(`<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${documentXml(paragraph('&b;'))}`),
    reason: /it declares a document type/,
  },
  {
    name: 'more files than any document has',
    make: () =>
      packedDocx(
        documentXml(''),
        Array.from({ length: 20_000 }, (_, index) => ({ name: `word/media/${index}.png`, content: '' })),
      ),
    reason: /it has 20,003 parts, more than the 20,000/,
  },
  {
    name: 'a number of files that is a lie',
    make: () => zipOf(docxEntries(documentXml('')), 60_000),
    reason: /it has 60,000 parts/,
  },
  {
    name: 'two texts, of which a person sees one',
    make: () => packedDocx(documentXml(paragraph('shown')), [packed(document, documentXml(paragraph('read')))]),
    reason: /it has two parts named word\/document\.xml/,
  },
  {
    name: 'a way out of the archive',
    make: () => packedDocx(documentXml(''), [packed('../../etc/passwd', 'x')]),
    reason: /invalid relative path/,
  },
  {
    name: 'an attribute that only some see',
    make: () => packedDocx(documentXml('<w:p a=b c d/>')),
    reason: /its XML is damaged: the attribute a has no value in quotes/,
  },
  {
    name: 'a name that is none',
    make: () => packedDocx(documentXml('<w:p"x/>')),
    reason: /its XML is damaged: w:p"x is no name/,
  },
  { name: 'an end that is missing', make: () => packedDocx('<a><b>'), reason: /it ends within an element/ },
  { name: 'elements that overlap', make: () => packedDocx('<a><b></a>'), reason: /the element b is not closed/ },
  { name: 'no element at all', make: () => packedDocx('  '), reason: /its XML is damaged$/ },
  {
    name: 'a password',
    make: () => zipOf(docxEntries(documentXml('')).map((entry) => ({ ...entry, isDeflated: true, isEncrypted: true }))),
    reason: /it is protected with a password$/,
  },
  {
    name: 'a password of Word',
    make: () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(5_000)]),
    reason: /it is protected with a password, or older than Word 2007/,
  },
  { name: 'a file that was cut off', make: () => packedDocx(documentXml('')).subarray(0, 400), reason: /truncated/ },
  { name: 'no archive', make: () => Buffer.from('no zip'), reason: /Either not a zip file/ },
  { name: 'nothing', make: () => Buffer.alloc(0), reason: /Either not a zip file/ },
  {
    name: 'an archive of something else',
    make: () => zipOf([packed('a.txt', 'a')]),
    reason: /Could not find main document/,
  },
];
