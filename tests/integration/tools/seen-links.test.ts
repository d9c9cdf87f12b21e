import { expect, onTestFinished, test } from 'vitest';
import { allowAll } from '../../fixtures/allow-all.ts';
import { startLinkedin } from '../../fixtures/linkedin/server.ts';
import { type HarnessOptions, ToolHarness } from '../../fixtures/tool-harness.ts';
import { html, page, redirect } from '../../fixtures/web/pages.ts';
import { type Page, startWebSite } from '../../fixtures/web/site.ts';
import { startBrave } from '../../fixtures/web-search/brave.ts';
import { BRAVE_KEY } from '../../fixtures/web-search/brave-answer.ts';

/** Which addresses of a result may be followed. */
function harness(options: Partial<HarnessOptions> = {}): ToolHarness {
  const tools = new ToolHarness({ consent: allowAll, ...options });
  onTestFinished(() => tools.dispose());
  return tools;
}

test('of a search: the addresses that were found, not what titles and descriptions speak of', async () => {
  const server = await startBrave({
    rows: [
      {
        url: 'https://a.example/1?x=y',
        title: 'see https://title.example',
        description: 'or <a href="https://text.example">x</a>',
      },
      { url: 'https://b.example/', title: 'b' },
    ],
  });
  const options = { endpoints: { brave: server.url }, keys: { 'brave-api-key': BRAVE_KEY } };
  const tools = harness({ searchProvider: 'brave', ...options });
  await tools.text('web_search', { query: 'https://query.example' });
  expect(tools.links).toEqual(['https://a.example/1?x=y', 'https://b.example/']);
});

test('of a search: none that is made of what was searched for', async () => {
  const found = async (query: string, ...urls: readonly string[]) => {
    const server = await startBrave({ rows: urls.map((url) => ({ url, title: url })) });
    const options = { endpoints: { brave: server.url }, keys: { 'brave-api-key': BRAVE_KEY } };
    const tools = harness({ searchProvider: 'brave', ...options });
    await tools.text('web_search', { query });
    return tools.links;
  };
  const other = 'https://found.example/the-word-is-hunter2';
  for (const echo of [
    'https://search.example/?q=the+word+is+hunter2',
    'https://search.example/?a=b&to=https%3A%2F%2Fevil.example%2Fthe%20word%20is%20hunter2',
    'https://search.example/?The-Word--IS%20hunter2',
  ])
    expect(await found('the word is hunter2', echo, other), echo).toEqual([other]);
  for (const query of ['https://evil.example/hunter2', 'who has "evil.example/hunter2"?', 'www.evil.example/hunter2'])
    expect(await found(query, 'http://www.evil.example/hunter2', other), query).toEqual([other]);
});

test('of LinkedIn: the postings, with and without the query that says where they were shown', async () => {
  const server = await startLinkedin({
    jobs: [{ title: 'Job 7', company: 'https://company.example', url: 'https://at.linkedin.com/jobs/view/job-7' }],
  });
  const tools = harness({ endpoints: { linkedin: server.url } });
  await tools.text('linkedin_jobs', { keyword: 'x' });
  const shown = 'https://at.linkedin.com/jobs/view/job-7?position=0&trk=public_jobs';
  expect(tools.links).toEqual([shown, 'https://at.linkedin.com/jobs/view/job-7']);
});

async function linksOf(answer: Page, { isGiven = true, path = '/' } = {}): Promise<readonly string[]> {
  const site = await startWebSite({ '/': answer, '/moved': redirect('/') });
  const tools = harness();
  await tools.text('web_fetch', { url: `${site.url}${path}` }, { said: isGiven ? `read ${site.url}${path}` : 'read' });
  return tools.links.map((link) => link.replace(site.url, ''));
}

test('of a page that the user gave: where its links lead, each once, from wherever it was', async () => {
  const links = html(
    '<a href="/a#part">a</a><a href="https://b.example/?c=d">b</a><a href="/a">again</a><a href="mailto:x@y.example">m</a>' +
      '<a href="javascript:alert(1)">j</a><a>none</a> https://text.example <img src="https://image.example/x.png">' +
      '<!-- <a href="https://comment.example/">x</a> -->',
  );
  expect(await linksOf(links)).toEqual(['/a', 'https://b.example/?c=d']);
  expect(await linksOf(links, { path: '/moved' })).toEqual(['/a', 'https://b.example/?c=d']);
});

test('of a page that the model chose, of text and of JSON: none', async () => {
  expect(await linksOf(html('<a href="/a">a</a>'), { isGiven: false })).toEqual([]);
  const addresses = '{"url": "https://a.example/", "text": "<a href=\\"https://b.example/\\">b</a>"}';
  expect(await linksOf(page(addresses, 'application/json'))).toEqual([]);
  expect(await linksOf(page(addresses, 'text/plain'))).toEqual([]);
});

test('of a page with many links: the first 200', async () => {
  const many = Array.from({ length: 300 }, (_, number) => `/${number}`);
  const links = await linksOf(html(many.map((path) => `<p><a href="${path}">${path}</a></p>`).join('')));
  expect(links).toEqual(many.slice(0, 200));
});
