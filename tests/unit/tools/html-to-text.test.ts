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
    ['<a href="https://x.io">a<b>b</b></a>c', 'ab (https://x.io) c'],
    [
      'a<a href="#x">b</a>c <a href="#x">All Methods</a><a href="#y">Instance Methods</a>',
      'abc All Methods Instance Methods',
    ],
    ['(<a href="/u">t</a>), <a href="/u">t</a>.', '(t (/u)), t (/u).'],
    ['<a href="/u">A</a><a href="/v">B</a>', 'A (/u) B (/v)'],
    ['at<a href="https://x.io">https://x.io</a>next', 'at https://x.io next'],
    ['<i>at</i><s><a href="https://x.io">https://x.io</a></s>', 'at ~~https://x.io~~'],
    ['<a href="https://x.io"></a>next', 'https://x.io next'],
    ['(<a href="https://x.io">https://x.io</a>).', '(https://x.io).'],
    ['<a href="/u"><h3>Title</h3><p>More</p></a>next', 'Title\n\nMore (/u)\n\nnext'],
    ['<a href="/u"><img alt="A"><img alt="B"></a>', 'A B (/u)'],
    ['<a href="#top"><img alt="Up"></a>', 'Up'],
    ['<a href="/u">a <a href="/v">b</a></a>', 'a b (/v) (/u)'],
    ['<a href="/u" hidden>t</a>x', 'x'],
    // 3
    ['a<br>b<br/>c', 'a\nb\nc'],
    ['<h1>Big News</h1>x', 'Big News\n\nx'],
    ['a<div>b</div>c', 'a\nb\nc'],
    ['<blockquote>q</blockquote>', 'q'],
    ['a<section>b</section><footer>c</footer>', 'a\nb\nc'],
    ['a<span>b</span>c', 'abc'],
    ['<p>a <img alt="Sales by year" src="c.png"> b</p>', 'a [Sales by year] b'],
    ['<p>a<img alt="Sales by year"></p><img alt="Costs">', 'a [Sales by year]\n\n[Costs]'],
    ['<a name="x"><img alt="Sales by year"></a>', '[Sales by year]'],
    [
      '<img alt=""><img><img alt="  "><img alt="Home icon"><img alt="image"><img alt="img_01.png"><img alt="***">x',
      'x',
    ],
    ['<img alt="A" role="presentation"><img alt="B" aria-hidden="true"><img alt="C" width="1" height="1">', ''],
    ['<p><img alt="Warning" width="16" height="16"> Hot</p>', 'Hot'],
    ['<p><img alt="Warning" style="width: 16px; height:16px"> Hot</p>', 'Hot'],
    ['<table><tr><td>Wifi</td><td><img alt="Yes" width="16" height="16"></td></tr></table>', 'Wifi\t[Yes]'],
    ['<p>is <img class="math" alt="x^2" width="16" height="9"> here</p>', 'is [x^2] here'],
    ['<p>Hi <img alt="😀" width="16"></p>', 'Hi [😀]'],
    ['<img alt="Note"> <b>Note:</b> x', 'Note: x'],
    ['<img alt="Python logo"> <a>Python</a> <img alt="Acme logo">', 'Python [Acme logo]'],
    ['<img alt="fig/plot4"><img alt="plot4" src="fig/plot4.png"><img alt="4" src="4.png">', '[4]'],
    [
      '<figure><img alt="Sales by year"><figcaption>Fig. 1: Sales, by <i>year</i>.</figcaption></figure>',
      'Fig. 1: Sales, by year.',
    ],
    ['<table><tr><td><img alt="[Tip]"></td><th>Tip</th></tr></table>', 'Tip'],
    // 4
    ['<ol><li>one</li><li>two</li></ol>', '1. one\n2. two'],
    ['<ol start="3"><li>a<li value="7">b<li>c</ol>', '3. a\n7. b\n8. c'],
    ['<ol type="a"><li>a<li>b<li value="28">c</ol>', 'a. a\nb. b\nab. c'],
    ['<ol type="I" start="4"><li>a<li type="i">b<li type="1">c</ol>', 'IV. a\nv. b\n6. c'],
    ['<ol style="list-style-type: upper-alpha"><li>a</ol>', 'A. a'],
    ['<ol type="a" start="0"><li>a<li>b</ol><ol type="i" start="4000"><li>c</ol>', '0. a\na. b\n4000. c'],
    ['<ol reversed><li>a<li>b<li>c<ol><li>d</ol></ol>', '3. a\n2. b\n1. c\n  1. d'],
    ['<ol reversed start="10"><li>a<li>b</ol>', '10. a\n9. b'],
    ['<ol start="x"><li value="">a<li value="-3">b<li>c</ol>', '1. a\n-3. b\n-2. c'],
    ['<li>a<ol><li></li><li>b</ol>', '- a\n2. b'],
    ['<ul><li>a<ul><li>b</ul><li>c</ul>', '- a\n  - b\n- c'],
    ['<ul><li>a<ol><li>b<ul><li>c<br>d</ul></ol>e</ul>f', '- a\n  1. b\n    - c\n    d\ne\nf'],
    ['<ol><li><ol type="a"><li>x<li>y</ol></ol>', '1. a. x\n  b. y'],
    ['<ul><li> <p>a</p></li></ul>', '- a'],
    ['<ul><li><pre>  x\n  y</pre></ul>', '- x\n  y'],
    ['<ul><li>a<pre>x\n  y</pre><ul><li><pre>z</pre></ul></ul>', '- a\n\nx\n  y\n\n  - z'],
    ['2<sup>24</sup> and 2<sup>31</sup>-1', '2^24 and 2^31-1'],
    ['<i>m</i><sup>2</sup> (a+b)<sup>2</sup> 10<sup>-6</sup> m&sup2;', 'm^2 (a+b)^2 10^-6 m²'],
    ['2<sup>n-1</sup> e<sup>x y</sup>', '2^(n-1) e^(x y)'],
    ['a <sup>2</sup> b<br><sup>3</sup>', 'a 2 b\n3'],
    ['said<sup><a href="#n">1</a></sup> <a href="#n">it<sup>2</sup></a>', 'said1 it2'],
    ['x<sup>[1]</sup> y<sup>*</sup> z<sup class="footnote">3</sup> w<sup id="fnref1">4</sup>', 'x[1] y* z3 w4'],
    ['the 21<sup>st</sup> X<sup>TM</sup>', 'the 21st XTM'],
    [
      '<math><msup><mn>2</mn><mn>24</mn></msup><mo>=</mo><mfrac><mn>1</mn><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow></mfrac></math>',
      '2^24=1/(a+b)',
    ],
    [
      '<span class="m"><math><msup> <mi>x</mi> <mn>2</mn> </msup><annotation>x^2</annotation></math></span><span aria-hidden="true">x2</span>.',
      'x^2.',
    ],
    ['<del>99 EUR</del> <ins>79 EUR</ins>', '~~99 EUR~~ 79 EUR'],
    ['<s> 99 <b>EUR</b> </s>79', '~~99 EUR~~ 79'],
    ['<span style="color:red;text-decoration: line-through">99</span> 79', '~~99~~ 79'],
    ['<strike>a<del>b</del></strike><s></s>', '~~ab~~'],
    ['<del><p>a</p><p>b</p></del>c', '~~a~~\n\n~~b~~\n\nc'],
    ['<tr><td><s>1</td><td>2</s></td><td>3</td></tr>', '~~1~~\t2\t3'],
    ['<button>A</button><button>B</button>c', 'A B c'],
    ['(<button>A</button>), <label>Name</label>:', '(A), Name:'],
    ['<select><option>A<option>B</select>', 'A\nB'],
    ['<span role="tab">A</span><span role="tab">B</span>', 'A B'],
    [
      '<input type="submit" value="Buy now"><input type="RESET" value="Clear"><input value="x"><input type="hidden" value="y">',
      'Buy now Clear',
    ],
    ['<input type="image" alt="Go">x', 'Go x'],
    ['<textarea>\na &amp;lt; b &lt;i&gt;\n  c</textarea>d', 'a &lt; b <i>\n  c\nd'],
    ['a<p hidden>b</p><p hidden="hidden">c</p><i hidden="">d</i>e', 'ae'],
    [
      '<p hidden="until-found">a</p><div role="tabpanel" hidden>b</div><div class="tab-pane fade" hidden>c</div>',
      'a\n\nb\nc',
    ],
    ['<body hidden>a</body>', 'a'],
    // 5
    ['<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>', 'A\tB\n1\t2'],
    ['<table><tr> <td>a</td>\n<td></td><!-- x --><td>c</td><td></td> </tr></table>', 'a\t\tc'],
    ['<tr><td><p>a</p></td><td><div>b</div></td></tr>', 'a\tb'],
    ['<tr><td><p>a</p><p>b</p></td><td>c<br>d<ul><li>e<li>f</ul></td></tr>x', 'a b\tc d - e - f\nx'],
    ['<table><tr><td><p>a</p><p>b</p></td></tr></table>', 'a\n\nb'],
    ['<table><tr><td></td><td><p>a</p><p>b</p></td></tr></table>', 'a\n\nb'],
    ['<table><tr><th>x</th><th>y</th></tr><tr><td></td><td><p>a</p><p>b</p></td></tr></table>', 'x\ty\n\ta b'],
    ['<table><tr><td>1<td><table><tr><td>a<td>b</tr><tr><td>c<td>d</table></table>', '1\ta\tb\nc\td'],
    ['<table role="presentation"><tr><td><p>a<p>b</td><td>c</td></tr></table>', 'a\n\nb\tc'],
    ['<tr><td><pre>1\n2</pre></td><td><pre>a\nb</pre></td></tr>', '1\n2\ta\nb'],
    [
      '<table><tr><td rowspan="2">a</td><td>b</td><td>c</td></tr><tr><td>d</td><td>e</td></tr></table>',
      'a\tb\tc\n\td\te',
    ],
    [
      '<table><tr><td>a<td rowspan=0>b<td>c</tr><tr><td>d<td>e</tr><tr><td colspan=2>f<td>g</tr></table>',
      'a\tb\tc\nd\t\te\nf\t\tg',
    ],
    ['<table><tr><td colspan="2">a</td><td>b</td></tr></table>', 'a\t\tb'],
    ['<table><tr><td rowspan=9>a<td>b</tr></table><table><tr><td>c<td>d</tr></table>', 'a\tb\n\nc\td'],
    ['<tr><td>a</td><td hidden>b</td><td>c</td></tr>', 'a\tc'],
    ['<tr><td>a</td><td><p>b</p></td><td></td></tr><p>c</p>', 'a\tb\n\nc'],
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
        .constantFrom(
          ...'a b p div li ul ol td tr table pre br svg script style title template head body sup del s img button input textarea'.split(
            ' ',
          ),
        )
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
      'a\n\nb\nc\n- de (/x) f (/y)',
    );
    expect(await htmlToText(`${deep}2<sup>24</sup> <s>99</s> 79 <img alt="Sales by year">`)).toBe(
      '2^24 ~~99~~ 79 [Sales by year]',
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

  test.each<[string, string]>([
    ['cells that take many columns', `<table>${'<tr><td colspan=1000><td>x'.repeat(20_000)}`],
    ['cells that take all rows', `<table><tr>${'<td rowspan=0>a'.repeat(5_000)}${'<tr><td>b<td>c'.repeat(20_000)}`],
    ['tables in tables', '<table><tr><td>a<td>'.repeat(80) + '<p>b</p>'.repeat(20_000)],
    ['cells without tables', '<td><div>a'.repeat(100) + '<p>b</p>'.repeat(20_000)],
    ['lists in lists', '<ul><li>'.repeat(120) + 'a<br>'.repeat(20_000)],
    ['reversed lists', '<ol reversed><li>'.repeat(120) + '<li>a'.repeat(20_000)],
    ['pictures that say the same', `<p>${'<img alt="a picture of it">'.repeat(20_000)}`],
    ['long alternatives', `<p>${`<img alt="${'long '.repeat(500)}">`.repeat(300)}`],
    ['links in links', '<a href="/x">'.repeat(200) + 'a '.repeat(20_000)],
    ['raised text in raised text', `x${'<sup>2'.repeat(200)}${'<sup>a</sup>'.repeat(20_000)}`],
    ['struck text in struck text', '<s>a'.repeat(200) + '<p>b'.repeat(20_000)],
    ['formulas in formulas', `<math>${'<msup><mi>a</mi>'.repeat(200)}${'<mn>1</mn>'.repeat(20_000)}`],
    ['code of one line', `<pre>${'<b> </b>'.repeat(50_000)}x`],
  ])('%s: the text is not much longer than the page', async (_what, html) => {
    const text = await htmlToText(html);
    expect(text.length).toBeLessThan(4 * html.length + 200_000);
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
