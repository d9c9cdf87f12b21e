import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { kindOfFile } from '../../../src-main/base/file-kind.ts';

const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));
/** No text and no known format: every byte value, over and over. */
const NOISE = bytes(Array.from({ length: 4_096 }, (_, place) => (place * 167) % 256));

describe('what is text', () => {
  test.each([
    ['nothing', bytes()],
    ['one byte', bytes([0xe9])],
    ['a letter and a NUL', bytes('a\0')],
    ['colours of a terminal', bytes('\u001b[31merror\u001b[0m at line 3\r\n'.repeat(40))],
    ['bold and underlined letters of a manual', bytes('N\bNA\bAM\bME\bE\n'.repeat(40))],
    ['form feeds', bytes('one\ftwo\f\u0007\n')],
    ['a table with NULs among its cells', bytes('a,b\0,c\n1,2\0,3\n'.repeat(50))],
    ['file names parted by NULs', bytes('a.txt\0b/c.txt\0'.repeat(50))],
    [
      'accents that are not UTF-8, with a NUL here and there',
      bytes('nom,prénom\n'.repeat(20), '\0\n', 'Dupré\n'.repeat(9)),
    ],
    ['words that begin like a format', bytes('BM is a person, PK and GIF89a are not.\n')],
    ['UTF-16 without a mark', Buffer.from('Größe: 5 €\r\n'.repeat(9), 'utf16le')],
    ['rich text', bytes('{\\rtf1\\ansi Hello}')],
  ])('%s', (_, file) => {
    expect(kindOfFile(file)).toBeUndefined();
  });
});

describe('what is not', () => {
  test.each([
    ['PDF document', bytes('%PDF-1.7\n%âãÏÓ\n')],
    ['PNG image', bytes([0x89], 'PNG\r\n\u001a\n')],
    ['GIF image', bytes('GIF89a', [1, 0, 1, 0, 0x80, 0, 0], 'ÿÿÿ', [0, 0, 0])],
    ['ZIP archive', bytes('PK', [5, 6], '\0'.repeat(18))],
    ['gzip archive', gzipSync('a')],
    ['SQLite database', bytes('SQLite format 3\0', NOISE.toString('latin1'))],
    ['binary data', NOISE],
    ['binary data', bytes('\0'.repeat(400))],
    ['binary data', bytes('name', '\0'.repeat(60), 'value', '\0'.repeat(59))],
  ])('%s', (name, file) => {
    expect(kindOfFile(file)?.name).toBe(name);
  });
});
