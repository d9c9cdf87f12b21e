import { appendFileSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { codecOf } from '../../../src-main/base/encoding/codec.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { docxWith, paragraph, zipOf } from '../../fixtures/docx.ts';
import { SENTENCES } from '../../fixtures/encodings/sentences.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';

let tools: ToolHarness;
beforeEach(() => {
  tools = new ToolHarness({ consent: allowAll });
  onTestFinished(() => tools.dispose());
});

const bytesOf = async (text: string, encoding: string) => (await codecOf(encoding)).encode(text);
const stored = (path: string) => readFileSync(join(tools.workspace, path));
const sentences = (language: string) => SENTENCES.find((each) => each.language === language)?.text ?? '';

const GERMAN = 'Die Bäckerei öffnet um sieben.\nGrüße aus der Mühle\n';
const RUSSIAN = sentences('Russian');
const JAPANESE = sentences('Japanese');

test('a text that is not UTF-8 is read, whole or in parts, and its card names the encoding', async () => {
  tools.put('old.txt', await bytesOf(GERMAN, 'windows-1252'));
  expect(await tools.text('read_file', { path: 'old.txt' })).toBe(GERMAN);
  expect(tools.cards.at(-1)).toEqual({ kind: 'file-text', path: 'old.txt', encoding: 'windows-1252' });
  expect(await tools.text('read_file', { path: 'old.txt', offset: 2, limit: 1 })).toBe('Grüße aus der Mühle\n');
  tools.put('new.txt', GERMAN);
  expect(await tools.text('read_file', { path: 'new.txt' })).toBe(GERMAN);
  expect(tools.cards).toHaveLength(2);
});

test('lines of a long file are in the encoding of what was read until then', async () => {
  const text = `${'plain\n'.repeat(300_000)}${RUSSIAN.repeat(20)}`;
  tools.put('long.txt', await bytesOf(text, 'koi8-r'));
  expect(await tools.text('read_file', { path: 'long.txt', offset: 300_001, limit: 1 })).toBe(RUSSIAN);
  expect(await tools.text('read_file', { path: 'long.txt', offset: 1, limit: 1 })).toBe('plain\n');
  tools.put('utf8.txt', `${'ä\n'.repeat(800_000)}ende\n`);
  expect(await tools.text('read_file', { path: 'utf8.txt', offset: 800_001 })).toBe('ende\n');
});

describe.each([
  ['windows-1252', GERMAN, 'Ö'],
  ['koi8-r', RUSSIAN, 'Ж'],
  ['shift_jis', JAPANESE, '表'],
  ['utf-16be', GERMAN, '→'],
])('a file in %s', (encoding, text, letter) => {
  const put = async () => tools.put('f.txt', await bytesOf(text, encoding));

  test('is appended to in it', async () => {
    await put();
    expect(await tools.text('append_file', { path: 'f.txt', content: letter })).toBe('Successfully appended to f.txt');
    expect(stored('f.txt')).toEqual(await bytesOf(text + letter, encoding));
    expect(tools.cards.at(-1)).toMatchObject({ kind: 'diff', encoding });
  });

  test('is edited in it', async () => {
    await put();
    const [first = ''] = text.split('\n');
    expect(await tools.text('edit', { path: 'f.txt', old_string: first, new_string: letter })).toMatch(/^Replaced 1/);
    expect(stored('f.txt')).toEqual(await bytesOf(text.replace(first, letter), encoding));
  });

  test('is replaced in it', async () => {
    await put();
    expect(await tools.text('write_file', { path: 'f.txt', content: letter.repeat(3) })).toBe('OK');
    expect(stored('f.txt')).toEqual(await bytesOf(letter.repeat(3), encoding));
  });
});

test('what the encoding of a file does not have is an error, and nothing is written', async () => {
  const before = await bytesOf(GERMAN, 'windows-1252');
  tools.put('f.txt', before);
  const says = /: the file is in windows-1252, which has no → \(U\+2192\); nothing was written\. /;
  expect(await tools.text('append_file', { path: 'f.txt', content: 'a → b' })).toMatch(says);
  expect(await tools.text('edit', { path: 'f.txt', old_string: 'sieben', new_string: '→' })).toMatch(says);
  expect(await tools.text('write_file', { path: 'f.txt', content: 'a → b' })).toMatch(says);
  expect(stored('f.txt')).toEqual(before);
  expect(await tools.text('append_file', { path: 'f.txt', content: 'plain' })).toMatch(/^Success/);
});

test('a guess that does not bring back every byte is no base for a change', async () => {
  // 0x81 0x20 is no character.
  const whole = await bytesOf(JAPANESE.replaceAll('。', '。\n'), 'shift_jis');
  const before = Buffer.concat([whole, Buffer.from([0x81, 0x20, 0x0a]), whole]);
  tools.put('f.txt', before);
  const says = /: the file is not UTF-8; it looks like shift_jis, but not all of its bytes are valid in that/;
  expect(await tools.text('append_file', { path: 'f.txt', content: '表' })).toMatch(says);
  expect(await tools.text('edit', { path: 'f.txt', old_string: '今朝', new_string: '今日' })).toMatch(says);
  expect(await tools.text('write_file', { path: 'f.txt', content: '表' })).toMatch(says);
  expect(stored('f.txt')).toEqual(before);
});

test('UTF-16 keeps its mark when it is replaced; UTF-8 has none', async () => {
  tools.put('le.txt', Buffer.from('\ufeffold', 'utf16le'));
  tools.put('utf8.txt', '\ufeffold');
  expect(await tools.text('write_file', { path: 'le.txt', content: 'new →' })).toBe('OK');
  expect(stored('le.txt')).toEqual(Buffer.from('\ufeffnew →', 'utf16le'));
  expect(await tools.text('write_file', { path: 'utf8.txt', content: 'new →' })).toBe('OK');
  expect(stored('utf8.txt')).toEqual(Buffer.from('new →'));
});

describe('what is not text is refused with what it is', () => {
  const zeros = Buffer.alloc(200);
  const starting = (beginning: string | Buffer) => Buffer.concat([Buffer.from(beginning), zeros]);
  const compound = Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    zeros,
    Buffer.from('WordDocument', 'utf16le'),
  ]);
  test.each([
    ['paper.pdf', Buffer.from('%PDF-1.4\n1 0 obj\n'), 'PDF document, 17 bytes', /attach it .*reads PDFs/],
    ['a.png', starting(Buffer.from('89504e470d0a1a0a', 'hex')), 'PNG image, 208 bytes', /attach it .*sees images/],
    ['a.gif', starting('GIF89a'), 'GIF image, 206 bytes', /attach it/],
    ['a.bin', starting('\x7fELF'), 'ELF program, 204 bytes', /file or strings/],
    ['a.doc', compound, 'Word 97–2003 document, 232 bytes', /Word document \(\.docx\)/],
    [
      'a.odt',
      zipOf([{ name: 'mimetype', content: 'application/vnd.oasis.opendocument.text' }]),
      'OpenDocument text, ',
      /\.docx/,
    ],
    ['a.xlsx', zipOf([{ name: 'xl/workbook.xml', content: 'x' }]), 'Excel workbook, ', /CSV/],
    ['letter', docxWith(paragraph('a')), 'Word document, ', /ends in \.docx/],
    ['a.zip', zipOf([{ name: 'a', content: 'x'.repeat(50) }]), 'ZIP archive, ', /unpack/],
    ['a.sqlite', starting('SQLite format 3\0'), 'SQLite database, 216 bytes', /Query/],
    [
      'noise',
      Buffer.from(Array.from({ length: 500 }, (_, place) => (place * 89 + place * place * 7) % 256)),
      'binary data, 500 bytes',
      /command/,
    ],
  ])('%s', async (name, bytes, kind, instead) => {
    tools.put(name, bytes);
    const text = await tools.text('read_file', { path: name });
    expect(text.startsWith(`Error reading file: ${name} is not text: ${kind}`)).toBe(true);
    expect(text).toMatch(instead);
    expect(await tools.text('read_file', { path: name, limit: 1 })).toBe(text);
  });

  test.each([
    ['begins like a picture', 'BMW and MZ are names; GIF89a is a format.\n'],
    ['has a few NULs', 'PATH=/bin\0HOME=/root\0LANG=C\0TERM=xterm-256color\0'],
    ['has colours', '\u001b[31mred\u001b[0m line\n'.repeat(20)],
  ])('a text that %s is text', async (_, text) => {
    tools.put('f', text);
    expect(await tools.text('read_file', { path: 'f' })).toBe(text);
  });
});

test('what is not text is replaced and added to in UTF-8', async () => {
  const pdf = Buffer.from('%PDF-1.4\n%âãÏÓ\nstream é\n', 'latin1');
  tools.put('a.pdf', pdf);
  expect(await tools.text('append_file', { path: 'a.pdf', content: 'Ω\n' })).toBe('Successfully appended to a.pdf');
  expect(stored('a.pdf')).toEqual(Buffer.concat([pdf, Buffer.from('Ω\n')]));
  expect(await tools.text('write_file', { path: 'a.pdf', content: 'Ω é\n' })).toBe('OK');
  expect(stored('a.pdf')).toEqual(Buffer.from('Ω é\n'));
});

test('a text that is not UTF-8 and has a NUL is read, and keeps its encoding', async () => {
  const text = `${GERMAN.repeat(4)}\0\n`;
  tools.put('f.txt', await bytesOf(text, 'windows-1252'));
  expect(await tools.text('read_file', { path: 'f.txt' })).toBe(text);
  expect(await tools.text('append_file', { path: 'f.txt', content: 'ß' })).toBe('Successfully appended to f.txt');
  expect(stored('f.txt')).toEqual(await bytesOf(`${text}ß`, 'windows-1252'));
});

test('a file that is too large to be held keeps the encoding of its last lines', async () => {
  const path = tools.put('large.log', 'plain\n'.repeat(300_000));
  truncateSync(path, 101 * 1024 * 1024);
  appendFileSync(path, await bytesOf(`\n${GERMAN.repeat(4)}`, 'windows-1252'));
  expect(await tools.text('append_file', { path: 'large.log', content: 'Öl' })).toBe(
    'Successfully appended to large.log',
  );
  expect(stored('large.log').subarray(-2)).toEqual(await bytesOf('Öl', 'windows-1252'));
});
