import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { HttpClient } from '../../../src-main/network/http.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { startedThreads } from '../../fixtures/started-threads.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import { isRequired, wrongScheme } from '../../fixtures/tool-texts.ts';
import { drip, html, page, redirect, redirects } from '../../fixtures/web/pages.ts';
import { type Page, startWebSite } from '../../fixtures/web/site.ts';

let tools: ToolHarness;
beforeEach(() => {
  tools = new ToolHarness({ consent: allowAll });
  onTestFinished(() => tools.dispose());
});

async function siteOf(pages: Readonly<Record<string, Page>>) {
  const site = await startWebSite(pages);
  const fetch = (path: string, more: Readonly<Record<string, unknown>> = {}) =>
    tools.text('web_fetch', { url: `${site.url}${path}`, ...more });
  return { site, fetch, content: async (path: string) => (await fetch(path)).split('--- Content ---\n\n')[1] };
}

test('a page: all lines in their order, and only those that there is something to say for', async () => {
  const { site, fetch } = await siteOf({
    '/plain': page('just text', 'text/plain'),
    '/page': html(
      '<html><head><title> The &amp; title </title></head><body><p>Hello <a href="/x">you</a></p></body></html>',
    ),
    '/moved': redirect('/page'),
  });
  expect(await fetch('/plain')).toBe(
    `URL: ${site.url}/plain\nStatus: 200\nContent-Type: text/plain\nLength: 9 chars\n\n--- Content ---\n\njust text`,
  );
  const text = `Hello you (${site.url}/x)`;
  expect(await fetch('/moved')).toBe(
    [
      `URL: ${site.url}/moved`,
      `Final URL: ${site.url}/page`,
      'Status: 200',
      'Content-Type: text/html',
      'Title: The & title',
      `Length: ${text.length} chars`,
      '',
      '--- Content ---',
      '',
      text,
    ].join('\n'),
  );
  // The fixture answers on this machine, so what it says is the user's own besides.
  const marks = (['untrusted', 'private'] as const).map((kind) => ({ kind, source: site.url }));
  expect(tools.marks).toEqual([...marks, ...marks]);
  expect(tools.cards.at(-1)).toEqual({
    kind: 'page',
    url: `${site.url}/page`,
    status: 200,
    contentType: 'text/html',
    title: 'The & title',
    size: 104,
  });
});

test('a site sees a browser', async () => {
  const { site, fetch } = await siteOf({ '/': page('x', 'text/plain') });
  await fetch('/');
  expect(site.requests[0]).toMatchObject({
    method: 'GET',
    headers: {
      'user-agent':
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
      accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      'accept-language': 'en-US,en;q=0.5',
    },
  });
});

test('text longer than maxChars is cut, with two notices', async () => {
  const { fetch } = await siteOf({
    '/120': page('x'.repeat(120), 'text/plain'),
    '/long': page('y'.repeat(123_456), 'text/plain'),
    '/smileys': page('😀'.repeat(10), 'text/plain; charset=utf-8'),
  });
  const cut = await fetch('/120', { maxChars: 100 });
  expect(cut).toContain('\nLength: 100 chars (truncated from 120)\n');
  expect(cut.endsWith(`\n\n${'x'.repeat(100)}\n\n[Content truncated at 100 characters]`)).toBe(true);
  const long = await fetch('/long');
  expect(long).toContain('\nLength: 50,000 chars (truncated from 123,456)\n');
  expect(long.endsWith(`${'y'.repeat(50_000)}\n\n[Content truncated at 50,000 characters]`)).toBe(true);
  expect(await fetch('/120', { maxChars: 120 })).toContain('\nLength: 120 chars\n');
  expect(await fetch('/120', { max_chars: '7.9' })).toContain('\nxxxxxxx\n\n[Content truncated at 7 characters]');
  for (const maxChars of [0, -5])
    expect(await fetch('/120', { maxChars })).toContain('\nx\n\n[Content truncated at 1 ');
  expect(await fetch('/smileys', { maxChars: 3 })).toContain('\n\n😀\n\n[Content truncated at 3 characters]');
});

test('a title cannot bypass maxChars', async () => {
  const { fetch } = await siteOf({ '/': html(`<title>${'t'.repeat(50_000)}</title><p>x`) });
  const text = await fetch('/');
  expect(text).toContain(`\nTitle: ${'t'.repeat(500)}\n`);
  expect(text.endsWith('\n\nx')).toBe(true);
  expect(tools.cards.at(-1)).toMatchObject({ title: 't'.repeat(500) });
});

test('in XHTML an element that is closed at once holds nothing', async () => {
  const body =
    '<?xml version="1.0"?><html><head><title/></head><body><p>a</p><script src="x.js"/><p>b<br/>c</p></body></html>';
  const { content } = await siteOf({ '/': page(body, 'application/xhtml+xml') });
  expect(await content('/')).toBe('a\n\nb\nc');
});

test('it is called webfetch too, and keeps its own cap', async () => {
  const { site } = await siteOf({ '/': page('x', 'text/plain') });
  expect(await tools.text('WebFetch', { url: site.url })).toContain('--- Content ---\n\nx');
  expect(tools.registry.get('web_fetch')).toMatchObject({ hasOwnResultCap: true, access: 'network', undo: 'nothing' });
});

test('JSON is indented, keeps its digits, and is shown as it came where it is none', async () => {
  const { content } = await siteOf({
    '/ok': page('{"a":1}', 'application/json'),
    '/problem': page('[1,{"b":[]}]', 'application/problem+json; charset=utf-8'),
    '/digits': page('{"id":12345678901234567890,"n":1.10}', 'application/json'),
    '/broken': page('{"a":1,}', 'application/json'),
    '/deep': page('['.repeat(100_000), 'application/json'),
    '/marked': page('\ufeff{"a":1}', 'application/json'),
  });
  expect(await content('/ok')).toBe('{\n  "a": 1\n}');
  expect(await content('/problem')).toBe('[\n  1,\n  {\n    "b": []\n  }\n]');
  expect(await content('/digits')).toContain('"id": 12345678901234567890');
  expect(await content('/broken')).toBe('{"a":1,}');
  expect(await content('/deep')).toMatch(/^\[{50000}\n/);
  expect(await content('/marked')).toBe('{\n  "a": 1\n}');
});

describe('charsets', () => {
  const russian = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
  const japanese = Buffer.from([0x93, 0xfa, 0x96, 0x7b]);
  const meta = (charset: string, text: Buffer) =>
    Buffer.concat([Buffer.from(`<!-- <meta charset="big5"> --><html><meta charset="${charset}"><p>`), text]);

  const metaTag = (attributes: string, text: Buffer) => Buffer.concat([Buffer.from(`<meta ${attributes}><p>`), text]);

  test.each([
    ['the header', page(russian, 'text/plain; charset=windows-1251'), 'Привет'],
    ['the header, in quotes', page(russian, 'text/plain; Charset="CP1251"'), 'Привет'],
    ['the header against the page', page(meta('shift_jis', russian), 'text/html; charset=windows-1251'), 'Привет'],
    ['the mark of UTF-16', page(Buffer.from('\ufeffПривет', 'utf16le'), 'text/plain'), 'Привет'],
    ['the mark of UTF-16, big end first', page(Buffer.from('\ufeffПривет', 'utf16le').swap16(), 'text/html'), 'Привет'],
    ['the mark of UTF-8', page('\ufeffПривет', 'text/plain'), 'Привет'],
    ['<meta charset>', page(meta('shift_jis', japanese), 'text/html'), '日本'],
    [
      '<meta http-equiv>',
      page(
        Buffer.concat([
          Buffer.from('<META http-equiv=Content-Type content="text/html; charset=Windows-1251">'),
          russian,
        ]),
        'text/html',
      ),
      'Привет',
    ],
    [
      'an XML declaration',
      page(
        Buffer.concat([Buffer.from('<?xml version="1.0" encoding="windows-1251"?><p>'), russian]),
        'application/xhtml+xml',
      ),
      'Привет',
    ],
    [
      '<meta charset> with a ">" before it',
      page(metaTag('name="a>b" charset="shift_jis"', japanese), 'text/html'),
      '日本',
    ],
    ['<meta/charset>', page(Buffer.concat([Buffer.from('<meta/charset=shift_jis>'), japanese]), 'text/html'), '日本'],
    [
      'no charset, though a description speaks of one',
      page(metaTag('name="description" content="about charset=koi8-r"', Buffer.from('Grüße')), 'text/html'),
      'Grüße',
    ],
    [
      'no charset, though another attribute ends like it',
      page(metaTag('data-charset="windows-1251"', Buffer.from('Grüße')), 'text/html'),
      'Grüße',
    ],
    [
      'the second <meta> where nobody knows the first',
      page(
        metaTag('charset="klingon"', Buffer.concat([Buffer.from('<meta charset=shift_jis>'), japanese])),
        'text/html',
      ),
      '日本',
    ],
    ['no charset', page('Grüße', 'text/plain'), 'Grüße'],
    ['a charset that nobody knows', page('Grüße', 'text/plain; charset=klingon'), 'Grüße'],
    ['a charset that nobody knows in the page', page(meta('klingon', Buffer.from('Grüße')), 'text/html'), 'Grüße'],
    ['a page that is no UTF-16, whatever it says', page(meta('utf-16', Buffer.from('Grüße')), 'text/html'), 'Grüße'],
    [
      'the mark against the header',
      page(Buffer.from('\ufeffПривет', 'utf16le'), 'text/plain; charset=windows-1251'),
      'Привет',
    ],
    [
      'windows-1252 by the standard, as ISO-8859-1 too',
      page(Buffer.from([0x93, 0x35, 0x80, 0x94, 0x92, 0x96]), 'text/plain; charset=iso-8859-1'),
      '“5€”’–',
    ],
    ['no charset, and not UTF-8', page(Buffer.from('Grüße aus München', 'latin1'), 'text/plain'), 'Grüße aus München'],
    ['bytes that make no sense', page(Buffer.from([0x61, 0xff, 0x62]), 'text/plain; charset=utf-8'), 'a\ufffdb'],
  ])('%s', async (_what, answer, text) => {
    expect(await (await siteOf({ '/': answer })).content('/')).toBe(text);
  });

  test('the card names every encoding but UTF-8', async () => {
    const { fetch } = await siteOf({ '/old': page(Buffer.from('Grüße aus München', 'latin1')), '/new': page('Grüße') });
    await fetch('/old');
    expect(tools.cards.at(-1)).toMatchObject({ encoding: 'windows-1252' });
    await fetch('/new');
    expect(tools.cards.at(-1)).not.toHaveProperty('encoding');
  });
});

test('other text types are returned unchanged; non-text is rejected before it is read', async () => {
  const { site, fetch, content } = await siteOf({
    '/feed': page('<rss>&amp;</rss>', 'application/rss+xml'),
    '/script': page('let x = "<p>"', 'Application/JavaScript'),
    '/untyped': page('no <b>type</b>'),
    '/untyped-page': page('\n<!DOCTYPE html><p>a page'),
    '/untyped-picture': page(Buffer.from([0x89, 0x50, 0, 0])),
    '/picture': page('x', 'image/png'),
    '/document': (response) => response.writeHead(200, { 'content-type': 'application/pdf; q=1' }).write('%PDF'),
    '/archive': page('x'.repeat(2_500_000), 'application/zip'),
  });
  expect(await content('/feed')).toBe('<rss>&amp;</rss>');
  expect(await content('/script')).toBe('let x = "<p>"');
  expect(await content('/untyped')).toBe('no <b>type</b>');
  expect(await content('/untyped-page')).toBe('a page');
  expect(await fetch('/untyped-picture')).toMatch(/^Error: Unsupported content type: unknown\. /);
  const marksBefore = tools.marks.length;
  expect(await fetch('/picture')).toBe(
    'Error: Unsupported content type: image/png. Only text is read here. Save it with a command such as curl -O, or ask the user to download it and attach it to a message',
  );
  expect(tools.marks.slice(marksBefore)).toEqual([{ kind: 'untrusted', source: site.url }]);
  expect(await fetch('/document')).toMatch(/^Error: Unsupported content type: application\/pdf\. /);
  expect(await fetch('/archive')).toMatch(/^Error: Unsupported content type: application\/zip\. /);
  expect(site.requests).toHaveLength(8);
});

test('a type that says nothing, or something wrong, is judged by the first bytes', async () => {
  const pdf = Buffer.from('%PDF-1.7\n%\xe2\xe3\n1 0 obj\n', 'latin1');
  const { fetch, content } = await siteOf({
    '/log': page('a line\n', 'application/octet-stream'),
    '/code.ts': page('export const a = 1;\n', 'video/mp2t'),
    '/old.json': page('{"a":1}', 'application/x-json'),
    '/data': page('{"a":1}', 'binary/octet-stream'),
    '/page': page('<!DOCTYPE html><p>a page', 'application/octet-stream'),
    '/script': page('print 1\n', 'application/x-perl'),
    '/pdf': page(pdf, 'text/html'),
    '/picture': page(Buffer.from('89504e470d0a1a0a0000', 'hex'), 'text/plain; charset=utf-8'),
    '/stream': page(
      Buffer.alloc(752).fill(Buffer.from(`474000100000b00d0001c1${'ff'.repeat(177)}`, 'hex')),
      'video/mp2t',
    ),
    '/program': page(Buffer.from('7f454c460201010000', 'hex'), 'application/octet-stream'),
  });
  expect(await content('/log')).toBe('a line\n');
  expect(await content('/code.ts')).toBe('export const a = 1;\n');
  expect(await content('/old.json')).toBe('{\n  "a": 1\n}');
  expect(await content('/data')).toBe('{\n  "a": 1\n}');
  expect(await content('/page')).toBe('a page');
  expect(await content('/script')).toBe('print 1\n');
  expect(await fetch('/pdf')).toMatch(/^Error: Unsupported content type: application\/pdf \(sent as text\/html\)\. /);
  expect(await fetch('/picture')).toMatch(/^Error: Unsupported content type: image\/png \(sent as text\/plain\)\. /);
  expect(await fetch('/stream')).toMatch(/^Error: Unsupported content type: video\/mp2t\. /);
  expect(await fetch('/program')).toMatch(/^Error: Unsupported content type: application\/x-elf /);
});

const PART = '<div><h2>Title</h2><p>Some <a href="/x">text</a></p><ul><li>a<li>b</ul></div>\n';
const LARGE = PART.repeat(10_000);
const HOSTILE = '<p>'.repeat(660_000);

test('a large page is read in a thread: the same text, and Stop ends it', async () => {
  const { site, content } = await siteOf({
    '/small': html(PART.repeat(10)),
    '/large': html(LARGE),
    '/hostile': html(HOSTILE),
  });
  const threads = startedThreads();
  const small = await content('/small');
  expect(threads).toHaveLength(0);
  expect((await content('/large'))?.slice(0, 400)).toBe(small?.slice(0, 400));

  const stop = new AbortController();
  const request = async (...args: Parameters<typeof tools.http.request>) => {
    const answer = await tools.http.request(...args);
    // By then the page is with its thread.
    setImmediate(() => stop.abort());
    return answer;
  };
  const context = { signal: stop.signal, http: { ...tools.http, request } };
  expect((await tools.call('web_fetch', { url: `${site.url}/hostile` }, context)).isError).toBe(true);
});

test('however many large pages are asked for, three threads read them', async () => {
  const { fetch } = await siteOf({ '/': html('<p>x</p>'.repeat(40_000)) });
  const threads = startedThreads();
  for (const text of await Promise.all(Array.from({ length: 8 }, () => fetch('/'))))
    expect(text).toContain('\n\nx\n\nx');
  expect(threads.length).toBeLessThanOrEqual(3);
});

test('errors, word for word', async () => {
  const { site, fetch } = await siteOf({
    ...redirects(6, '/end'),
    '/end': html('<p>there</p>'),
    '/big': page('x'.repeat(2_500_000), 'text/plain'),
    '/big404': page('x'.repeat(2_500_000), 'text/plain', 404),
    '/304': (response) => response.writeHead(304).end(),
  });
  expect(await tools.text('web_fetch', { url: 'ftp://x' })).toBe(wrongScheme);
  expect(await tools.text('web_fetch', {})).toBe(isRequired('url'));
  expect(await fetch('/none')).toBe(`Error: HTTP 404 fetching ${site.url}/none`);
  expect(await fetch('/big404')).toBe(`Error: HTTP 404 fetching ${site.url}/big404`);
  expect(await fetch('/304')).toBe(`Error: HTTP 304 fetching ${site.url}/304`);
  expect(await fetch('/big')).toBe('Error: Response too large (2,500,000 bytes, max 2,000,000 bytes)');
  expect(await fetch('/hop/5')).toContain(`\nFinal URL: ${site.url}/end\n`);
  expect(await fetch('/hop/6')).toBe('Error: Too many redirects (max 5)');
  const quick: HttpClient = {
    ...tools.http,
    request: (request, context) => tools.http.request({ ...request, timeoutMs: 1 }, context),
  };
  const slow = await siteOf({ '/': drip });
  expect(await tools.text('web_fetch', { url: slow.site.url }, { http: quick })).toBe(
    'Error: Request timed out after 0.001 seconds',
  );
  const stop = new AbortController();
  const stopping: HttpClient = {
    ...tools.http,
    request: (request, context) => {
      stop.abort();
      return tools.http.request(request, context);
    },
  };
  const stopped = await tools.call('web_fetch', { url: site.url }, { signal: stop.signal, http: stopping });
  expect(stopped).toMatchObject({ isError: true, text: expect.stringMatching(/^Error: /) });
  expect(tools.marks.filter(({ kind }) => kind === 'untrusted')).toHaveLength(1);
});
