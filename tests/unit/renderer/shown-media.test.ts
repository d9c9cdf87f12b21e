import { expect, test } from 'vitest';
import type { ResultPart } from '../../../src-preload/contract/content-blocks.ts';
import { isPicture, shownMedia } from '../../../src-renderer/tool-cards/shown-media.ts';

const part = (type: 'image' | 'audio', mediaType: string, data = 'QUJD'): ResultPart => ({ type, mediaType, data });

test.each([
  ['image', 'image/png'],
  ['image', 'image/JPEG'],
  ['image', 'image/webp'],
  ['audio', 'audio/wav'],
  ['audio', 'audio/mpeg'],
] as const)('%s of type %s is shown', (type, mediaType) => {
  expect(shownMedia([part(type, mediaType)])).toEqual([
    { kind: type, url: `data:${mediaType};base64,QUJD`, mediaType, bytes: 3 },
  ]);
});

test.each([
  ['a document that could hold script', part('image', 'image/svg+xml')],
  ['a page', part('image', 'text/html')],
  ['a type with parameters', part('image', 'image/png;charset=x')],
  ['a picture that says it is a sound', part('audio', 'image/png')],
  ['a sound that says it is a picture', part('image', 'audio/wav')],
  ['what is no Base64', part('image', 'image/png', '"><script>')],
  ['nothing', part('image', 'image/png', '')],
  ['too much', part('image', 'image/png', 'A'.repeat(27_000_001))],
])('%s is left out, and said', (_, given) => {
  expect(shownMedia([given])).toMatchObject([{ kind: 'left-out' }]);
});

test('text is nothing to draw, and the order stays', () => {
  const parts: ResultPart[] = [
    part('audio', 'audio/ogg'),
    { type: 'text', text: 'a' },
    part('image', 'image/gif', 'QQ=='),
  ];
  expect(shownMedia(parts)).toMatchObject([{ kind: 'audio' }, { kind: 'image', bytes: 1 }]);
});

test.each([
  ['data:image/png;base64,iVBORw0KGgo=', true],
  ['data:image/svg+xml;base64,PHN2Zy8+', false],
  ['data:text/html;base64,PGI+', false],
  ['https://example.org/a.png', false],
])('%s is a picture that is drawn: %s', (url, is) => {
  expect(isPicture(url)).toBe(is);
});
