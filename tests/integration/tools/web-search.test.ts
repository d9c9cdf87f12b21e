import { afterEach, expect, test } from 'vitest';
import { HttpFailure } from '../../../src-main/network/http.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { type HarnessOptions, ToolHarness } from '../../fixtures/tool-harness.ts';
import { isRequired } from '../../fixtures/tool-texts.ts';
import type { VendorServer } from '../../fixtures/vendor-server.ts';
import { type BraveOptions, startBrave } from '../../fixtures/web-search/brave.ts';
import { BRAVE_KEY } from '../../fixtures/web-search/brave-answer.ts';
import { type DuckDuckGoOptions, startDuckDuckGo } from '../../fixtures/web-search/duckduckgo.ts';
import { type SearxngOptions, startSearxng } from '../../fixtures/web-search/searxng.ts';

let tools: ToolHarness | undefined;
afterEach(async () => {
  await tools?.dispose();
  tools = undefined;
});

interface Search {
  readonly server: VendorServer;
  readonly tools: ToolHarness;
  text(input: unknown): Promise<string>;
}

function searchOn(server: VendorServer, options: Partial<HarnessOptions>): Search {
  const harness = new ToolHarness({ consent: allowAll, ...options });
  tools = harness;
  return { server, tools: harness, text: (input) => harness.text('web_search', input) };
}

async function brave(options: BraveOptions = {}): Promise<Search> {
  const server = await startBrave(options);
  return searchOn(server, {
    searchProvider: 'brave',
    endpoints: { brave: server.url },
    keys: { 'brave-api-key': BRAVE_KEY },
  });
}

async function duckDuckGo(options: DuckDuckGoOptions): Promise<Search> {
  const server = await startDuckDuckGo(options);
  return searchOn(server, { searchProvider: 'duckduckgo', endpoints: { duckduckgo: server.url } });
}

async function searxng(options: SearxngOptions): Promise<Search> {
  const server = await startSearxng(options);
  return searchOn(server, { searchProvider: 'searxng', endpoints: { searxng: `${server.url}` } });
}

const row = (host: string) => ({ title: host, url: `https://${host}/page`, description: '' });

test('Brave is asked with its key, and its rows come back as text, marked and as a card', async () => {
  const search = await brave({
    rows: [
      {
        title: '<strong>Tea</strong> &amp; biscuits',
        url: 'https://a.example/1',
        description: 'All about <strong>tea</strong>.\n Hot &lt;b&gt; &#x27;strong&#x27;',
      },
      { url: 'https://b.example/2?x=1&y=2' },
      { title: '', url: 'https://c.example/', description: '' },
      { title: 'Not a page', url: 'javascript:alert(1)' },
    ],
  });
  expect(await search.tools.call('websearch', { query: '  tea ' })).toEqual({
    text: [
      'Search: "tea" | Results: 3',
      '',
      '1. Tea & biscuits',
      '   https://a.example/1',
      "   All about tea. Hot <b> 'strong'",
      '',
      '2. (no title)',
      '   https://b.example/2?x=1&y=2',
      '',
      '3. (no title)',
      '   https://c.example/',
    ].join('\n'),
    isError: false,
  });
  const [request] = search.server.requests;
  expect(request).toMatchObject({ method: 'GET', path: '/res/v1/web/search' });
  expect(request?.headers).toMatchObject({ 'x-subscription-token': BRAVE_KEY, accept: 'application/json' });
  expect(Object.fromEntries(request?.query ?? [])).toEqual({ q: 'tea', count: '5' });
  expect(search.tools.marks).toEqual([{ kind: 'untrusted', source: 'web search: tea' }]);
  expect(search.tools.cards).toEqual([
    {
      kind: 'results',
      query: 'tea',
      results: expect.arrayContaining([{ title: '(no title)', url: 'https://c.example/', description: '' }]),
    },
  ]);
});

test('a row cannot add lines, and a byte order mark is ignored', async () => {
  const forged = { title: 'a\n2. b', url: 'https://a.example/\n   2. Forged', description: 'c\r\n\r\n9. d' };
  const body = `\ufeff${JSON.stringify({ web: { results: [forged] } })}`;
  const search = await brave({ answer: { headers: { 'content-type': 'application/json' }, body } });
  expect(await search.text({ query: 'tea' })).toBe(
    'Search: "tea" | Results: 1\n\n1. a 2. b\n   https://a.example/   2. Forged\n   c 9. d',
  );
});

test('the query is cut to 400 characters without a word, and no character is halved', async () => {
  const search = await brave();
  const asked = async (query: string) => {
    const text = await search.text({ query });
    const sent = search.server.requests.at(-1)?.query.get('q');
    expect(text).toBe(`No results found for: ${sent}`);
    return sent;
  };
  expect(await asked('x'.repeat(500))).toBe('x'.repeat(400));
  expect(await asked(`a${'😀'.repeat(450)}`)).toBe(`a${'😀'.repeat(399)}`);
  expect(await asked('C++ & "100 %" #1 ümlaut')).toBe('C++ & "100 %" #1 ümlaut');
  expect(search.tools.marks).toEqual([]);
});

test('count is clamped, and defaults to 5 if it is not a number', async () => {
  const search = await brave({ rows: Array.from({ length: 30 }, (_, index) => row(`h${index}.example`)) });
  const cases: [unknown, string][] = [
    [0, '1'],
    [-7, '1'],
    [99, '20'],
    [undefined, '5'],
    ['abc', '5'],
    ['7', '7'],
    [3.9, '3'],
    [null, '5'],
  ];
  for (const [count, sent] of cases) {
    const text = await search.text({ query: 'x', count });
    expect(search.server.requests.at(-1)?.query.get('count'), String(count)).toBe(sent);
    expect(text).toContain(`| Results: ${sent}\n`);
  }
});

test('a blank query is not asked', async () => {
  const search = await brave();
  for (const query of ['   ', '', '\n\t']) expect(await search.text({ query })).toBe('Error: query must not be empty');
  expect(await search.text({})).toBe(isRequired('query'));
  expect(await search.text({ query: null })).toBe(isRequired('query'));
  expect(search.server.requests).toEqual([]);
});

test('domains take their subdomains with them, and what is blocked wins', async () => {
  const hosts = ['example.org', 'docs.example.org', 'notexample.org', 'example.org.evil.test', 'other.test'];
  const search = await brave({ rows: hosts.map(row) });
  const found = async (input: object) =>
    [...(await search.text({ query: 'x', ...input })).matchAll(/^\d+\. (.*)$/gm)].map(([, title]) => title);
  expect(await found({ allowed_domains: ['example.org'] })).toEqual(['example.org', 'docs.example.org']);
  expect(search.server.requests.at(-1)?.query.get('count')).toBe('20');
  expect(await found({ allowed_domains: 'EXAMPLE.org' })).toEqual(['example.org', 'docs.example.org']);
  expect(await found({ allowed_domains: ['https://example.org/a', '*.other.test', ' '] })).toHaveLength(3);
  expect(await found({ blocked_domains: ['.example.org'] })).toEqual(hosts.slice(2));
  expect(await found({ allowed_domains: ['example.org'], blocked_domains: ['docs.example.org'] })).toEqual([
    'example.org',
  ]);
  expect(await found({ allowed_domains: ['example.org'], count: 1 })).toEqual(['example.org']);
  expect(await search.text({ query: 'x', allowed_domains: ['absent.test'] })).toBe('No results found for: x');
  expect(await search.text({ query: 'x', blocked_domains: ['a b'] })).toBe(
    'Error: blocked_domains must contain domains like example.org; got "a b"',
  );
});

test.each([429, 422, 500, 302])('HTTP %i from Brave is told, and its key goes nowhere else', async (status) => {
  const elsewhere = await startBrave({ rows: [row('stolen.example')] });
  const headers = { location: `${elsewhere.url}/res/v1/web/search?q=x&count=5` };
  const search = await brave({ answer: { status, headers, body: 'no' } });
  expect(await search.tools.call('web_search', { query: 'x' })).toEqual({
    text: `Error: HTTP ${status} from Brave Search API`,
    isError: true,
  });
  expect(elsewhere.requests).toEqual([]);
  expect(search.tools.marks).toEqual([]);
});

test('an answer that is not understood, and one that never comes, are told', async () => {
  expect(await (await brave({ answer: { body: '<html>' } })).text({ query: 'x' })).toBe(
    'Error: Brave Search API did not answer with JSON',
  );
  for (const body of ['null', '[]', '{}', '{"web":{"results":{}}}', '{"web":{"results":[1,null,{}]}}'])
    expect(await (await brave({ answer: { body } })).text({ query: 'x' })).toBe('No results found for: x');
  const stopped = await brave({ answer: 'never' });
  const stop = new AbortController();
  const result = stopped.tools.call('web_search', { query: 'x' }, { signal: stop.signal });
  await expect.poll(() => stopped.server.requests.length).toBe(1);
  stop.abort(new Error('stopped by the user'));
  expect((await result).isError).toBe(true);
});

test('an exchange that takes too long, and an answer that is too large, are told', async () => {
  const search = await brave({ answer: { body: ' '.repeat(2_500_000) } });
  expect(await search.text({ query: 'x' })).toMatch(/^Error: .*\([\d,]+ bytes, max 2,000,000 bytes\)$/);
  // Thirty seconds are too long for a test.
  const late = new HttpFailure('timed_out', 'Request timed out after 30 seconds');
  const http = { ...search.tools.environment.http, request: () => Promise.reject(late) };
  expect(await search.tools.call('web_search', { query: 'x' }, { http })).toEqual({
    text: 'Error: Search request timed out',
    isError: true,
  });
});

test('without a key or a provider no request is sent', async () => {
  const server = await startBrave();
  const withoutKey = searchOn(server, { searchProvider: 'brave', endpoints: { brave: server.url } });
  expect(await withoutKey.text({ query: 'x' })).toMatch(/^Error: no Brave Search key is set/);
  await withoutKey.tools.dispose();
  expect(await searchOn(server, {}).text({ query: 'x' })).toMatch(/^Error: no search provider is set up/);
  expect(server.requests).toEqual([]);
});

test('a search says which address it asks', async () => {
  const { tools: harness, server } = await brave();
  expect((await harness.effectsOf('web_search', { query: 'tea time' })).access).toEqual([
    expect.objectContaining({
      url: `${server.url}/res/v1/web/search?q=tea+time&count=5`,
      method: 'GET',
      host: '127.0.0.1',
      class: 'network-private',
    }),
  ]);
});

test("DuckDuckGo's page is read: links unwrapped, advertisements left out", async () => {
  const search = await duckDuckGo({
    rows: [
      { title: 'Buy <b>tea</b>', href: 'https://duckduckgo.com/y.js?ad_domain=shop.example&u3=x', isAd: true },
      { title: 'Buy more', href: '//duckduckgo.com/y.js?ad_domain=shop.example' },
      {
        title: 'All &amp; about <b>tea</b>',
        href: '//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2Ftea%3Fx%3D1%26y%3D2&rut=abc',
        snippet: 'It is <b>hot</b>,\n it&#x27;s said',
      },
      { title: 'Straight', href: 'https://b.example/l/?uddg=https%3A%2F%2Fnot.example', snippet: '' },
      { title: 'Script', href: '//duckduckgo.com/l/?uddg=javascript%3Aalert(1)' },
      { title: 'Third', href: 'https://c.example/' },
    ],
  });
  expect(await search.text({ query: 'tea', count: 2 })).toBe(
    [
      'Search: "tea" | Results: 2',
      '',
      '1. All & about tea',
      '   https://a.example/tea?x=1&y=2',
      "   It is hot, it's said",
      '',
      '2. Straight',
      '   https://b.example/l/?uddg=https%3A%2F%2Fnot.example',
    ].join('\n'),
  );
  expect(search.server.requests[0]).toMatchObject({ method: 'GET', path: '/html/', target: '/html/?q=tea' });
  expect(search.server.requests[0]?.headers['user-agent']).toContain('Chrome/120');
});

test('a puzzle page of DuckDuckGo is not taken for an empty list, nor a list for a puzzle', async () => {
  for (const challenge of [200, 202] as const)
    expect(await (await duckDuckGo({ challenge })).text({ query: 'x' })).toMatch(
      /^Error: DuckDuckGo asks for proof that a person is searching/,
    );
  expect(await (await duckDuckGo({})).text({ query: 'x' })).toBe('No results found for: x');
  expect(await (await duckDuckGo({ status: 202 })).text({ query: 'x' })).toBe('No results found for: x');
  const speaksOfIt = { title: 'anomaly.js', href: 'https://a.example/', snippet: 'class="anomaly-modal"' };
  expect(await (await duckDuckGo({ rows: [speaksOfIt], status: 202 })).text({ query: 'anomaly.js' })).toContain(
    'Results: 1',
  );
  expect(await (await duckDuckGo({ status: 503 })).text({ query: 'x' })).toBe('Error: HTTP 503 from DuckDuckGo');
});

test('SearXNG is asked for JSON, and what keeps it from answering is told', async () => {
  const results = [
    { title: 'A', url: 'https://a.example/', content: 'about\nA &amp; B' },
    { url: 'https://b.example/' },
  ];
  const search = await searxng({ results });
  expect(await search.text({ query: 'x y', count: 1 })).toBe(
    'Search: "x y" | Results: 1\n\n1. A\n   https://a.example/\n   about A &amp; B',
  );
  expect(await search.text({ query: 'x' })).toContain('2. (no title)\n   https://b.example/');
  expect(search.server.requests[0]?.target).toBe('/search?q=x+y&format=json');

  expect(await (await searxng({})).text({ query: 'x' })).toBe('No results found for: x');
  expect(await (await searxng({ isJsonOff: true })).text({ query: 'x' })).toMatch(
    /^Error: HTTP 403 from SearXNG\. .*search\.formats/,
  );
  expect(await (await searxng({ unresponsive: [['google', 'CAPTCHA']] })).text({ query: 'x' })).toBe(
    'Error: SearXNG got no answer from its search engines: google (CAPTCHA)',
  );
});
