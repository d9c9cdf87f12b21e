import { isUtf8 } from 'node:buffer';
import { ascii, type Beginning, beginsWith, riff } from '../../src-preload/contract/file-beginnings.ts';
import { isPartedByNuls, markedEncoding, unmarkedUtf16 } from './encoding/first-signs.ts';

/** What can be done with a file that is not text. */
export type FileUse =
  | 'pdf'
  | 'picture'
  | 'other-picture'
  | 'recording'
  | 'word'
  | 'document'
  | 'spreadsheet'
  | 'presentation'
  | 'archive'
  | 'database'
  | 'program'
  | 'other';

export interface FileKind {
  /** The kind in words: `PDF document`. */
  readonly name: string;
  /** The media type, or an empty text if there is none. */
  readonly mediaType: string;
  readonly use: FileUse;
}

type Row = readonly [beginning: Beginning, name: string, mediaType: string, use: FileUse];

const at0 = (...bytes: readonly (number | string)[]): Beginning => [
  [0, bytes.flatMap((each) => (typeof each === 'string' ? ascii(each) : [each]))],
];

/** Beginnings that no text has. */
const UNMISTAKABLE: readonly Row[] = [
  [at0('%PDF-'), 'PDF document', 'application/pdf', 'pdf'],
  [at0(0x89, 'PNG\r\n', 0x1a), 'PNG image', 'image/png', 'picture'],
  [at0(0xff, 0xd8, 0xff), 'JPEG image', 'image/jpeg', 'picture'],
  [
    at0(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
    'Microsoft Office file',
    'application/x-ole-storage',
    'document',
  ],
  [at0(0x7f, 'ELF'), 'ELF program', 'application/x-elf', 'program'],
  [at0(0xca, 0xfe, 0xba, 0xbe), 'Java class or Mach-O program', 'application/octet-stream', 'program'],
  [at0(0xcf, 0xfa, 0xed, 0xfe), 'Mach-O program', 'application/x-mach-binary', 'program'],
  [at0(0xce, 0xfa, 0xed, 0xfe), 'Mach-O program', 'application/x-mach-binary', 'program'],
  [at0(0x1f, 0x8b, 0x08), 'gzip archive', 'application/gzip', 'archive'],
  [at0(0xfd, '7zXZ'), 'xz archive', 'application/x-xz', 'archive'],
  [at0('7z', 0xbc, 0xaf, 0x27, 0x1c), '7-Zip archive', 'application/x-7z-compressed', 'archive'],
  [at0(0x28, 0xb5, 0x2f, 0xfd), 'Zstandard archive', 'application/zstd', 'archive'],
  [at0(0x1a, 0x45, 0xdf, 0xa3), 'Matroska or WebM video', 'video/webm', 'other'],
];

/** Beginnings of letters, which a text may have too: they count only for what is not text. */
const LETTERS: readonly Row[] = [
  [at0('PK', 3, 4), 'ZIP archive', 'application/zip', 'archive'],
  [at0('PK', 5, 6), 'ZIP archive', 'application/zip', 'archive'],
  [at0('GIF8'), 'GIF image', 'image/gif', 'picture'],
  [riff('WEBP'), 'WebP image', 'image/webp', 'picture'],
  [riff('WAVE'), 'WAV recording', 'audio/wav', 'recording'],
  [riff('AVI '), 'AVI video', 'video/x-msvideo', 'other'],
  [at0('BM'), 'BMP image', 'image/bmp', 'other-picture'],
  [at0('II*', 0), 'TIFF image', 'image/tiff', 'other-picture'],
  [at0('MM', 0, '*'), 'TIFF image', 'image/tiff', 'other-picture'],
  [at0(0, 0, 1, 0), 'icon', 'image/vnd.microsoft.icon', 'other-picture'],
  [at0('8BPS'), 'Photoshop image', 'image/vnd.adobe.photoshop', 'other-picture'],
  [[[4, ascii('ftypheic')]], 'HEIC image', 'image/heic', 'other-picture'],
  [[[4, ascii('ftypmif1')]], 'HEIF image', 'image/heif', 'other-picture'],
  [[[4, ascii('ftypavif')]], 'AVIF image', 'image/avif', 'other-picture'],
  [[[4, ascii('ftypM4A')]], 'MPEG-4 recording', 'audio/mp4', 'other'],
  [[[4, ascii('ftyp')]], 'MPEG-4 video', 'video/mp4', 'other'],
  [
    [
      [0, [0x47]],
      [188, [0x47]],
      [376, [0x47]],
    ],
    'MPEG transport stream',
    'video/mp2t',
    'other',
  ],
  [at0('ID3'), 'MP3 recording', 'audio/mpeg', 'recording'],
  [at0(0xff, 0xfb), 'MP3 recording', 'audio/mpeg', 'recording'],
  [at0('OggS'), 'Ogg recording', 'audio/ogg', 'other'],
  [at0('fLaC'), 'FLAC recording', 'audio/flac', 'other'],
  [at0('MThd'), 'MIDI file', 'audio/midi', 'other'],
  [at0('BZh'), 'bzip2 archive', 'application/x-bzip2', 'archive'],
  [at0('Rar!'), 'RAR archive', 'application/vnd.rar', 'archive'],
  [[[257, ascii('ustar')]], 'tar archive', 'application/x-tar', 'archive'],
  [at0('!<arch>\n'), 'ar archive or Debian package', 'application/x-archive', 'archive'],
  [at0('SQLite format 3', 0), 'SQLite database', 'application/vnd.sqlite3', 'database'],
  [at0('PAR1'), 'Parquet file', 'application/vnd.apache.parquet', 'database'],
  [at0('MZ'), 'Windows program', 'application/vnd.microsoft.portable-executable', 'program'],
  [at0(0, 'asm'), 'WebAssembly module', 'application/wasm', 'program'],
  [at0('wOFF'), 'font', 'font/woff', 'other'],
  [at0('wOF2'), 'font', 'font/woff2', 'other'],
  [at0('OTTO'), 'font', 'font/otf', 'other'],
  [at0(0, 1, 0, 0, 0), 'font', 'font/ttf', 'other'],
];

/** Names in a ZIP archive that tell what it is, as they stand near its beginning. */
const IN_ZIP: readonly (readonly [name: string, kind: FileKind])[] = [
  ['word/', kindOf('Word document', office('wordprocessingml.document'), 'word')],
  ['xl/', kindOf('Excel workbook', office('spreadsheetml.sheet'), 'spreadsheet')],
  ['ppt/', kindOf('PowerPoint presentation', office('presentationml.presentation'), 'presentation')],
  [openDocument('text'), kindOf('OpenDocument text', openDocument('text'), 'document')],
  [openDocument('spreadsheet'), kindOf('OpenDocument spreadsheet', openDocument('spreadsheet'), 'spreadsheet')],
  [openDocument('presentation'), kindOf('OpenDocument presentation', openDocument('presentation'), 'presentation')],
  ['application/epub+zip', kindOf('EPUB book', 'application/epub+zip', 'document')],
  ['AndroidManifest.xml', kindOf('Android app', 'application/vnd.android.package-archive', 'archive')],
  ['META-INF/MANIFEST.MF', kindOf('Java archive', 'application/java-archive', 'archive')],
];

/** The names of the streams that hold the text, as [MS-CFB] stores them. */
const IN_COMPOUND_FILE: readonly (readonly [name: string, kind: FileKind])[] = [
  ['WordDocument', kindOf('Word 97–2003 document', 'application/msword', 'document')],
  ['Workbook', kindOf('Excel 97–2003 workbook', 'application/vnd.ms-excel', 'spreadsheet')],
  ['PowerPoint Document', kindOf('PowerPoint 97–2003 presentation', 'application/vnd.ms-powerpoint', 'presentation')],
  ['EncryptedPackage', kindOf('Office document protected with a password', 'application/x-ole-storage', 'document')],
];

function kindOf(name: string, mediaType: string, use: FileUse): FileKind {
  return { name, mediaType, use };
}

function office(name: string): string {
  return `application/vnd.openxmlformats-officedocument.${name}`;
}

function openDocument(name: string): string {
  return `application/vnd.oasis.opendocument.${name}`;
}

const BINARY: FileKind = kindOf('binary data', '', 'other');

/**
 * What a file is according to its first bytes, of which there may be as many as are at hand. Undefined if it is text. A
 * few NULs don't make a text something else.
 */
export function kindOfFile(head: Uint8Array): FileKind | undefined {
  const hasText = isText(head);
  const row = rowFor(UNMISTAKABLE, head) ?? (hasText ? undefined : rowFor(LETTERS, head));
  if (row === undefined) return hasText || head.length < FEW_BYTES ? undefined : BINARY;
  const [, name, mediaType, use] = row;
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const inside = name === 'ZIP archive' ? IN_ZIP : name === 'Microsoft Office file' ? IN_COMPOUND_FILE : [];
  const stored = inside === IN_COMPOUND_FILE ? 'utf16le' : 'latin1';
  return inside.find(([part]) => text.includes(part, 0, stored))?.[1] ?? { name, mediaType, use };
}

function rowFor(rows: readonly Row[], head: Uint8Array): Row | undefined {
  return rows.find(([beginning]) => beginsWith(head, beginning));
}

const SNIFFED_BYTES = 8192;
/** Share of NULs and control characters that no text has. */
const MAX_CONTROLS = 0.1;
/** The share of control characters in a text that is not UTF-8. */
const MAX_CONTROLS_IN_OTHERS = 0.05;
/** Share of NULs in what is not UTF-8: programs leave one here and there. */
const MAX_NULS_IN_OTHERS = 0.02;

/** Too short to tell, unless the first bytes are those of a known format. */
const FEW_BYTES = 32;

function isText(bytes: Uint8Array): boolean {
  const marked = markedEncoding(bytes)?.name;
  if ((marked !== undefined && marked !== 'utf-8') || unmarkedUtf16(bytes) !== undefined) return true;
  const head = bytes.subarray(0, SNIFFED_BYTES);
  let nuls = 0;
  let controls = 0;
  for (const byte of head) {
    if (byte === 0) nuls++;
    // Backspace, tab, line ends, form feed and escape occur in texts and don't count.
    if (byte < 8 || (byte > 13 && byte < 32 && byte !== 27)) controls++;
  }
  if (isCutUtf8(head)) return controls <= head.length * MAX_CONTROLS || isPartedByNuls(Buffer.from(head));
  // Other bytes that no text has make NULs telling.
  const mostControls = nuls === 0 ? head.length * MAX_CONTROLS_IN_OTHERS : nuls;
  return nuls <= head.length * MAX_NULS_IN_OTHERS && controls <= mostControls;
}

/** Valid UTF-8, but for a character that was cut at the end. */
function isCutUtf8(head: Uint8Array): boolean {
  return [0, 1, 2, 3].some((cut) => isUtf8(head.subarray(0, head.length - cut)));
}
