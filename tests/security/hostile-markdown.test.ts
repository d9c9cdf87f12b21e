import { Lexer } from 'marked';
import { describe, expect, test } from 'vitest';
import { IncrementalBlocks } from '../../src-renderer/chat/markdown/incremental-blocks.ts';
import { type AnyToken, known, lex } from '../../src-renderer/chat/markdown/tokens.ts';
import { hostileMarkdown, NESTED } from '../fixtures/hostile-markdown.ts';
import { ownTimeMs } from '../fixtures/own-time.ts';
import { repetitions } from '../fixtures/repetitions.ts';

/** Two for each list: itself and its item. */
const MAX_LEVELS = 60;

function childrenOf(token: AnyToken): readonly AnyToken[] {
  if (token.type === 'list') return token.items.flatMap((item) => known(item.tokens));
  if (token.type === 'table') return [token.header, ...token.rows].flat().flatMap((cell) => known(cell.tokens));
  return 'tokens' in token ? known(token.tokens) : [];
}

/** The depth is measured without recursion, because recursion is what the test is about. */
function depthOf(tokens: readonly AnyToken[]): number {
  let deepest = 0;
  const open = tokens.map((token) => ({ token, depth: 1 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    deepest = Math.max(deepest, depth);
    for (const child of childrenOf(token)) open.push({ token: child, depth: depth + 1 });
  }
  return deepest;
}

/** How it is shown while it arrives, and in the end. */
function parsedInSteps(text: string): void {
  const blocks = new IncrementalBlocks();
  for (const part of [0.3, 0.8, 1]) blocks.parse(text.slice(0, Math.floor(text.length * part)), false);
  const whole = blocks.parse(text, true);
  expect(depthOf(whole.map(({ token }) => token))).toBeLessThan(MAX_LEVELS);
}

const levels = (marker: string) =>
  Array.from({ length: 200 }, (_, level) => `${'  '.repeat(level)}${marker}a`).join('\n');

describe('text that is nested so deeply that drawing it would end in an exception', () => {
  test('the parser alone nests without an end', () => {
    expect(depthOf(new Lexer().lex(levels('- ')) as AnyToken[])).toBeGreaterThan(200);
  });

  test.each(['- ', '* ', '+ ', '1. ', '> '])('lists and quotes of 200 levels made of "%s"', (marker) => {
    parsedInSteps(levels(marker));
    parsedInSteps(`${marker.repeat(200)}a`);
    parsedInSteps(marker.repeat(20_000));
  });

  test.each(NESTED.map((part) => [JSON.stringify(part), part]))('a text made of %s', (_, part) => {
    parsedInSteps(part.repeat(Math.ceil(12_000 / part.length)));
  });

  test('text made of anything: never an exception, and never deep', () => {
    for (const text of hostileMarkdown(repetitions(300, 10_000), 4_000)) parsedInSteps(text);
  });
});

test.each([
  ['a list item that goes on without its indentation', `- foo\n-----${' foo\n------'.repeat(5_000)}`],
  ['dollars', '$'.repeat(40_000)],
])('%s: read in time that grows as the text does', (_, text) => {
  const startedAt = ownTimeMs();
  new IncrementalBlocks().parse(text, true);
  // Without the limit, this took half a minute or more.
  expect(ownTimeMs() - startedAt).toBeLessThan(5_000);
});

test('what is beyond the bounds is there as it was written', () => {
  const text = `${'> '.repeat(50)}the end\n\n${'*a '.repeat(2_000)}\n\n${'x '.repeat(80_000)}`;
  const tokens = lex(text);
  expect(tokens.map(({ raw }) => raw).join('')).toBe(text);
});
