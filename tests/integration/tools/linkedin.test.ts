import { afterEach, expect, test } from 'vitest';
import { allowAll } from '../../fixtures/allow-all.ts';
import type { LinkedinOptions } from '../../fixtures/linkedin/answers.ts';
import { jobPage, LOGIN_WALL } from '../../fixtures/linkedin/pages.ts';
import { startLinkedin } from '../../fixtures/linkedin/server.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import { isRequired } from '../../fixtures/tool-texts.ts';
import { htmlAnswer } from '../../fixtures/vendor-answer.ts';

let tools: ToolHarness | undefined;
afterEach(async () => {
  await tools?.dispose();
  tools = undefined;
});

async function linkedin(options: LinkedinOptions = {}) {
  const server = await startLinkedin(options);
  const harness = new ToolHarness({ consent: allowAll, endpoints: { linkedin: server.url } });
  tools = harness;
  return {
    server,
    tools: harness,
    jobs: (input: unknown) => harness.text('linkedin_jobs', input),
    detail: (url: unknown) => harness.text('linkedin_job_detail', { url }),
  };
}

const job = (number: number) => ({ title: `Job ${number}`, url: `https://at.linkedin.com/jobs/view/job-${number}` });
const jobsUpTo = (count: number) => Array.from({ length: count }, (_, index) => job(index + 1));
const titles = (text: string) => [...text.matchAll(/^\d+\. (.*)$/gm)].map(([, title]) => title);

test('jobs come in blocks, one without a title is left out, and every filter is sent', async () => {
  const search = await linkedin({ jobs: [{}, { ...job(7), title: 'R&amp;D  Engineer', company: 'A &lt;B&gt;' }] });
  const input = { keyword: 'dev', dateSincePosted: '24hr', remoteFilter: 'remote', sortBy: 'recent' };
  expect(await search.jobs(input)).toBe(
    [
      '1. R&D Engineer',
      '   Company: A <B>',
      '   Location: Vienna, Austria',
      '   Posted: 2 days ago',
      '   Salary: Not listed',
      '   URL: https://at.linkedin.com/jobs/view/job-7?position=1&trk=public_jobs',
    ].join('\n'),
  );
  const [request] = search.server.requests;
  expect(request?.target).toBe(
    '/jobs-guest/jobs/api/seeMoreJobPostings/search?keywords=dev&start=0&count=10&f_TPR=r86400&f_WT=2&sortBy=DD',
  );
  expect(request?.headers['user-agent']).toContain('Chrome/120.0.0.0');
  expect(search.tools.marks).toEqual([{ kind: 'untrusted', source: 'LinkedIn jobs: dev' }]);
  expect(search.tools.cards.at(-1)).toMatchObject({ kind: 'jobs', jobs: [{ title: 'R&D Engineer' }] });
});

test('pages are asked for until there is enough', async () => {
  const search = await linkedin({ jobs: jobsUpTo(45), layout: 'B' });
  const text = await search.jobs({ keyword: 'x', limit: 23 });
  expect(titles(text)).toEqual(jobsUpTo(23).map(({ title }) => title));
  expect(search.server.requests.map(({ query }) => query.get('start'))).toEqual(['0', '10', '20']);
  expect(search.server.requests.map(({ query }) => query.get('count'))).toEqual(['23', '23', '23']);
  expect(titles(await search.jobs({ keyword: 'x', limit: '50' }))).toHaveLength(45);
});

test('limit is a text or a number, from 1 to 50', async () => {
  const search = await linkedin({ jobs: jobsUpTo(80), pageSize: 60 });
  const cases: [unknown, number][] = [
    [undefined, 10],
    ['3', 3],
    [3, 3],
    [0, 1],
    ['-4', 1],
    [900, 50],
    ['lots', 10],
    ['2.9', 2],
  ];
  for (const [limit, count] of cases)
    expect(titles(await search.jobs({ keyword: 'x', limit })), String(limit)).toHaveLength(count);
});

test('asking ends with a page that brings nothing new, one that fails, or the sixth', async () => {
  const same = await linkedin({ instead: () => undefined, jobs: jobsUpTo(5), pageSize: 5 });
  expect(titles(await same.jobs({ keyword: 'x', limit: 50 }))).toHaveLength(5);
  expect(same.server.requests).toHaveLength(2);

  const [page] = [htmlAnswer(`<li><h3 class="base-search-card__title">Always the same</h3></li>`)];
  const repeating = await linkedin({ instead: () => page });
  expect(titles(await repeating.jobs({ keyword: 'x' }))).toEqual(['Always the same']);
  expect(repeating.server.requests).toHaveLength(2);

  const refusing = await linkedin({
    jobs: jobsUpTo(30),
    instead: (index) => (index === 1 ? htmlAnswer('', 429) : undefined),
  });
  expect(titles(await refusing.jobs({ keyword: 'x', limit: 30 }))).toHaveLength(10);

  const slow = await linkedin({ jobs: jobsUpTo(50), pageSize: 2 });
  expect(titles(await slow.jobs({ keyword: 'x', limit: 50 }))).toHaveLength(12);
  expect(slow.server.requests).toHaveLength(6);
});

test('no jobs, no keyword, refusals and a login wall are told apart', async () => {
  const search = await linkedin();
  expect(await search.tools.call('linkedin_jobs', { keyword: 'x' })).toEqual({
    text: 'No job postings found matching your criteria.',
    isError: false,
  });
  expect(search.tools.marks).toEqual([]);
  for (const keyword of [undefined, '', null, '  ']) expect(await search.jobs({ keyword })).toBe(isRequired('keyword'));
  for (const status of [429, 999, 500]) {
    const refusing = await linkedin({ instead: () => htmlAnswer('<h1>No</h1>', status) });
    expect(await refusing.tools.call('linkedin_jobs', { keyword: 'x' })).toEqual({
      text: `Error fetching LinkedIn jobs: HTTP ${status}`,
      isError: true,
    });
  }
  expect(await (await linkedin({ instead: () => htmlAnswer(LOGIN_WALL) })).jobs({ keyword: 'x' })).toMatch(
    /^Error searching LinkedIn jobs: LinkedIn asks for a login/,
  );
  const unreachable = new ToolHarness({ consent: allowAll, endpoints: { linkedin: 'http://127.0.0.1:1' } });
  expect(await unreachable.text('linkedin_jobs', { keyword: 'x' })).toMatch(/^Error searching LinkedIn jobs: ./);
  expect(await unreachable.text('linkedin_job_detail', { url: 'https://www.linkedin.com/jobs/view/1' })).toMatch(
    /^Error fetching job details: ./,
  );
  await unreachable.dispose();
});

const DESCRIPTION =
  '<p>We build <strong>things</strong> &amp; more.</p><ul><li>TypeScript<li><a href="https://nodejs.org">Node</a></ul>';

test.each(['A', 'B', 'C'] as const)('a job page of layout %s is read', async (layout) => {
  const page = htmlAnswer(jobPage({ description: DESCRIPTION, layout }));
  const site = await linkedin({ pages: { '/jobs/view/ts-dev-1': page } });
  const text = await site.detail('https://uk.linkedin.com/jobs/view/ts-dev-1?trk=public_jobs#x');
  expect(text.replace('more.\n\n-', 'more.\n-')).toBe(
    [
      'Title: Typescript & Node Developer',
      'Company: Acme GmbH',
      'Location: Vienna, Austria',
      '',
      '--- Job Description ---',
      '',
      'We build things & more.',
      '- TypeScript',
      '- Node (https://nodejs.org)',
    ].join('\n'),
  );
  expect(site.server.requests[0]?.target).toBe('/jobs/view/ts-dev-1?trk=public_jobs');
  expect(site.server.requests[0]?.headers['user-agent']).toContain('Chrome/120.0.0.0');
  expect(site.tools.marks).toEqual([{ kind: 'untrusted', source: 'LinkedIn job: Typescript & Node Developer' }]);
  expect(site.tools.cards).toEqual([
    {
      kind: 'page',
      url: `${site.server.url}/jobs/view/ts-dev-1?trk=public_jobs`,
      status: 200,
      contentType: 'text/html; charset=utf-8',
      title: 'Typescript & Node Developer',
      size: Buffer.byteLength(page.body ?? ''),
    },
  ]);
});

test('a link on LinkedIn that leads to another site is not a LinkedIn job', async () => {
  const other = await startLinkedin({ pages: { '/job': htmlAnswer(jobPage({ description: 'Pay us first' })) } });
  const moved = (location: string) => ({ status: 302, headers: { location } });
  const site = await linkedin({
    pages: {
      '/slink': moved(`${other.url}/job`),
      '/old': moved('/jobs/view/1'),
      '/jobs/view/1': htmlAnswer(jobPage({ description: 'Honest work' })),
    },
  });
  expect(await site.detail('https://www.linkedin.com/slink?code=x')).toBe(
    `Error fetching job details: LinkedIn redirected to another site, ${new URL(other.url).host}. Use web_fetch to read it`,
  );
  expect(site.tools.marks).toEqual([]);
  expect(await site.detail('https://www.linkedin.com/old')).toContain('\n\nHonest work');
});

test('a card that leads to no page of the web has no URL', async () => {
  const search = await linkedin({ jobs: [{ title: 'Trap', url: 'javascript:alert(1)' }], layout: 'B' });
  expect(await search.jobs({ keyword: 'x' })).toMatch(/\n {3}URL: $/);
});

test('only fields that the page has are returned', async () => {
  const page = htmlAnswer('<p class="description__text">Only this</p>');
  const site = await linkedin({ pages: { '/jobs/view/1': page } });
  expect(await site.detail('https://www.linkedin.com/jobs/view/1')).toBe('\n--- Job Description ---\n\nOnly this');
});

test('a page without a description, a refusal and a foreign address are told', async () => {
  const noDescription =
    'Could not extract job description from the page. LinkedIn may have blocked the request or the page structure has changed.';
  const site = await linkedin({
    pages: {
      '/wall': htmlAnswer(LOGIN_WALL),
      '/empty': htmlAnswer(jobPage({ description: ' &nbsp; ' })),
      '/none': htmlAnswer(jobPage({})),
      '/refused': htmlAnswer('', 999),
    },
  });
  for (const path of ['wall', 'empty', 'none'])
    expect(await site.tools.call('linkedin_job_detail', { url: `https://www.linkedin.com/${path}` })).toEqual({
      text: noDescription,
      isError: true,
    });
  expect(await site.detail('https://www.linkedin.com/refused')).toBe('Error fetching job page: HTTP 999');
  expect(await site.detail('https://www.linkedin.com/absent')).toBe('Error fetching job page: HTTP 404');
  expect(await site.detail('https://evil.example/linkedin.com')).toBe('Error: url must be a linkedin.com job page');
  expect(await site.detail(undefined)).toBe(isRequired('url'));
  expect(site.tools.marks).toEqual([]);
});
