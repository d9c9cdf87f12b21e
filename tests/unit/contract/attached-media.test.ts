import { expect, test } from 'vitest';
import { mediaTypeOf, TELLING_BYTES } from '../../../src-preload/contract/attached-media.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

test.each([
  ['%PDF-1.7\n1 0 obj', 'application/pdf'],
  ['RIFF\x24\x08\0\0WAVEfmt ', 'audio/wav'],
  ['ID3\x03\0\0\0\0\0\x21', 'audio/mpeg'],
  ['ID3\x04\0\0\0\0\0\x21', 'audio/mpeg'],
  ['\xff\xfb\x90\x64', 'audio/mpeg'],
  ['\xff\xf3\x48\xc4', 'audio/mpeg'],
])('the bytes %j are recognised as %s', (beginning, mediaType) => {
  expect(mediaTypeOf(bytes(beginning).subarray(0, TELLING_BYTES))).toMatchObject({ mediaType });
});

test.each([
  ['', 'nothing'],
  ['\xff', 'a byte'],
  [' %PDF-1.7', 'a text that says so'],
  ['%PDF', 'half of it'],
  ['RIFF\x24\x08\0\0WEBPVP8 ', 'a picture in the same container'],
  ['RIFF\x24\x08\0\0AVI ', 'a video in it'],
  ['ID3 tags are read first', 'a text'],
  ['\xff\xd8\xff\xe0', 'a JPEG'],
  ['\xff\xfea\0b\0', 'UTF-16'],
  ['\xff\xf1\x50\x80', 'AAC'],
  ['\xff\xfb\xf0\x64', 'a frame without a rate'],
  ['\xff\xeb\x90\x64', 'a frame of no version'],
  ['PK\x03\x04', 'an archive'],
])('%j does not begin as a supported type: %s', (beginning) => {
  expect(mediaTypeOf(bytes(beginning))).toBeNull();
});
