import { crc32, deflateRawSync } from 'node:zlib';

const MAIN = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
export const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
export const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A file in a zip archive, and what the archive says of it. */
export interface ZipEntry {
  readonly name: string;
  readonly content: string | Buffer;
  /** Default: stored as it is. */
  readonly isDeflated?: boolean;
  /** Default: the content's own size. */
  readonly claimedBytes?: number;
  readonly isEncrypted?: boolean;
}

/** A Word document of this body (WordprocessingML inside `w:body`), as a zip archive without compression. */
export function docxWith(body: string): Buffer {
  return zipOf(docxEntries(documentXml(body)));
}

/** The same, small. `more`: further files. */
export function packedDocx(document: string | Buffer, more: readonly ZipEntry[] = []): Buffer {
  return zipOf([...docxEntries(document).map((entry) => ({ ...entry, isDeflated: true })), ...more]);
}

export function docxEntries(document: string | Buffer): ZipEntry[] {
  return [
    {
      name: '[Content_Types].xml',
      content:
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    },
    {
      name: '_rels/.rels',
      content: `<Relationships xmlns="${RELATIONSHIPS}"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    },
    { name: 'word/document.xml', content: document },
  ];
}

export function documentXml(body: string): string {
  return `<w:document xmlns:w="${MAIN}"><w:body>${body}</w:body></w:document>`;
}

export const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

/** `claimedCount`: how many files the archive says it has. */
export function zipOf(files: readonly ZipEntry[], claimedCount = files.length): Buffer {
  const parts: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const { name, content, isDeflated = false, claimedBytes, isEncrypted = false } of files) {
    const bytes = Buffer.from(content);
    const packed = isDeflated ? deflateRawSync(bytes) : bytes;
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(isEncrypted ? 1 : 0, 2);
    fields.writeUInt16LE(isDeflated ? 8 : 0, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(claimedBytes ?? bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
    const trailer = Buffer.alloc(14);
    trailer.writeUInt32LE(offset, 10);
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, trailer, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(claimedCount, 4);
  end.writeUInt16LE(claimedCount, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, directory, Buffer.from('PK\x05\x06'), end]);
}
