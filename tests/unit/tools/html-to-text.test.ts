import fc from 'fast-check';
import { Parser, Tokenizer } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { flattened } from '../../../src-main/tools/web/page/html-flattening.ts';
import { outlineOf } from '../../../src-main/tools/web/page/html-outline.ts';
import { htmlToText, readablePage } from '../../../src-main/tools/web/page/html-to-text.ts';

describe('the rules of the catalogue (F.2)', () => {
  test.each([
    // Its examples.
    ['<p>A</p><p>B</p>', 'A\n\nB'],
    ['<a href="https://x.io">X</a>', 'X (https://x.io)'],
    ['<ul><li>a<li>b</ul>', '- a\n- b'],
    ['<tr><td>1</td><td>2</td></tr>', '1\t2'],
    ['<style>p{}</style>Hi &amp; bye', 'Hi & bye'],
    // 1
    ['<script>a</script><style>b</style><noscript>c</noscript><template>d</template><!-- e -->Hi', 'Hi'],
    ['<head><title>T</title><meta name="x">f</head>Hi', 'Hi'],
    ['<head><title>T</title><link rel="x"><p>An unclosed head hides nothing', 'An unclosed head hides nothing'],
    ['before<body>Hi</body>after', 'beforeHiafter'],
    // 2
    ['<a href="https://x.io">https://x.io</a>', 'https://x.io'],
    ['<a href="https://x.io"> https:<b>//x.io</b> </a>', 'https://x.io'],
    ['<a>t</a> <a href="">e</a> <a href="#top">u</a> <a href=" JavaScript:go()">v</a>', 't e u v'],
    ['<a href="java\nscript:go()">v</a>', 'v'],
    ['<a href="https://x.io"></a>', 'https://x.io'],
    ['<a href="https://x.io"><img alt=" A  logo " src="l.png"></a>', 'A logo (https://x.io)'],
    ['<a href="https://x.io"><img src="l.png"></a>', 'https://x.io'],
    ['<a href="https://x.io"><img alt="icon">Text</a>', 'Text (https://x.io)'],
    ['<a href="mailto:a@x.io">write</a>', 'write (mailto:a@x.io)'],
    ['<a href="/p?a=1&amp;b=2">rel</a>', 'rel (/p?a=1&b=2)'],
    ['<a href="https://x.io">a<b>b</b></a>c', 'ab (https://x.io)c'],
    // 3
    ['a<br>b<br/>c', 'a\nb\nc'],
    ['<h1>Big News</h1>x', 'Big News\n\nx'],
    ['a<div>b</div>c', 'a\nb\nc'],
    ['<blockquote>q</blockquote>', 'q'],
    ['a<section>b</section><footer>c</footer>', 'a\nb\nc'],
    ['a<span>b</span>c', 'abc'],
    // 4
    ['<ol><li>one</li><li>two</li></ol>', '- one\n- two'],
    ['<ul><li>a<ul><li>b</ul><li>c</ul>', '- a\n- b\n- c'],
    ['<ul><li> <p>a</p></li></ul>', '- a'],
    // 5
    ['<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>', 'A\tB\n1\t2'],
    ['<table><tr> <td>a</td>\n<td></td><!-- x --><td>c</td><td></td> </tr></table>', 'a\t\tc'],
    ['<tr><td><p>a</p></td><td><div>b</div></td></tr>', 'a\tb'],
    ['<tr><form><td>1</td><td>2</td></form></tr>', '1\t2'],
    ['<table><td>1<td>2</table>', '1\t2'],
    // 6
    ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['&lt;script&gt;x', '<script>x'],
    ['&eacute;&#8364;&#x1F600;&nosuch;', 'é€😀&nosuch;'],
    ['a&nbsp;b&nbsp; c', 'a b c'],
    // 7
    [' a \n\t b\r\n  c ', 'a b c'],
    ['<div>  a  </div>  <div>  b  </div>', 'a\nb'],
    ['<p>a</p><br><br><br><p>b</p>', 'a\n\nb'],
    ['<pre>if x:\n    y\t1  \n\n\n\nend</pre>', 'if x:\n    y\t1\n\nend'],
    ['', ''],
    ['just text', 'just text'],
    ['a < b and c > d', 'a < b and c > d'],
    ['<constructor>a</constructor><__proto__>b</__proto__>', 'a<__proto__>b'],
  ])('%j', async (html, text) => {
    expect(await htmlToText(html)).toBe(text);
  });
});

test('relative links are resolved where the page is known, absolute ones stay as they are written', async () => {
  const at = async (html: string) => (await readablePage(html, { baseUrl: 'https://x.io/a/b?c' })).text;
  expect(await at('<a href="d">t</a>')).toBe('t (https://x.io/a/d)');
  expect(await at('<a href="//y.io">t</a>')).toBe('t (https://y.io/)');
  expect(await at('<a href="https://y.io">t</a>')).toBe('t (https://y.io)');
  expect(await at('<a href="d">https://x.io/a/d</a>')).toBe('https://x.io/a/d');
  expect(await at('<a href="#e">t</a>')).toBe('t');
  expect(await at('<a href="http://[">t</a>')).toBe('t (http://[)');
  expect(await at('<base href="/other/"><a href="d">t</a>')).toBe('t (https://x.io/other/d)');
  for (const base of ['data:text/html,x', 'javascript:go()', 'http://[', '#top'])
    expect(await at(`<base href="${base}"><a href="d">t</a>`)).toBe('t (https://x.io/a/d)');
});

test('the title is the first one that is the page’s own', async () => {
  const titleOf = async (html: string) => (await readablePage(html)).title;
  expect(await titleOf('<head><title>\n A &amp; <b>B </title></head>')).toBe('A & <b>B');
  expect(await titleOf('<svg><title>icon</title></svg><title>page</title><title>more</title>')).toBe('page');
  expect(await titleOf('<p>none</p>')).toBe('');
  expect(await titleOf('<title>never closed')).toBe('');
});

/** Soups of tags, open or not, text and entities. */
const soup = fc
  .array(
    fc.oneof(
      fc
        .constantFrom(...'a b p div li ul td tr table pre br svg script style title template head body'.split(' '))
        .chain((name) =>
          fc.constantFrom(
            `<${name}>`,
            `</${name}>`,
            `<${name}/>`,
            `<${name} href="/x">`,
            `<${name} href='#`,
            `<${name}`,
          ),
        ),
      fc.constantFrom(
        '&amp;',
        '&lt;b&gt;',
        '&amp;lt;',
        '&#60;',
        '&#x3c',
        '&nbsp;',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '<',
        '>',
        '"',
      ),
      fc.string({ unit: 'grapheme', maxLength: 10 }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

test('whatever it is given, it gives a text that is tidy', async () => {
  await fc.assert(
    fc.asyncProperty(soup, async (html) => {
      const text = await htmlToText(html);
      expect(text).toBe(text.trim());
      expect(text).not.toMatch(/\n{3}|[ \t]\n|\u00a0/);
    }),
  );
});

test('entities are decoded once: text comes back as it was written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.stringMatching(/^[<>&;"'a-z#/0-9]{1,8}$/)), async (words) => {
      const written = words.join(' ');
      const escaped = written.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      expect(await htmlToText(`<p>${escaped}</p>`)).toBe(written);
    }),
  );
});

describe('pages that are made to be slow', () => {
  test('nesting beyond all measure keeps its text, its links and its lines', async () => {
    const deep = '<div><b>'.repeat(50_000);
    expect(await htmlToText(`${deep}here`)).toBe('here');
    expect(await htmlToText(`<p>a</p>${deep}b<br>c<li>d<a href="/x">e <a href="/y">f</a>`)).toBe(
      'a\n\nb\nc\n- de (/x)f (/y)',
    );
    expect(await htmlToText(`${deep}a<template>hidden</template><script>hidden</script>b`)).toBe('ab');
  });

  test.each([
    ['tags that become tags when another is taken out', '<<i>b>'],
    ['closed at once in a foreign language', '<svg/>'],
    ['scripts that are closed at once', '<script/>'],
    ['paragraphs that close each other', '<p><div></p>'],
    ['items in options', '<li><option>'],
    ['links in links', '<a href="x">y'],
  ])('%s', async (_what, part) => {
    const { isTooDeep } = outlineOf(flattened(part.repeat(500), Tokenizer), Parser);
    const text = await htmlToText(part.repeat(20_000));
    expect(text).toBe(text.trim());
    expect(isTooDeep).toBe(false);
  });

  test('text that the parser recognises only after removing a tag before it is text', async () => {
    const hidden = `${'<b>'.repeat(300)}<tmp>${'<b>x'.repeat(20_000)}`;
    expect(outlineOf(flattened(hidden, Tokenizer), Parser).isTooDeep).toBe(true);
    expect(await htmlToText(hidden)).toBe(Array(20_000).fill('x').join(' '));
  });

  test('flattened pages are never deep, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(soup, { minLength: 1, maxLength: 3 }), (parts) => {
        const flat = flattened(parts.join('').repeat(300), Tokenizer);
        const isDeep = outlineOf(flat, Parser).isTooDeep;
        const again = isDeep && outlineOf(flattened(flat, Tokenizer), Parser).isTooDeep;
        expect(again).toBe(false);
      }),
      { numRuns: 30 },
    );
  });
});
