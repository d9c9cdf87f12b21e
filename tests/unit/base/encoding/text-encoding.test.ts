import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { codecOf, encodingNamed, UnencodableText } from '../../../../src-main/base/encoding/codec.ts';
import { detectedEncoding } from '../../../../src-main/base/encoding/detect.ts';
import { looksBinary } from '../../../../src-main/base/encoding/first-signs.ts';
import { decodeText, encodingOf } from '../../../../src-main/base/encoding/text-encoding.ts';
import { SENTENCES } from '../../../fixtures/encodings/sentences.ts';

const bytesOf = async (text: string, name: string): Promise<Buffer> => (await codecOf(name)).encode(text);

describe('the encoding of a text', () => {
  test('a byte order mark wins over what is stated', async () => {
    const bytes = Buffer.from('\ufeffgrün', 'utf16le');
    await expect(decodeText(bytes, ['utf-8'])).resolves.toEqual({
      text: 'grün',
      encoding: { name: 'utf-16le', bomBytes: 2, from: 'mark' },
    });
  });

  test('the first stated label that is known counts, by the names of the standard', async () => {
    const bytes = Buffer.from([0xe4, 0x80]);
    await expect(decodeText(bytes, [undefined, 'no-such', 'ISO-8859-1', 'koi8-r'])).resolves.toEqual({
      text: 'ä€',
      encoding: { name: 'windows-1252', bomBytes: 0, from: 'stated' },
    });
  });

  test('windows-1252 is read by the standard on every runtime', async () => {
    const bytes = Buffer.from(Array.from({ length: 32 }, (_, place) => 0x80 + place));
    const { text } = await decodeText(bytes, ['windows-1252']);
    expect(text).toBe('€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ');
  });

  test('valid UTF-8 is UTF-8, also with a few bad bytes', async () => {
    await expect(encodingOf(Buffer.from('grün, 5 €'))).resolves.toMatchObject({ name: 'utf-8', from: 'valid' });
    const cut = Buffer.from('Größe und Länge über fünf Meter €').subarray(0, -1);
    await expect(decodeText(cut)).resolves.toMatchObject({
      text: 'Größe und Länge über fünf Meter \ufffd',
      encoding: { name: 'utf-8' },
    });
  });

  test.each([
    'café',
    'Müller',
    '© 2024 Foo',
    'x = 1; // grün\n',
    'Price: 5 € “quoted” – it’s',
    'José García',
    '5 °C',
    'na\u00efve caf\u00e9\n',
  ])('a few accents and signs are windows-1252: %s', async (text) => {
    await expect(decodeText(await bytesOf(text, 'windows-1252'))).resolves.toMatchObject({ text });
  });

  test.each(['utf-16le', 'utf-16be'])('%s without a mark is told from its NUL bytes', async (name) => {
    for (const { text } of SENTENCES) {
      const bytes = await bytesOf(`1. ${text}`, name);
      expect(looksBinary(bytes)).toBe(false);
      await expect(decodeText(bytes)).resolves.toMatchObject({ text: `1. ${text}`, encoding: { name } });
    }
  });

  test('more than nine in ten texts of over thirty encodings are read right', async () => {
    const wrong: string[] = [];
    let all = 0;
    for (const { language, encodings, text } of SENTENCES) {
      for (const name of encodings) {
        const written = text.replaceAll('’', name === 'iso-8859-15' || name === 'cp850' ? "'" : '’');
        const stored =
          name === 'windows-1258' ? written.normalize('NFD').replace(/[\u0302\u0306\u031b]/g, '') : written;
        all++;
        const read = await decodeText(await bytesOf(stored, name));
        if (read.text !== stored) wrong.push(`${language}: ${name} as ${read.encoding.name}`);
      }
    }
    expect(all).toBeGreaterThan(30);
    expect(wrong.length / all, wrong.join('\n')).toBeLessThan(0.1);
  });

  test('a text that is long before its first accent', async () => {
    const text = `${'plain ASCII line\n'.repeat(20_000)}Größe\nÄpfel für Käse\n`;
    await expect(decodeText(await bytesOf(text, 'windows-1252'))).resolves.toMatchObject({ text });
  });

  test('a text with blank lines is judged by the others, and the detector prints nothing', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    onTestFinished(() => warn.mockRestore());
    for (const written of ['Le café – 12 €\n\n\n\n« Où ça ? » l’été\n\n\n', '\n\né\n\n', '\n'])
      await expect(detectedEncoding(await bytesOf(written, 'windows-1252'))).resolves.toBe('windows-1252');
    expect(warn).not.toHaveBeenCalled();
  });

  test('what is not text is not guessed at; a text with a NUL is', async () => {
    const pdf = Buffer.from('%PDF-1.4\n%âãÏÓ\nstream é\n', 'latin1');
    await expect(encodingOf(pdf)).resolves.toMatchObject({ name: 'utf-8' });
    const text = `${'Größe und Länge\n'.repeat(9)}\0\n`;
    await expect(decodeText(await bytesOf(text, 'windows-1252'))).resolves.toMatchObject({ text });
  });

  test('UTF-32 with its mark', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), await bytesOf('grün 😀', 'utf-32le')]);
    await expect(decodeText(bytes)).resolves.toMatchObject({
      text: 'grün 😀',
      encoding: { name: 'utf-32le', bomBytes: 4 },
    });
  });

  test('an empty text is UTF-8', async () => {
    await expect(decodeText(Buffer.alloc(0))).resolves.toEqual({
      text: '',
      encoding: { name: 'utf-8', bomBytes: 0, from: 'valid' },
    });
  });
});

describe('a codec', () => {
  test('says which character an encoding does not have, and never writes another for it', async () => {
    const windows = await codecOf('windows-1252');
    expect(() => windows.encode('5 € → 6')).toThrow(new UnencodableText('→', 'windows-1252'));
    expect(() => windows.encode('Tonwert \u{1f3b5}')).toThrow('windows-1252 has no 🎵 (U+1F3B5)');
    const dos = await codecOf('cp850');
    expect(() => dos.encode('ein “Wort”')).toThrow('cp850 has no “ (U+201C)');
    const japanese = await codecOf('shift_jis');
    // The standard's encoder writes a backslash for it.
    expect(() => japanese.encode('¥100')).toThrow('shift_jis has no ¥ (U+00A5)');
  });

  test.each(SENTENCES.flatMap(({ encodings, text }) => encodings.map((name) => [name, text] as const)))(
    'what %s holds comes back, also in parts',
    async (name, whole) => {
      const codec = await codecOf(name);
      const text = [...whole].filter((character) => holds(codec.encode, character)).join('');
      const bytes = codec.encode(text);
      expect(codec.decode(bytes)).toBe(text);
      const decoder = codec.decoder();
      const parts = Array.from(bytes, (byte) => decoder.write(Buffer.from([byte])));
      expect(parts.join('') + decoder.end()).toBe(text);
    },
  );

  test.each([
    ['Latin1', 'windows-1252'],
    [' UTF8 ', 'utf-8'],
    ['x-sjis', 'shift_jis'],
    ['IBM437', 'cp437'],
    ['utf-7', undefined],
    ['iso-2022-kr', undefined],
    ['constructor', undefined],
  ])('the label %s', async (label, name) => {
    await expect(encodingNamed(label)).resolves.toBe(name);
  });
});

function holds(encode: (text: string) => Buffer, character: string): boolean {
  try {
    return encode(character).length > 0;
  } catch {
    return false;
  }
}
