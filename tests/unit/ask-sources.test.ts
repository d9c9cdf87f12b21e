import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isUnchanged, stampsOf } from '../../scripts/ask-sources.mjs';

const folder = join(import.meta.dirname, `../../out/ask-sources-${process.pid}`);
const file = join(folder, 'source.ts');
beforeEach(() => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, 'one');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a source that was changed, replaced or removed is noticed', () => {
  const stamps = stampsOf([file]);
  expect(isUnchanged(stamps)).toBe(true);
  writeFileSync(file, 'two or more');
  expect(isUnchanged(stamps)).toBe(false);
  const again = stampsOf([file]);
  utimesSync(file, new Date(0), new Date(0));
  expect(isUnchanged(again)).toBe(false);
  rmSync(file);
  expect(isUnchanged(again)).toBe(false);
});

test('a source that was missing when it was looked at counts as changed', () => {
  rmSync(file);
  expect(isUnchanged(stampsOf([file]))).toBe(false);
});
