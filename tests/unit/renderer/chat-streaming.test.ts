import fc from 'fast-check';
import { render } from 'svelte/server';
import { describe, expect, test } from 'vitest';
import { IncrementalBlocks, type MarkdownBlock } from '../../../src-renderer/chat/markdown/incremental-blocks.ts';
import Markdown from '../../../src-renderer/chat/markdown/Markdown.svelte';
import { withoutOpenMarks } from '../../../src-renderer/chat/markdown/open-marks.ts';
import { type AnyToken, known, lex } from '../../../src-renderer/chat/markdown/tokens.ts';
import { ownTimeMs } from '../../fixtures/own-time.ts';

/** What models write, one block each. Together in any order, cut off anywhere, they are the corpus. */
const BLOCKS: readonly string[] = [
  '# A title with `code` and **bold**',
  '###### Small',
  'Set with a line\n===============',
  'Set with a line below\n---',
  'Plain text, and more of it. 2031 was 1.5 times as good!',
  'Some *emphasis across words* and **bold across\ntwo lines** and ***both*** here.',
  'A _word_ and __two words__, a snake_case_name, ~~gone~~, `code with **marks**`, ``a ` in it``.',
  'See [the **documentation**](https://example.org/a_(b)?c=1 "Its title"), <https://example.org> and https://example.org/x_y.',
  'An image ![of a cat](https://example.org/cat.png) in the text.',
  'Escaped \\*stars\\* and \\[brackets\\], R&D, AT&amp;T, 5 &lt; 6, a < b.',
  'It is 2*3 and 5 * 6 and $5 and $6, with $a_i * b_i$ and \\(x_1 * y_1\\).',
  'Break<br>here and <kbd>Ctrl</kbd>.',
  '- one\n- two **bold**\n- three',
  '- one\n  - nested *deeply*\n    - more\n  - back\n- two\n\n  a paragraph in it\n\n- loose',
  '* star\n* `code`: what it is\n+ plus',
  '1. first\n2. second\n   - inner\n   - `x`\n3. third\n\n   ```sh\n   npm test\n   ```\n10. tenth',
  '1) one\n2) two',
  '- [x] done\n- [ ] not **done**',
  '- a\n  -\n- b',
  '- a\n\n  # heading in it\n\n- b',
  '> quoted *text*\n> and more\nlazy\n>\n> - list in it\n>   - nested\n>\n> > twice',
  '```ts\nconst a = `b`;\n\n# no heading\n- no list\n```',
  '~~~~\n~~~\n```\nin tildes\n~~~~',
  '````md\n```js\nx\n```\n````',
  '    indented\n      code\n\n    more',
  '| a | b |\n|---|--:|\n| 1 | **2** |\n| `x | y` | [z](https://example.org) |',
  'a | b\n--|--\n1 | 2',
  '<div class="x">\n  <b>raw</b>\n</div>',
  '<details><summary>More</summary>\ntext\n</details>',
  '<!-- a comment\nof two lines -->',
  '---',
  '* * *',
  '___',
  '$$\n\\sum_i x_i\n$$',
  '\\[\nE = mc^2\n\\]',
  'Before\n$$\nx\n$$\nafter',
  '他说**很重要**，然后*走了*。见[文档](https://example.org/文档)。',
  '- 第一\n- **第二**项\n\n1. 一\n2. 二',
  'これは`コード`と**太字**です。',
  'هذا نص **مهم** و*مائل* مع [رابط](https://example.org/ar).',
  '- أول\n- ثانٍ\n\n> اقتباس',
  '| اسم | قيمة |\n|---|---|\n| أ | ١ |',
  'a line with two spaces  \nand another\\\nlast',
  '**Bold head:** then text\n**Another:** more',
  '**All bold**',
  '*All of it*',
  '+5 points, -3 degrees, #hashtag, =equal, ~5 min, 1986. was long ago',
];

function texts(...ends: readonly string[]): fc.Arbitrary<string> {
  return fc
    .array(fc.tuple(fc.constantFrom(...BLOCKS), fc.constantFrom(...ends)), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.map((part) => part.join('')).join(''));
}

type Outline = readonly [kind: string, inner: readonly Outline[]];

/** The kinds of blocks, and of the blocks in them. */
function outline(tokens: readonly AnyToken[]): Outline[] {
  return tokens.flatMap((token): Outline[] => {
    if (token.type === 'space' || token.type === 'checkbox' || token.type === 'def') return [];
    if (token.type === 'list') return [['list', token.items.map((item) => ['item', outline(known(item.tokens))])]];
    if (token.type === 'blockquote') return [['blockquote', outline(known(token.tokens))]];
    return [[token.type === 'text' ? 'paragraph' : token.type, []]];
  });
}

const LINE_KINDS: readonly string[] = ['heading', 'table', 'list', 'hr'];
const BY_ITS_SECOND_LINE: readonly string[] = ['heading', 'table'];

/** How many blocks there are of the kinds that a whole line makes, in blocks of all depths. */
function madeByLines(blocks: readonly Outline[]): number {
  return blocks.reduce((sum, [kind, inner]) => sum + (LINE_KINDS.includes(kind) ? 1 : 0) + madeByLines(inner), 0);
}

/** What was drawn and is something else, or gone, later. */
function changes(before: readonly Outline[], after: readonly Outline[]): string[] {
  return before.flatMap(([kind, inner], index) => {
    const [now, innerNow] = after[index] ?? ['nothing', []];
    if (kind === 'paragraph' && BY_ITS_SECOND_LINE.includes(now)) return [];
    return kind === now ? changes(inner, innerNow) : [`${kind} became ${now}`];
  });
}

/** All that is written in the page, without the spaces between, and without the edges of cells. */
function shownText(blocks: readonly MarkdownBlock[], isLive: boolean): string {
  return render(Markdown, { props: { blocks, isLive } })
    .body.replace(/<!--.*?-->/gs, '')
    .replace(/<svg.*?<\/svg>/gs, '')
    .replace(/<[^>]*>/g, '')
    .replace(/[\s|]/g, '');
}

type Draw = (source: string, isComplete: boolean) => readonly MarkdownBlock[];

const incremental = (): Draw => {
  const parser = new IncrementalBlocks();
  return (source, isComplete) => parser.parse(source, isComplete);
};
/** Each beginning as if it were a text of its own. */
const naive = (): Draw => (source) =>
  lex(source)
    .filter(({ type }) => type !== 'space')
    .map((token, key) => ({ key, token, level: null }));

/** Each beginning of a text as it is drawn while it is written, and at last the whole. */
function* drawings(source: string, draw: Draw): Generator<[beginning: string, blocks: readonly MarkdownBlock[]]> {
  for (let at = 1; at <= source.length; at += 1) yield [source.slice(0, at), draw(source.slice(0, at), false)];
  yield [source, draw(source, true)];
}

function faultsIn(source: string, draw = incremental()): string[] {
  const faults: string[] = [];
  let before: readonly Outline[] = [];
  for (const [beginning, blocks] of drawings(source, draw)) {
    const now = outline(blocks.map(({ token }) => token));
    faults.push(...changes(before, now).map((change) => `${JSON.stringify(beginning)}: ${change}`));
    if (madeByLines(now) > madeByLines(before) && !beginning.endsWith('\n'))
      faults.push(`${JSON.stringify(beginning)}: drawn before its line is complete`);
    before = now;
  }
  return faults;
}

/** Beginnings whose text is not what the whole begins with. */
function flashesIn(source: string, draw = incremental()): string[] {
  const whole = shownText(new IncrementalBlocks().parse(source, true), false);
  return [...drawings(source, draw)].flatMap(([beginning, blocks]) => {
    const shown = shownText(blocks, true);
    return whole.startsWith(shown) ? [] : [`${JSON.stringify(beginning)}: ${shown}`];
  });
}

describe('while a text is written', () => {
  test.each(BLOCKS)('nothing that was drawn becomes something else, and no open mark is seen: %j', (block) => {
    expect(faultsIn(`${block}\n`)).toEqual([]);
    expect(flashesIn(`${block}\n`)).toEqual([]);
  });

  test('nothing that was drawn becomes something else, whatever follows what', () => {
    fc.assert(
      fc.property(texts('\n', '\n\n', '\n\n\n'), (source) => {
        expect(faultsIn(source)).toEqual([]);
      }),
      { numRuns: 600 },
    );
  });

  test('rendered text does not change later', () => {
    fc.assert(
      fc.property(texts('\n\n', '\n\n\n'), (source) => {
        expect(flashesIn(source)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test.each(['* ', '*_', '**a ', '[', '![', '`', '$', '<', '[a](', '~~a', '\\(', '_a*'])(
    'a text of nothing but %j is no work',
    (piece) => {
      const text = piece.repeat(100_000 / piece.length);
      const startedAt = ownTimeMs();
      for (const length of [3_999, 4_000, text.length]) withoutOpenMarks(text.slice(0, length));
      expect(ownTimeMs() - startedAt).toBeLessThan(2_000);
    },
  );

  test('these checks see what they look for', () => {
    expect(faultsIn('- a\n  -\n- b\n', naive())).toContain('"- a\\n  -": drawn before its line is complete');
    expect(faultsIn('# a\n', naive())).toContain('"#": drawn before its line is complete');
    expect(flashesIn('some **bold** text\n', naive())).toContain('"some **bo": some**bo');
    expect(flashesIn('a [link](https://example.org)\n', naive())).toContain('"a [link](https:": a[link](https:');
  });

  test.each([
    ['goes **on and', 'goes **on and**'],
    ['**bold *both', '**bold *both***'],
    ['**bold*', '**bold**'],
    ['***both**', '***both***'],
    ['a **', 'a'],
    ['`code', '`code`'],
    ['``a ` b`', '``a ` b``'],
    ['see [the text', 'see the text'],
    ['see [the text](https://exa', 'see the text'],
    ['see ![the text](https://exa', 'see '],
    ['[see `co', 'see `co`'],
    ['![see `co', ''],
    ['[sic] it is', '[sic] it is'],
    ['**a _b_**_', '**a _b_**'],
    ['2*3 = 6', '2*3 = 6'],
    ['5 * 6 and more', '5 * 6 and more'],
    ['~~go', '~~go~~'],
    ['~5 min', '~5 min'],
    ['snake_case_na', 'snake_case_na'],
    ['costs $5 and', 'costs $5 and'],
    [`set $HOME to a folder ${'and go on '.repeat(8)}`, null],
    ['so $a_i * b', 'so '],
    ['a < b and <b', 'a < b and '],
    ['AT&am', 'AT'],
  ])('%j is drawn as %j', (text, drawn) => {
    expect(withoutOpenMarks(text)).toBe(drawn ?? text);
  });
});
