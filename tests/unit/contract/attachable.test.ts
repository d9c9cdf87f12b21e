import { expect, test } from 'vitest';
import { isUnreadableKind, whyNotAttachable } from '../../../src-preload/contract/attachable.ts';

test.each([
  ['report.pdf', '%PDF-1.7\n1 0 obj'],
  ['no-name', '%PDF-1.4'],
  ['REPORT.PDF', null],
])('a PDF is no text, whatever its name says, and neither is what only has the name of one: %s', (name, text) => {
  expect(whyNotAttachable(name, text)).toContain('PDF file');
});

test.each([
  ['table.xlsx', null, /Spreadsheets .*CSV/],
  ['table.xls', 'a\0b', /Spreadsheets/],
  ['letter.doc', null, /\.docx/],
  ['letter', '{\\rtf1 hello', /\.docx/],
  ['photo.heic', null, /PNG or JPEG/],
  ['talk.pptx', null, /Presentations/],
  ['all.zip', null, /Archives/],
  ['song.mp3', null, /Recordings .*MP3 or WAV/],
  ['film.mp4', null, /Videos/],
  ['program.bin', null, /Text files/],
  ['program', 'a\0b', /Text files/],
])('%s says what can be done instead', (name, text, why) => {
  expect(whyNotAttachable(name, text)).toMatch(why);
});

test.each(['notes.md', 'server.raw', 'notes.key', 'data.pages', ''])('%j is text if it reads as text', (name) => {
  expect(whyNotAttachable(name, 'plain text')).toBeNull();
});

test('a large file is known by its name alone', () => {
  expect(['a.pdf', 'b.XLSX', 'c.txt', 'pdf'].map(isUnreadableKind)).toEqual([true, true, false, false]);
});
