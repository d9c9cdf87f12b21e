import fc from 'fast-check';
import { render } from 'svelte/server';
import { describe, expect, test } from 'vitest';
import { headingLevels } from '../../../src-renderer/chat/markdown/heading-levels.ts';
import { IncrementalBlocks } from '../../../src-renderer/chat/markdown/incremental-blocks.ts';
import Markdown from '../../../src-renderer/chat/markdown/Markdown.svelte';
import { markdownBlocksOf } from '../../../src-renderer/chat/markdown/text-blocks.ts';
import { lex } from '../../../src-renderer/chat/markdown/tokens.ts';
import { TextItem } from '../../../src-renderer/conversation/items.svelte.ts';
import { isMisleading, linkTarget } from '../../../src-renderer/ui/link-target.ts';
import { INJECTIONS } from '../../fixtures/markdown-injections.ts';

function html(text: string, isLive = false): string {
  const blocks = new IncrementalBlocks().parse(text, !isLive);
  return render(Markdown, { props: { blocks, isLive } }).body.replace(/<!--.*?-->/g, '');
}

/** Every start tag with its attributes, as a browser would read what the components wrote. */
function elements(markup: string): { readonly name: string; readonly attributes: ReadonlyMap<string, string> }[] {
  return [...markup.matchAll(/<([a-zA-Z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^>"'])*)>/g)].map(([, name = '', rest = '']) => ({
    name: name.toLowerCase(),
    attributes: new Map(
      [...rest.matchAll(/([^\s=/]+)(?:="([^"]*)")?/g)].map(([, key = '', value = '']) => [key.toLowerCase(), value]),
    ),
  }));
}

const TEXT_ELEMENTS =
  'p h3 h4 h5 h6 ul ol li div pre code span strong em del br blockquote table thead tbody tr th td hr a button input'.split(
    ' ',
  );
/** Icons. */
const DRAWN = ['svg', 'path', 'rect', 'circle', 'line', 'polyline'];
const ALLOWED = new Set([...TEXT_ELEMENTS, ...DRAWN]);

function faultsIn(markup: string): string[] {
  return elements(markup).flatMap(({ name, attributes }) => [
    ...(ALLOWED.has(name) ? [] : [`<${name}>`]),
    ...[...attributes.keys()]
      .filter((key) => /^on|^src|^style$|^formaction$|^xlink|^data$|^action$|^background$|^ping$/.test(key))
      .map((key) => `<${name} ${key}>`),
    ...(attributes.has('href') && (name !== 'a' || !/^(?:https?:|mailto:)/.test(attributes.get('href') ?? ''))
      ? [`<${name} href="${attributes.get('href')}">`]
      : []),
    ...(name === 'input' && attributes.get('type') !== 'checkbox' ? ['<input>'] : []),
  ]);
}

describe('message text never becomes an element that runs, loads or leads elsewhere', () => {
  test.each(INJECTIONS)('%s', (text) => {
    expect(faultsIn(html(text))).toEqual([]);
    expect(faultsIn(html(text, true))).toEqual([]);
  });

  test('whatever it is made of, and wherever it is cut off', () => {
    const piece = fc.oneof(
      fc.constantFrom(...INJECTIONS),
      fc.string(),
      fc.constantFrom('\n', '\n\n', '`', '```', '> ', '- ', '|', '<', '](', '!['),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), fc.nat(), (pieces, cut) => {
        const text = pieces.join('');
        expect(faultsIn(html(text.slice(0, cut % (text.length + 1)), true))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test('the check itself sees what it looks for', () => {
    expect(faultsIn('<img src="x" onerror="y">')).toEqual(['<img>', '<img src>', '<img onerror>']);
    expect(faultsIn('<a href="javascript:x">')).toEqual(['<a href="javascript:x">']);
  });
});

describe('Markdown', () => {
  test('shows raw markup as the text that it is', () => {
    expect(html('a <b>c</b>')).toContain('a &lt;b>c&lt;/b>');
    expect(html('<div onclick=x>\nhi\n</div>')).toContain('&lt;div onclick=x>');
  });

  test('shows character references as their characters, and in code as they were written', () => {
    expect(html('a &amp; b &lt;i&gt; &copy; &#x41;')).toContain('a &amp; b &lt;i> © A');
    expect(html('`&amp;`')).toContain('&amp;amp;');
  });

  test('leaves formulas alone', () => {
    expect(html('so $a_i * b_i$ and \\(x_1 * y_1\\) cost $5 and $6')).toMatch(
      />a_i \* b_i<.*>x_1 \* y_1<.*cost \$5 and \$6/,
    );
    expect(html('$$\n\\sum_i x_i\n$$')).toContain('\\sum_i x_i');
  });

  test('does not load pictures; they can be opened where they are', () => {
    const markup = html('![a chart](https://example.org/c.png?q=1)');
    expect(markup).toContain('Image: a chart');
    expect(markup).toContain('open on example.org');
    expect(markup).not.toContain('<img');
  });

  test('says where a link goes that looks like another', () => {
    expect(html('[https://bank.example](https://evil.example/x)')).toContain('(opens evil.example)');
    expect(html('[https://bank.example](https://bank.example/x)')).not.toContain('(opens');
  });

  test('has tables, tasks and headings below those of the page', () => {
    const markup = html('# One\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n- [x] done\n- [ ] not done');
    expect(markup).toMatch(/<h3[^>]*>.*One.*<\/h3>/);
    expect(markup).toContain('<th scope="col"');
    expect(markup).toContain('aria-label="Not done"');
  });
});

describe('text that is still being written', () => {
  const document = fc
    .array(
      fc.constantFrom(
        '# Title',
        'Title\n===',
        'word *em* `code`',
        '- a\n- b',
        '- a\n\n- b',
        '1. a\n\n2. b\n\n   more',
        '> quote\nlazy',
        '```js\nlet a;\n\nlet b;\n```',
        '```\nopen',
        '| a |\n|---|\n| 1 |',
        '<div>\nx\n\n</div>',
        '    code',
        '---',
        '$$\nx\n$$',
        '* x\n  * y',
        'a\r\nb',
      ),
      { maxLength: 8 },
    )
    .chain((blocks) =>
      fc
        .array(fc.constantFrom('\n', '\n\n', '\n\n\n'), { minLength: blocks.length, maxLength: blocks.length })
        .map((ends) => blocks.map((block, at) => block + ends[at]).join('')),
    );

  test('ends as if it had been there from the beginning, however it arrived', () => {
    fc.assert(
      fc.property(
        document,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 30 }),
        (text, steps) => {
          const parser = new IncrementalBlocks();
          let at = 0;
          for (let step = 0; at < text.length; step += 1) {
            at += steps[step % steps.length] ?? 1;
            const normal = text.slice(0, at).replace(/\r\n?/g, '\n');
            const types = parser.parse(text.slice(0, at), false).map(({ token }) => token.type);
            // Line by line it is what a parse of the whole would give; only a last block of which more must be known is
            // left out.
            const whole = lexed(normal).map(({ type }) => type);
            if (normal.endsWith('\n')) expect([whole, whole.slice(0, -1)]).toContainEqual(types);
          }
          expect(parser.parse(text, true).map(({ token }) => token)).toEqual(lexed(text));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('keeps what is complete: the same objects come back', () => {
    const parser = new IncrementalBlocks();
    const before = parser.parse('one\n\n```js\nlet a;\n```\n\nthree is beg', false);
    const after = parser.parse('one\n\n```js\nlet a;\n```\n\nthree is begun\n\nfour', false);
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(after[0]).toBe(before[0]);
    expect(after[1]).toBe(before[1]);
    const end = parser.parse('one\n\n```js\nlet a;\n```\n\nthree is begun\n\nfour', true);
    expect(end.every((block, index) => block === after[index])).toBe(true);
  });

  test('gets its link targets from a definition at the end', () => {
    const parser = new IncrementalBlocks();
    parser.parse('see [it][1]\n\nmore\n\n', false);
    const [first] = parser.parse('see [it][1]\n\nmore\n\n[1]: https://example.org', true);
    expect(JSON.stringify(first)).toContain('"href":"https://example.org"');
  });
});

test('a text keeps its blocks while it grows, and when it is shown again', () => {
  const item = new TextItem('t.1');
  item.append('one\n\ntwo is beg');
  const before = markdownBlocksOf(item);
  expect(markdownBlocksOf(item)).toBe(before);
  item.append('un\n\nthree');
  const after = markdownBlocksOf(item);
  expect(after.map(({ token }) => token.raw.trim())).toEqual(['one', 'two is begun', 'three']);
  expect(after[0]).toBe(before[0]);
  item.complete(item.text);
  const end = markdownBlocksOf(item);
  expect(end.every((block, index) => block === after[index])).toBe(true);
  expect(markdownBlocksOf(item)).toBe(end);
});

const lexed = (text: string) => lex(text.replace(/\r\n?/g, '\n')).filter(({ type }) => type !== 'space');

test('headings have no gaps', () => {
  expect(headingLevels([2, 3, 3, 2, 1, 4, 2])).toEqual([3, 4, 4, 3, 3, 4, 4]);
  expect(headingLevels([1, 2, 3, 4, 5, 6])).toEqual([3, 4, 5, 6, 6, 6]);
});

test.each([
  ['https://example.org/a b', 'https://example.org/a%20b'],
  ['mailto:a@example.org', 'mailto:a@example.org'],
  ['https://example.org/?a=1&amp;b=2&copy=3', 'https://example.org/?a=1&b=2&copy=3'],
  ['HTTP://EXAMPLE.org', 'http://example.org/'],
  ['javascript:alert(1)', null],
  ['java\nscript:alert(1)', null],
  ['javascript&colon;alert(1)', null],
  ['&#106;avascript:alert(1)', null],
  ['\u0001javascript:alert(1)', null],
  ['data:text/html,<script>', null],
  ['file:///etc/passwd', null],
  ['vbscript:x', null],
  ['steward://app/app.html', null],
  ['//example.org', null],
  ['/etc/passwd', null],
  ['https://bank.example@evil.example/', null],
  ['', null],
])('the address %j opens %j', (href, target) => {
  expect(linkTarget(href)).toBe(target);
});

test('a link is misleading where its text names another host', () => {
  expect(isMisleading('www.example.org', 'https://example.org/')).toBe(false);
  expect(isMisleading('the documentation', 'https://example.org/')).toBe(false);
  expect(isMisleading('example.org', 'https://example.org.evil.example/')).toBe(true);
  expect(isMisleading('a@example.org', 'mailto:b@example.org')).toBe(false);
  expect(isMisleading('bücher.example', 'https://xn--bcher-kva.example/')).toBe(false);
});
