import { expect, test } from 'vitest';
import { fileInResult, fileName } from '../../../src-main/ipc/conversations/result-file.ts';
import type { ResultPart } from '../../../src-preload/contract/content-blocks.ts';

const data = Buffer.from('%PDF-').toString('base64');
const pdf = (name?: string): ResultPart => ({
  type: 'document',
  mediaType: 'application/pdf',
  data,
  ...(name === undefined ? {} : { name }),
});

test('a file of a result is saved as it came, under its own name', () => {
  const parts = [{ type: 'text', text: 'a' } as const, pdf('May 2026.pdf'), pdf()];
  expect(fileInResult({ parts }, 1)).toEqual({ name: 'May 2026.pdf', bytes: Buffer.from('%PDF-') });
  expect(fileInResult({ parts }, 2).name).toBe('document');
  for (const at of [0, 3]) expect(() => fileInResult({ parts }, at)).toThrow('This call has no such file.');
  expect(() => fileInResult({}, 0)).toThrow('This call has no such file.');
});

test('a name leads nowhere else, and hides nothing', () => {
  expect(fileInResult({ parts: [pdf('../../.bashrc')] }, 0).name).toBe('bashrc');
  expect(fileInResult({ parts: [pdf('/')] }, 0).name).toBe('document');
  expect(fileName('invoice\u202efdp.exe', 100)).toBe('invoice fdp.exe');
  expect(fileName('C:\\x\ny.pdf', 100)).toBe('C x y.pdf');
  expect(fileName(`${'x'.repeat(200)}.pdf`, 20)).toBe(`${'x'.repeat(16)}.pdf`);
});
