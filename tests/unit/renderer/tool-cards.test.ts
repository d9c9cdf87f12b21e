import Anser from 'anser';
import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MatchesCard, ToolCard } from '../../../src-preload/contract/tool-card.ts';
import { pathFrom } from '../../../src-renderer/conversation/path-from.ts';
import { ansiColours, spansOf } from '../../../src-renderer/tool-cards/ansi-colours.svelte.ts';
import { errorLine, printedText } from '../../../src-renderer/tool-cards/call-summary.ts';
import { cardFacts } from '../../../src-renderer/tool-cards/card-facts.ts';
import { amountText, barHeights, cellText, leastDigits } from '../../../src-renderer/tool-cards/chart-text.ts';
import { diffLines } from '../../../src-renderer/tool-cards/diff-lines.ts';
import { firstOf, matchGroups } from '../../../src-renderer/tool-cards/match-groups.ts';
import { lineStart, openStyle, terminalLines, withoutColours } from '../../../src-renderer/tool-cards/terminal-text.ts';
import { sizeText } from '../../../src-renderer/ui/amounts.ts';
import { withStandIns } from '../../../src-renderer/ui/unseen-characters.ts';

const ESC = '\u001b';

test('errors are one line', () => {
  expect(errorLine('Error: Shell not found: shell_9')).toBe('Shell not found: shell_9');
  expect(errorLine('Error reading file: Could not find file\n  more of it')).toBe(
    'Error reading file: Could not find file',
  );
  expect(errorLine('\n')).toBe('');
  expect(errorLine('x'.repeat(1_000)).length).toBeLessThan(200);
});

describe('the head of a card', () => {
  const texts = (card: ToolCard) => cardFacts(card).map(({ text, spoken }) => spoken ?? text);

  test('says what came of the call', () => {
    const diff = { kind: 'diff', path: 'a', isNew: false, added: 3, removed: 1, patch: '' } as const;
    expect(texts(diff)).toEqual(['3 lines added', '1 line removed']);
    expect(texts({ ...diff, isNew: true, removed: 0 })).toEqual(['new file', '3 lines added']);
    expect(texts({ kind: 'terminal', line: 'x', ending: 'exited', exitCode: 3 })).toEqual(['exit code 3']);
    expect(texts({ kind: 'terminal', line: 'x', ending: 'exited', exitCode: 0 })).toEqual([]);
    expect(texts({ kind: 'terminal', line: 'x', ending: 'timed-out' })).toEqual(['timed out']);
    expect(texts({ kind: 'terminal', line: 'x', ending: 'stopped' })).toEqual([]);
    expect(texts({ kind: 'terminal', line: 'x', ending: 'background', shellId: 'shell_1' })).toEqual([
      'running in background: shell_1',
    ]);
    const held = { kind: 'terminal', line: 'x', ending: 'exited', exitCode: 3 } as const;
    expect(texts({ ...held, bounds: 'read-only' })).toEqual(['exit code 3', 'read-only']);
    expect(texts({ ...held, exitCode: 0, bounds: 'folder' })).toEqual(['sandbox']);
    expect(texts({ kind: 'page', url: 'u', status: 404, contentType: 't', size: 9 })).toEqual(['HTTP 404', '9 bytes']);
    expect(texts({ kind: 'page', url: 'u', status: 302, contentType: 't', size: 0 })).toEqual(['HTTP 302', '0 bytes']);
    expect(texts({ kind: 'matches', matches: [], total: 0 })).toEqual(['nothing found']);
    expect(texts({ kind: 'todos', todos: [] })).toEqual(['cleared']);
  });

  test('counts matches in files, files alone, and does not guess in how many files the rest is', () => {
    const matches = [
      { path: 'a', line: 1, text: 'x' },
      { path: 'a', line: 2, text: 'y' },
      { path: 'b', line: 1, text: 'z' },
    ];
    expect(texts({ kind: 'matches', matches, total: 3 })).toEqual(['3 matches in 2 files']);
    expect(texts({ kind: 'matches', matches, total: 9_000 })).toEqual(['9,000 matches']);
    expect(texts({ kind: 'matches', matches: [{ path: 'a' }], total: 1 })).toEqual(['1 file']);
  });

  test('and sizes as people say them', () => {
    expect([1, 831, 48_213, 1_234_567].map(sizeText)).toEqual(['1 byte', '831 bytes', '48 kB', '1.2 MB']);
    expect([999_700, 999_970_000, 4_700_000_000].map(sizeText)).toEqual(['1 MB', '1 GB', '4.7 GB']);
  });
});

describe('a diff', () => {
  test('has the numbers of its lines, of removed ones in the old file', () => {
    const lines = diffLines(
      '@@ -3,3 +3,4 @@\n a\n-b\n+B\n+B2\n c\n@@ -20 +21 @@\n-x\n\\ No newline at end of file\n+y\n',
    );
    expect(lines.map(({ kind, number, text }) => [kind, number, text])).toEqual([
      ['same', 3, 'a'],
      ['removed', 4, 'b'],
      ['added', 4, 'B'],
      ['added', 5, 'B2'],
      ['same', 6, 'c'],
      ['hunk', null, '⋯'],
      ['removed', 20, 'x'],
      ['hunk', null, 'No newline at end of file'],
      ['added', 21, 'y'],
    ]);
  });

  test('holds every line of both files, whatever is in them', () => {
    const line = fc.oneof(fc.string(), fc.constantFrom('@@ -1 +1 @@', '--- a', '+++ b', '-', '+', '\\ x', ''));
    const text = fc
      .array(line.filter((part) => !/[\n\r]/.test(part)))
      .map((lines) => lines.map((part) => `${part}\n`).join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(createTwoFilesPatch('a', 'b', before, after, '', '', { context: 10_000 }));
        const side = (kind: 'added' | 'removed') =>
          lines.flatMap((shown) => (shown.kind === kind || shown.kind === 'same' ? [`${shown.text}\n`] : [])).join('');
        if (before === after) expect(lines).toEqual([]);
        else expect([side('removed'), side('added')]).toEqual([withStandIns(before), withStandIns(after)]);
      }),
    );
  });

  test('says nothing of line ends that all lines have, and shows those that one has', () => {
    const texts = (patch: string) => diffLines(patch).map(({ text }) => text);
    expect(texts('@@ -1 +1 @@\n-a\r\n+b\r\n')).toEqual(['a', 'b']);
    expect(texts('@@ -1 +1 @@\n-a\n+a\r\n')).toEqual(['a', 'a⟨U+000D⟩']);
  });

  test('shows what would reorder or hide its text', () => {
    expect(diffLines('@@ -1 +1 @@\n+a\u202eb\u200b\u2066c')[0]?.text).toBe('a⟨U+202E⟩b⟨U+200B⟩⟨U+2066⟩c');
  });
});

test('paths in the workspace are relative to it', () => {
  expect(pathFrom('/srv/work', '/srv/work/src/a.ts')).toBe('src/a.ts');
  expect(pathFrom('/srv/work/', '/srv/work/a.ts')).toBe('a.ts');
  expect(pathFrom('\\\\server\\work', '//server/work/a.ts')).toBe('a.ts');
  for (const path of ['/srv/workshop/a.ts', '/etc/hosts', 'src/a.ts', '/srv/work/'])
    expect(pathFrom('/srv/work', path)).toBe(path);
});

describe('command output', () => {
  test.each([
    ['progress that was written over', 'load 1 %\rload 50 %\rloaded   \nnext', ['loaded   ', 'next']],
    ['line ends of Windows', 'a\r\nb\r\r\nc', ['a', 'b', 'c']],
    ['a shorter text over a longer one', 'abcdef\rXY', ['XYcdef']],
    ['an erased rest', `abcdef\rXY${ESC}[K`, ['XY']],
    ['an erased line', `abc${ESC}[2K\rx`, ['x  ']],
    ['steps back', 'ab\b\bX', ['Xb']],
    ['a progress that is going on', 'load 1 %\r', ['load 1 %']],
    ['orders to move and clear', `${ESC}[2J${ESC}[1;1Ha${ESC}[?25lb${ESC}=c${ESC}(B`, ['abc']],
    ['titles and links', `${ESC}]0;title\u0007a${ESC}]8;;https://x.io${ESC}\\b${ESC}]8;;${ESC}\\`, ['ab']],
    ['a title that never ends', `${ESC}]0;a\nb`, ['0;a', 'b']],
    ['half an order', `a${ESC}[3`, ['a3']],
    ['bells', 'a\u0007b\u0000', ['ab']],
  ])('stands as a terminal would leave it: %s', (_, printed, lines) => {
    expect(terminalLines(printed)).toEqual(lines);
  });

  test('keeps its colours where a line was written over', () => {
    const [line = ''] = terminalLines(`${ESC}[31mred\r${ESC}[32mg${ESC}[0m!`);
    expect(withoutColours(line)).toBe('g!d');
    expect(spansOf(Anser, line).map(({ text, colour }) => [text, colour])).toEqual([
      ['g', 'green'],
      ['!', null],
      ['d', 'red'],
    ]);
  });

  test('loses no letter, whatever orders are in it', () => {
    const order = fc.constantFrom(
      `${ESC}[31m`,
      `${ESC}[0m`,
      `${ESC}[1;44m`,
      `${ESC}[K`,
      `${ESC}[38;5;208m`,
      `${ESC}c`,
      ESC,
      `${ESC}[`,
    );
    const letters = fc.stringMatching(/^[é ]{1,6}$/);
    fc.assert(
      fc.property(fc.array(fc.oneof(order, letters, fc.constant('\n'))), (parts) => {
        const printed = parts.join('');
        const plain = parts.filter((part) => !part.startsWith(ESC)).join('');
        const lines = terminalLines(printed);
        expect(withoutColours(lines.join('\n'))).toBe(plain);
        expect(
          spansOf(Anser, lines.join('\n'))
            .map(({ text }) => text)
            .join(''),
        ).toBe(plain);
      }),
    );
  });

  test('has the colours of the theme, from names, palettes and values', () => {
    const colours = (text: string) => spansOf(Anser, text).map(({ colour, background }) => [colour, background]);
    expect(colours(`${ESC}[31mx`)).toEqual([['red', null]]);
    expect(colours(`${ESC}[92;41mx`)).toEqual([['green', 'red']]);
    expect(colours(`${ESC}[38;5;208mx`)).toEqual([['yellow', null]]);
    expect(colours(`${ESC}[38;5;240mx`)).toEqual([['soft', null]]);
    expect(colours(`${ESC}[38;2;120;180;255mx`)).toEqual([['blue', null]]);
    expect(colours(`${ESC}[2mx`)).toEqual([['soft', null]]);
    expect(spansOf(Anser, `${ESC}[1;3;4mx`)).toMatchObject([{ isBold: true, isItalic: true, isUnderlined: true }]);
  });

  test('is there without colours before they can be read, and where there are too many', () => {
    expect(ansiColours.spans(`a${ESC}[31mb\u202e`)).toMatchObject([{ text: 'ab⟨U+202E⟩', colour: null }]);
  });

  test('continues in the previous colour', () => {
    expect(openStyle(['a', `${ESC}[31mb`, `c${ESC}[1m`])).toBe(`${ESC}[31m${ESC}[1m`);
    expect(openStyle([`${ESC}[31mb${ESC}[0m`, 'c'])).toBe('');
    expect(openStyle(Array.from({ length: 100 }, () => `${ESC}[1m`))).toBe(`${ESC}[1m`.repeat(16));
  });

  test('is cut where a line begins', () => {
    expect([lineStart('ab\ncd', -5), lineStart('ab\ncd', 1), lineStart('ab\ncd', 3), lineStart('abcd', 2)]).toEqual([
      0, 3, 3, 2,
    ]);
  });

  test('is shown once: not if the head of the card already shows it', () => {
    const exited = { kind: 'terminal', line: 'x', ending: 'exited', exitCode: 3 } as const;
    expect(printedText('out\n[exit code 3]', { ...exited, addedByTool: 14 })).toBe('out');
    expect(printedText('out\n[exit code 3]', exited)).toBe('out\n[exit code 3]');
    expect(printedText('added', { ...exited, addedByTool: 300 })).toBe('');
  });
});

test('matches stand by file, and the first of them are cut at a line', () => {
  const matches: MatchesCard['matches'] = [
    { path: 'a', line: 1, text: 'x' },
    { path: 'b', line: 7, text: 'y' },
    { path: 'a', line: 2, text: 'z' },
    { path: 'c' },
  ];
  const groups = matchGroups(matches);
  expect(groups.map(({ path, lines }) => [path, lines.map(({ line }) => line)])).toEqual([
    ['a', [1, 2]],
    ['b', [7]],
    ['c', []],
  ]);
  expect(firstOf(groups, 1)).toEqual([{ path: 'a', lines: [{ line: 1, text: 'x' }] }]);
  expect(firstOf(groups, 3).map(({ path }) => path)).toEqual(['a', 'b']);
  expect(firstOf(groups, 99)).toEqual(groups);
});

test('amounts and cells are said as people say them, and what is not known is a dash', () => {
  expect([4.1, 0, 0.004, 1234.5, -2].map((value) => amountText(value, 'usd'))).toEqual([
    '$4.10',
    '$0.00',
    '<\u00a0$0.01',
    '$1,234.50',
    '−$2.00',
  ]);
  expect([831, 12_400, 1].map((value) => amountText(value, 'tokens'))).toEqual([
    '831 tokens',
    '12.4K tokens',
    '1 token',
  ]);
  expect(amountText(Number.NaN, 'count')).toBe('–');
  expect([null, 0, 1234.56789, 'x'].map((cell) => cellText(cell, 0))).toEqual(['–', '0', '1,234.5679', 'x']);
  const dollars = [1, 4.9, null, 'x'];
  expect(leastDigits(dollars)).toBe(2);
  expect(dollars.map((cell) => cellText(cell, leastDigits(dollars)))).toEqual(['1.00', '4.90', '–', 'x']);
  expect(leastDigits([1, 2])).toBe(0);
});

test('bars are between nothing and the highest', () => {
  expect(barHeights([0, 5, 10, -3, Number.NaN])).toEqual([0, 0.5, 1, 0, 0]);
  expect(barHeights([0, 0])).toEqual([0, 0]);
});
