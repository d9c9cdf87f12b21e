import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editBytes } from '../../../src-main/tools/files/text-edit.ts';

const edited = (text: string, find: string, replacement: string, all = false) => {
  const result = editBytes(Buffer.from(text), { find, replacement, all });
  return result === null ? null : result.bytes.toString();
};

test('the first occurrence or all of them, and how many are left', () => {
  const bytes = Buffer.from('aaa a');
  expect(editBytes(bytes, { find: 'a', replacement: 'b', all: false })).toEqual({
    bytes: Buffer.from('baa a'),
    replaced: 1,
    left: 3,
  });
  expect(editBytes(bytes, { find: 'aa', replacement: '', all: true })).toEqual({
    bytes: Buffer.from('a a'),
    replaced: 1,
    left: 0,
  });
  expect(editBytes(bytes, { find: 'x', replacement: 'y', all: true })).toBeNull();
});

test('the replacement is taken literally', () => {
  expect(edited('a.b', '.', '$&$1$`\\n')).toBe('a$&$1$`\\nb');
});

test('line ends of a file with \\r\\n throughout stay', () => {
  expect(edited('a\r\nb\r\nc', 'a\nb', 'x\ny\nz')).toBe('x\r\ny\r\nz\r\nc');
  expect(edited('a\r\nb\r\n', 'b', 'x\ny')).toBe('a\r\nx\r\ny\r\n');
  expect(edited('a\r\nb\r\n', '\nb', '\nx')).toBe('a\r\nx\r\n');
  expect(edited('a\r\n\r\nb', '\n', '', true)).toBe('ab');
  // Named with its \r, the text is what it is.
  expect(edited('a\r\nb\r\n', 'a\r\n', 'a\n')).toBe('a\nb\r\n');
});

test('in a file with both, the line ends where the text is found count', () => {
  expect(edited('a\r\nb\nc\nd\r\n', 'a\nb', 'x\ny')).toBe('x\r\ny\nc\nd\r\n');
  expect(edited('a\r\nb\nc\nd\r\n', 'b\nc', 'x\ny')).toBe('a\r\nx\ny\nd\r\n');
  expect(edited('a\nb', 'a\r\nb', 'x\r\ny')).toBe('x\ny');
  expect(edited('1\na\r\nb\na\nb\na\r\nb', 'a\r\nb', 'x', true)).toBe('1\nx\na\nb\nx');
});

test('an unpaired surrogate is not found where invalid text was', () => {
  expect(edited('a\ufffdb', '\ud800', 'x')).toBeNull();
});

test('bytes around the change stay what they are, valid text or not, in every encoding', () => {
  const bytes = fc.uint8Array({ maxLength: 20 }).map((each) => Buffer.from(each));
  fc.assert(
    fc.property(bytes, bytes, (before, after) => {
      const marker = Buffer.from('«MARKER»');
      const result = editBytes(Buffer.concat([before, marker, after]), {
        find: '«MARKER»',
        replacement: 'ü',
        all: false,
      });
      // A byte order mark by chance makes another encoding of it.
      fc.pre(result !== null);
      expect(result?.bytes).toEqual(Buffer.concat([before, Buffer.from('ü'), after]));
    }),
  );
  const evenBytes = fc.uint8Array({ maxLength: 20 }).map((each) => Buffer.from(each.subarray(0, each.length & ~1)));
  fc.assert(
    fc.property(evenBytes, bytes, fc.boolean(), (before, after, isBig) => {
      const stored = (text: string) => (isBig ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, 'utf16le'));
      const whole = (middle: string) => Buffer.concat([stored('\ufeff'), before, stored(middle), after]);
      const result = editBytes(whole('«MARKER»'), { find: '«MARKER»', replacement: 'ü😀', all: true });
      expect(result?.bytes).toEqual(whole('ü😀'));
    }),
  );
});

test('replacing all is joining what lies between, where line ends do not matter', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀', ' '), maxLength: 40 });
  fc.assert(
    fc.property(
      text,
      fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: 1, maxLength: 2 }),
      text,
      (whole, find, put) => {
        expect(edited(whole, find, put, true)).toBe(whole.includes(find) ? whole.split(find).join(put) : null);
      },
    ),
  );
});

test('line ends that differ are matched as if they were one', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r\n'), maxLength: 30 });
  fc.assert(
    fc.property(text, fc.constantFrom('a\na', 'a\n\na', '\n\na'), (whole, find) => {
      const result = editBytes(Buffer.from(whole), { find, replacement: 'X', all: true });
      const plain = whole.replaceAll('\r\n', '\n');
      // A literal match goes first; only without one the line ends are made alike.
      fc.pre(!whole.includes(find));
      expect(result === null ? null : result.bytes.toString().replaceAll('\r\n', '\n')).toBe(
        plain.includes(find) ? plain.split(find).join('X') : null,
      );
    }),
  );
});
