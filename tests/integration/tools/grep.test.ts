import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ProcessOutcome, type ProcessRequest, ProcessRunner } from '../../../src-main/processes/process-runner.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { processPorts } from '../../fixtures/process-ports.ts';
import { stoppedAtFirstProcess } from '../../fixtures/stopped-process.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import { accessDenied, directoryNotFound, isRequired, mustBeOneOf, unclosedBrace } from '../../fixtures/tool-texts.ts';

let tools: ToolHarness;
beforeEach(() => {
  tools = new ToolHarness({ consent: allowAll });
});
afterEach(() => tools.dispose());

const COMMENT = '//';
/** Paths without the workspace before them. */
const grep = async (input: unknown) => (await tools.text('grep', input)).replaceAll(`${tools.workspace}/`, '');
const content = (input: Record<string, unknown>) => grep({ output_mode: 'content', ...input });

test('files, lines or counts', async () => {
  tools.put('a.ts', `\n\n${COMMENT} TODO x\r\n${COMMENT} todo y TODO\n`);
  tools.put('src/b.ts', 'TODO');
  tools.put('src-x/c.ts', 'TODO TODO');
  tools.put('d', 'nothing');
  expect(await tools.call('grep', { pattern: 'TODO' })).toEqual({
    text: `${tools.workspace}/a.ts\n${tools.workspace}/src-x/c.ts\n${tools.workspace}/src/b.ts`,
    isError: false,
  });
  expect(tools.marks).toEqual([{ kind: 'private', source: 'files in the workspace' }]);
  expect(await content({ pattern: 'todo', line_numbers: true, case_insensitive: true, path: 'a.ts' })).toBe(
    `a.ts:3:${COMMENT} TODO x\na.ts:4:${COMMENT} todo y TODO`,
  );
  expect(await content({ pattern: 'todo' })).toBe(`a.ts:${COMMENT} todo y TODO`);
  expect(await grep({ pattern: 'TODO', output_mode: 'count' })).toBe(
    'a.ts:2\nsrc-x/c.ts:1\nsrc/b.ts:1\nTotal matches: 4',
  );
  for (const output_mode of ['files_with_matches', 'content', 'count'])
    expect(await grep({ pattern: 'absent', output_mode })).toBe('No matches found');
});

test('cards hold the matches', async () => {
  tools.put('a', 'x\nhit\ny\n');
  await content({ pattern: 'hit', context_before: 1, context_after: 1 });
  await grep({ pattern: 'hit', output_mode: 'count' });
  await tools.text('search_code', { query: 'HIT' });
  const path = join(tools.workspace, 'a');
  expect(tools.cards).toEqual([
    { kind: 'matches', matches: [{ path, line: 2, text: 'hit' }], total: 1 },
    { kind: 'matches', matches: [{ path, text: '1' }], total: 1 },
    { kind: 'matches', matches: [{ path: 'a', line: 2, text: 'hit' }], total: 1 },
  ]);
  tools.put('a', `${'h'.repeat(1000)}\n`.repeat(300));
  await content({ pattern: 'h' });
  const card = tools.cards.at(-1);
  if (card?.kind !== 'matches') throw new Error('no matches');
  expect([card.total, card.matches.length, card.matches[0]?.text?.length]).toEqual([300, 200, 400]);
});

test('context lines are marked, and groups are set apart', async () => {
  tools.put('a', '1\n2\nhit\n4\n5\n6\n7\nhit\nhit\n10\n');
  tools.put('b', 'hit\n--\nhit');
  expect(await content({ pattern: 'hit', context_before: 1, context_after: 1, line_numbers: true })).toBe(
    [
      'a-2-2',
      'a:3:hit',
      'a-4-4',
      '--',
      'a-7-7',
      'a:8:hit',
      'a:9:hit',
      'a-10-10',
      '--',
      'b:1:hit',
      'b-2---',
      'b:3:hit',
    ].join('\n'),
  );
  expect(await content({ pattern: '^2$', context_after: 1 })).toBe('a:2\na-hit');
  expect(await content({ pattern: 'hit' })).toBe('a:hit\na:hit\na:hit\nb:hit\nb:hit');
  expect(await grep({ pattern: 'hit', context_before: 2 })).toBe('a\nb');
});

test('lines are matched without their \\r, and one by one unless multiline is set', async () => {
  tools.put('a', 'xa\r\nb end\r\nstart\n');
  expect(await content({ pattern: 'a$' })).toBe('a:xa');
  expect(await content({ pattern: '(?<=x)a$' })).toBe('a:xa');
  expect(await content({ pattern: 'a\\nb' })).toBe('No matches found');
  expect(await content({ pattern: 'a\nb' })).toBe('No matches found');
  expect(await content({ pattern: 'xa.*start' })).toBe('No matches found');
  expect(await content({ pattern: 'xa.*start', multiline: true })).toBe('a:xa\na:b end\na:start');
  expect(await content({ pattern: 'a\\nb', multiline: true, line_numbers: true })).toBe('a:1:xa\na:2:b end');
  expect(await content({ pattern: 'd\ns', multiline: true })).toBe('a:b end\na:start');
  expect(await content({ pattern: '[\\n]start', multiline: true })).toBe('a:b end\na:start');
  expect(await content({ pattern: '^b.*$', multiline: true, head_limit: 1 })).toBe('a:b end');
});

test('head_limit takes the first lines of the output', async () => {
  for (const path of ['a', 'b', 'c']) tools.put(path, 'hit\nhit\n');
  expect(await grep({ pattern: 'hit', head_limit: 2 })).toBe('a\nb');
  expect(await content({ pattern: 'hit', head_limit: 3 })).toBe('a:hit\na:hit\nb:hit');
  expect(await grep({ pattern: 'hit', output_mode: 'count', head_limit: 1 })).toBe('a:2\nTotal matches: 6');
  expect(await grep({ pattern: 'hit', head_limit: 0 })).toBe('a\nb\nc');
});

test('glob is held against names, or paths if it has a slash', async () => {
  for (const path of ['a.ts', '.b.ts', 'c.js', 'src/d.ts', 'src/deep/e.ts', '!f']) tools.put(path, 'hit');
  symlinkSync('../a.ts', join(tools.workspace, 'src/link.ts'));
  expect(await grep({ pattern: 'hit', glob: '*.ts' })).toBe('.b.ts\na.ts\nsrc/d.ts\nsrc/deep/e.ts\nsrc/link.ts');
  expect(await grep({ pattern: 'hit', glob: '*.{js,tsx}' })).toBe('c.js');
  expect(await grep({ pattern: 'hit', glob: 'src/*.ts' })).toBe('src/d.ts\nsrc/link.ts');
  expect(await grep({ pattern: 'hit', glob: '**/*.ts' })).toBe('.b.ts\na.ts\nsrc/d.ts\nsrc/deep/e.ts\nsrc/link.ts');
  expect(await grep({ pattern: 'hit', glob: '!f' })).toBe('!f');
  expect(await grep({ pattern: 'hit', glob: '*.ts', path: 'c.js' })).toBe('No matches found');
  expect(await grep({ pattern: 'hit', glob: '*.js', path: 'c.js' })).toBe('c.js');
  expect(await grep({ pattern: 'hit', glob: '{a' })).toBe(unclosedBrace('{a'));
});

test('errors are those of the catalogue', async () => {
  tools.put('a', 'x');
  expect(await tools.call('grep', { pattern: '(' })).toEqual({
    // The offset is left out, because ripgrep counts in a pattern that it has wrapped.
    text: 'Error: Regex error: PCRE2: error compiling pattern: missing closing parenthesis',
    isError: true,
  });
  expect(await grep({})).toBe(isRequired('pattern'));
  expect(await grep({ pattern: 'x', path: 'nope' })).toBe(directoryNotFound('nope'));
  expect(await grep({ pattern: 'x', path: '../out' })).toBe(accessDenied('directory', tools.workspace));
  expect(await grep({ pattern: 'x', output_mode: 'lines' })).toBe(
    mustBeOneOf('output_mode', ['files_with_matches', 'content', 'count']),
  );
  expect(await grep({ pattern: "'; touch pwned; '" })).toBe('No matches found');
  expect(existsSync(join(tools.workspace, 'pwned'))).toBe(false);
  execFileSync('mkfifo', [join(tools.workspace, 'pipe')]);
  expect(await grep({ pattern: 'x', path: 'pipe' })).toBe(directoryNotFound('pipe'));
  const stopped = await tools.call('grep', { pattern: 'x' }, stoppedAtFirstProcess());
  expect(stopped).toMatchObject({ isError: true, outcome: 'stopped' });
});

test('an expression that gives up is an error and not an empty answer', async () => {
  tools.put('a', `x${'a'.repeat(60)}b\n`);
  const text = 'match limit exceeded. Make the expression simpler';
  expect(await grep({ pattern: '(?<=x)(a|aa)+$' })).toBe(`Error: Regex error: ${text}`);
  expect(await tools.text('search_code', { query: '(?<=x)(a|aa)+$', regex: true })).toBe(
    `Error searching code: ${text}`,
  );
});

describe('a search that takes longer than its guard time', () => {
  const FILES = 3_000;
  const LINES = 1_000_000;
  const GUARD_MS = 2_000;

  /** The tools' own guard is 10 and 30 s; the real ripgrep is ended as it is then. */
  class ShortGuard extends ProcessRunner {
    override run(request: ProcessRequest): Promise<ProcessOutcome> {
      return super.run({ ...request, timeoutMs: Math.min(request.timeoutMs ?? GUARD_MS, GUARD_MS) });
    }
  }
  const hurried = () => ({ processes: new ShortGuard(processPorts) });

  /** 48 GB to read, on a few megabytes of disk: ripgrep reads more than 12 GB in a second from the cache. */
  beforeEach(() => {
    tools.put('0/text', `${'some other line\n'.repeat(LINES)}a hit\n`);
    tools.put('0/binary', `\0${'some other line\n'.repeat(LINES)}a hit\n`);
    for (let index = 1; index <= FILES; index++) {
      mkdirSync(join(tools.workspace, String(index)));
      for (const name of ['text', 'binary'])
        linkSync(join(tools.workspace, '0', name), join(tools.workspace, String(index), name));
    }
  });

  test('returns what was found until then and says so', { timeout: 60_000 }, async () => {
    for (const output_mode of ['files_with_matches', 'content', 'count']) {
      const lines = (await tools.text('grep', { pattern: '(h)it', output_mode }, hurried())).split('\n');
      expect(lines.at(-1)).toBe('[stopped after 10 s]');
      const found = lines.filter((line) => line.startsWith(tools.workspace));
      expect(found.length).toBeGreaterThan(0);
      expect(found.length).toBeLessThan(FILES);
      expect(found.filter((line) => line.includes('/binary'))).toEqual([]);
      if (output_mode === 'count') expect(lines.at(-2)).toBe(`Total matches: ${found.length}`);
    }
    const lines = (await tools.text('search_code', { query: 'HIT' }, hurried())).split('\n');
    expect(lines.at(-1)).toBe('[stopped after 30 s]');
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.length).toBeLessThan(FILES);
    expect(lines.slice(0, -1).every((line) => line.endsWith(`:${LINES + 1}: a hit`))).toBe(true);
  });

  test('is an error if nothing was found', { timeout: 60_000 }, async () => {
    expect(await tools.call('grep', { pattern: 'absent' }, hurried())).toEqual({
      text: 'Error: Regex error: timed out',
      isError: true,
    });
    expect(await tools.call('search_code', { query: 'absent' }, hurried())).toMatchObject({
      text: expect.stringContaining('timed out after 30 s'),
      isError: true,
    });
  });
});

test('a file is binary by a NUL byte in its first 8 KB, and by nothing else', async () => {
  const lines = (bytes: number) => `${'y'.repeat(99)}\n`.repeat(bytes / 100);
  tools.put('early', 'hit\nmore\0\nhit\n');
  tools.put('late', `hit\n${lines(9_000)}\0\nhit\n`);
  tools.put('later', `${lines(100_000)}a\0b hit\n`);
  tools.put('picture.png', 'hit');
  tools.put('utf16', Buffer.from('\ufeffhit ä\r\n', 'utf16le'));
  tools.put('zeros', `${'\0'.repeat(100_000)}hit`);
  symlinkSync('early', join(tools.workspace, 'link'));
  symlinkSync('late', join(tools.workspace, 'link2'));
  expect(await grep({ pattern: 'hit' })).toBe('late\nlater\nlink2\npicture.png\nutf16');
  expect(await grep({ pattern: 'hit', output_mode: 'count' })).toBe(
    'late:2\nlater:1\nlink2:2\npicture.png:1\nutf16:1\nTotal matches: 7',
  );
  expect(await content({ pattern: 'hit', line_numbers: true })).toBe(
    'late:1:hit\nlate:93:hit\nlater:1001:a\0b hit\nlink2:1:hit\nlink2:93:hit\npicture.png:1:hit\nutf16:1:hit ä',
  );
  expect(await grep({ pattern: 'hit', path: 'early' })).toBe('No matches found');
  expect(await content({ pattern: 'hit', path: 'late' })).toBe('late:hit\nlate:hit');
  expect(await grep({ pattern: 'hit', multiline: true })).toBe('late\nlater\nlink2\npicture.png\nutf16');
});

test('hidden and ignored files are searched; .git, links to folders and to the outside are not', async () => {
  tools.put('.gitignore', 'ignored.txt\n');
  for (const path of ['.git/config', 'sub/.git/x', 'ignored.txt', '.hidden/f', '../outside/secret'])
    tools.put(path, 'hit');
  symlinkSync('.hidden', join(tools.workspace, 'folder'));
  symlinkSync('../outside/secret', join(tools.workspace, 'leak'));
  expect(await grep({ pattern: 'hit' })).toBe('.hidden/f\nignored.txt');
  expect(await grep({ pattern: 'hit', path: 'folder' })).toBe('folder/f');
});

test('an output that is too large is stopped with a notice', async () => {
  for (let file = 0; file < 6; file++) tools.put(`f${file}`, `${'hit '.repeat(250)}\n`.repeat(2500));
  const text = await content({ pattern: 'hit' });
  expect(text).toMatch(/\n\[More was found than can be shown: .*\]$/);
});

test('names may hold anything', async () => {
  tools.put('new\nline', 'hit\n');
  tools.put('--\nx', 'hit\n');
  tools.put('a:1:b', 'hit\n');
  expect(await content({ pattern: 'hit', context_after: 1 })).toBe('"--\\nx":hit\n--\na:1:b:hit\n--\n"new\\nline":hit');
});

test('matches and their context are lines of the file', async () => {
  const line = fc.constantFrom('hit', 'a', '', '--', '1:x');
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 12 }),
      fc.nat(3),
      fc.nat(3),
      async (lines, before, after) => {
        tools.put('f', `${lines.join('\n')}\n`);
        const isNear = (index: number) =>
          lines.some((text, at) => text === 'hit' && at - before <= index && index <= at + after);
        const expected = lines.flatMap((text, index) => {
          if (!isNear(index)) return [];
          const sign = text === 'hit' ? ':' : '-';
          const isApart =
            before + after > 0 && index > 0 && !isNear(index - 1) && lines.findIndex((_, at) => isNear(at)) < index;
          return [...(isApart ? ['--'] : []), `f${sign}${index + 1}${sign}${text}`];
        });
        const found = await content({
          pattern: '^hit$',
          line_numbers: true,
          context_before: before,
          context_after: after,
        });
        expect(found).toBe(expected.join('\n') || 'No matches found');
      },
    ),
    { numRuns: 40 },
  );
});
