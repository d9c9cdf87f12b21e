import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { RotatedFile } from '../../../src-main/base/rotated-file.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'steward-rotated-'));
const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n');

test('no file exists before the first line, and only its owner can read it', () => {
  const path = join(folder(), 'logs', 'a.log');
  const file = new RotatedFile({ path, maxBytes: 1_000, older: 1 });
  file.flush();
  expect(statSync(join(path, '..'), { throwIfNoEntry: false })).toBeUndefined();
  file.append('one');
  file.append('two');
  file.flush();
  expect(linesOf(path)).toEqual(['one', 'two']);
  expect(statSync(path).mode & 0o077).toBe(0);
});

test('it stays bounded, and the newest lines are kept', () => {
  const path = join(folder(), 'a.log');
  const file = new RotatedFile({ path, maxBytes: 1_000, older: 2 });
  for (let index = 0; index < 1_000; index++) {
    file.append(`line ${index}`);
    file.flush();
  }
  const kept = ['.2', '.1', ''].flatMap((end) => linesOf(path + end));
  expect(kept.at(-1)).toBe('line 999');
  const numbers = kept.map((line) => Number(line.slice('line '.length)));
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  const names = readdirSync(join(path, '..')).filter((name) => name.startsWith('a.log') && !name.includes('lock'));
  expect(names.sort()).toEqual(['a.log', 'a.log.1', 'a.log.2']);
});

test('a flood costs no memory, and says what is missing', () => {
  const path = join(folder(), 'a.log');
  const file = new RotatedFile({ path, maxBytes: 10_000_000, older: 1 });
  for (let index = 0; index < 10_000; index++) file.append('x'.repeat(100));
  file.flush();
  const lines = linesOf(path);
  expect(statSync(path).size).toBeLessThan(300_000);
  expect(lines.at(-1)).toMatch(/^\(\d+ lines came too fast and are missing here\)$/);
});

test('processes that write at the same time lose no line', async () => {
  const path = join(folder(), 'a.log');
  const code = `import { RotatedFile } from '${pathToFileURL(join(import.meta.dirname, '../../../src-main/base/rotated-file.ts')).href}';
    const file = new RotatedFile({ path: process.argv[1], maxBytes: 2_000, older: 50 });
    for (let index = 0; index < 200; index++) { file.append(process.argv[2] + ' ' + index); file.flush(); }`;
  const writer = (name: string) =>
    new Promise<number | null>((resolve) =>
      spawn(process.execPath, ['--input-type=module', '--eval', code, path, name], { stdio: 'inherit' }).on(
        'close',
        resolve,
      ),
    );
  expect(await Promise.all(['a', 'b', 'c'].map(writer))).toEqual([0, 0, 0]);
  const files = readdirSync(join(path, '..')).filter((name) => /^a\.log(\.\d+)?$/.test(name));
  const lines = files.flatMap((name) => linesOf(join(path, '..', name)));
  expect(new Set(lines).size).toBe(600);
});

test('lines that cannot be written are dropped without an error', () => {
  const errors: unknown[] = [];
  const file = new RotatedFile({
    path: '/dev/null/a.log',
    maxBytes: 10,
    older: 1,
    onError: (error) => errors.push(error),
  });
  for (const line of ['a', 'b']) {
    file.append(line);
    file.flush();
  }
  expect(errors).toHaveLength(1);
});

test('lines that wait to be written do not keep a process alive', () => {
  const path = join(folder(), 'a.log');
  const url = pathToFileURL(join(import.meta.dirname, '../../../src-main/base/rotated-file.ts')).href;
  const code = `import { RotatedFile } from '${url}'; new RotatedFile({ path: process.argv[1], maxBytes: 10, older: 1 }).append('x');`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', code, path], { timeout: 20_000 });
});
