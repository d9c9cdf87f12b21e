import { analyse } from 'scslre';
import { describe, expect, test } from 'vitest';
import { BOUNDED_PATTERNS } from '../fixtures/regular-expressions/bounded-patterns.ts';
import { patternsIn, type SourcePattern, sourcePatterns } from '../fixtures/regular-expressions/source-patterns.ts';

const patterns = await sourcePatterns();

/** Steps may grow faster than the text, or nobody can tell. */
function mayBeSlow({ source, flags }: SourcePattern): boolean {
  return source === undefined || analyse({ source, flags }).reports.length > 0;
}

const isListed = ({ file, written }: SourcePattern) =>
  BOUNDED_PATTERNS.some((listed) => listed.file === file && isWrittenAs(written, listed.written));

function isWrittenAs(written: string, listed: string): boolean {
  const line = written.replace(/\s+/g, ' ');
  return listed.endsWith('…') ? line.startsWith(listed.slice(0, -1)) : line === listed;
}

const describeOne = ({ file, line, written }: SourcePattern) => `${file}:${line} ${written}`;
const slow = patterns.filter(mayBeSlow);

describe('regular expressions of the product', () => {
  test('are found, in components and made of parts too', () => {
    expect(patterns.length).toBeGreaterThan(1_500);
    expect(patterns.some(({ file }) => file.endsWith('.svelte'))).toBe(true);
    const code =
      "const WORD = 'a+'; const both = new RegExp('^' + WORD + '+$', 'i'); RegExp(given); x.replace(/b/g, ''); RegExp(['c', 'd'].join('|'));";
    expect(patternsIn('x', code).map(({ source, flags }) => [source, flags])).toEqual([
      ['^a++$', 'i'],
      [undefined, ''],
      ['b', 'g'],
      ['c|d', ''],
    ]);
  });

  test('take as many steps as the text has characters, or are listed with what bounds the text', () => {
    expect(slow.filter((pattern) => !isListed(pattern)).map(describeOne)).toEqual([]);
  });

  test('are not listed without need', () => {
    const isNeeded = ({ file, written }: (typeof BOUNDED_PATTERNS)[number]) =>
      slow.some((pattern) => pattern.file === file && isWrittenAs(pattern.written, written));
    expect(BOUNDED_PATTERNS.filter((listed) => !isNeeded(listed))).toEqual([]);
  });
});

// The check finds what it is for: the first ended in 23 seconds for 200,000 quotation marks.
test.each(['[<>"\'`]+$', '\\s+$', '^(?:a+)+$', '<[^>]*>x', '^\\s*(.*?)\\s*$'])('%s is found to be slow', (source) => {
  expect(mayBeSlow({ file: '', line: 0, written: '', source, flags: 'u' })).toBe(true);
});
