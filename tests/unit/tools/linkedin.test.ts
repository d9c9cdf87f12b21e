import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jobsPath } from '../../../src-main/tools/linkedin/filters.ts';
import { jobAddress } from '../../../src-main/tools/linkedin/job-address.ts';
import { parseJobPage } from '../../../src-main/tools/linkedin/job-cards.ts';
import { jobCard, LOGIN_WALL } from '../../fixtures/linkedin/pages.ts';

const SITE = 'https://www.linkedin.com';

function sent(search: Parameters<typeof jobsPath>[0]): Record<string, string> {
  return Object.fromEntries(new URL(jobsPath(search, 0, 10), SITE).searchParams);
}

test('every filter is sent under its code', () => {
  expect(jobsPath({ keyword: 'dev', dateSincePosted: '24hr', remoteFilter: 'remote', sortBy: 'recent' }, 0, 10)).toBe(
    '/jobs-guest/jobs/api/seeMoreJobPostings/search?keywords=dev&start=0&count=10&f_TPR=r86400&f_WT=2&sortBy=DD',
  );
  const codes = (name: string, parameter: string, values: Record<string, string>) => {
    for (const [value, code] of Object.entries(values))
      for (const written of [value, value.toUpperCase(), ` ${value} `])
        expect(sent({ keyword: 'x', [name]: written })[parameter], written).toBe(code);
  };
  codes('dateSincePosted', 'f_TPR', { 'past month': 'r2592000', 'past week': 'r604800', '24hr': 'r86400' });
  codes('jobType', 'f_JT', {
    'full time': 'F',
    'part time': 'P',
    contract: 'C',
    temporary: 'T',
    internship: 'I',
    volunteer: 'V',
    'full-time': 'F',
    fulltime: 'F',
    part_time: 'P',
  });
  codes('remoteFilter', 'f_WT', { 'on site': '1', remote: '2', hybrid: '3', 'on-site': '1', onsite: '1' });
  codes('experienceLevel', 'f_E', {
    internship: '1',
    'entry level': '2',
    associate: '3',
    senior: '4',
    director: '5',
    executive: '6',
  });
  codes('sortBy', 'sortBy', { recent: 'DD', relevant: 'R' });
  expect(sent({ keyword: ' c++ & c# ', location: ' New York ' })).toEqual({
    keywords: 'c++ & c#',
    location: 'New York',
    start: '0',
    count: '10',
  });
});

test('a value that means nothing is left out', () => {
  const unknown = fc.constantFrom('yesterday', 'constructor', '__proto__', '', ' ', 'remotely', '2');
  fc.assert(
    fc.property(unknown, (value) => {
      const filters = { dateSincePosted: value, jobType: value, remoteFilter: value, experienceLevel: value };
      expect(sent({ keyword: 'x', location: ' ', sortBy: value, ...filters })).toEqual({
        keywords: 'x',
        start: '0',
        count: '10',
      });
    }),
  );
});

test.each([
  ['https://www.linkedin.com/jobs/view/1', 'https://www.linkedin.com/jobs/view/1'],
  ['https://linkedin.com/jobs/view/1?trk=a#top', 'https://linkedin.com/jobs/view/1?trk=a'],
  ['http://uk.linkedin.com/jobs/view/1', 'https://uk.linkedin.com/jobs/view/1'],
  ['HTTPS://AT.LinkedIn.com/jobs/view/1', 'https://at.linkedin.com/jobs/view/1'],
  ['https://www.linkedin.com:443/x', 'https://www.linkedin.com/x'],
])('%s is asked for as %s', (url, address) => {
  expect(jobAddress(url, SITE)).toBe(address);
});

test.each([
  'https://evil.example/linkedin.com',
  'https://linkedin.com.evil.example/jobs/view/1',
  'https://evillinkedin.com/jobs/view/1',
  'https://linkedin.com@evil.example/',
  'https://user@www.linkedin.com/jobs/view/1',
  'https://linkedin.com:pw@www.linkedin.com/',
  'https://www.linkedin.com:8443/jobs/view/1',
  'https://evil.example/?u=https://www.linkedin.com/jobs/view/1',
  'https://evil.example#.linkedin.com',
  'https://evil.example\\.linkedin.com/',
  'https://.linkedin.com.evil.example',
  'https://www.linkedin.com./jobs/view/1',
  'ftp://www.linkedin.com/jobs/view/1',
  'file:///linkedin.com',
  'javascript:alert(1)//linkedin.com',
  'www.linkedin.com/jobs/view/1',
  'http://127.0.0.1/jobs/view/1',
  '',
])('%j is no page of LinkedIn', (url) => {
  expect(jobAddress(url, SITE)).toBeUndefined();
});

test('where the settings put LinkedIn elsewhere, pages are asked for there', () => {
  const elsewhere = 'http://127.0.0.1:8080/proxy';
  expect(jobAddress('https://uk.linkedin.com/jobs/view/1?a=b', elsewhere)).toBe(
    'http://127.0.0.1:8080/proxy/jobs/view/1?a=b',
  );
  expect(jobAddress('http://127.0.0.1:8080/proxy/jobs/view/1', elsewhere)).toBe(
    'http://127.0.0.1:8080/proxy/jobs/view/1',
  );
  for (const url of ['http://127.0.0.1:8080/other', 'http://127.0.0.1:8080/proxy2/x', 'http://127.0.0.1:8081/proxy/x'])
    expect(jobAddress(url, elsewhere), url).toBeUndefined();
});

test('no URL leads off LinkedIn', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
      expect(jobAddress(url, SITE)).toBeUndefined();
      expect(jobAddress(url.replace('://', '://linkedin.com@'), SITE)).toBeUndefined();
    }),
  );
});

const JOB = { title: 'R&amp;D\n   Engineer', salary: '€60K - €70K', url: 'https://at.linkedin.com/jobs/view/r-d-1' };
const READ = {
  title: 'R&D Engineer',
  company: 'Acme',
  location: 'Vienna, Austria',
  posted: '2 days ago',
  salary: '€60K - €70K',
  url: 'https://at.linkedin.com/jobs/view/r-d-1?position=0&trk=public_jobs',
};

test.each(['A', 'B', 'bare'] as const)('a card of layout %s is read', async (layout) => {
  expect(await parseJobPage(jobCard(JOB, layout, 0))).toEqual({ jobs: [READ], cards: 1, isLoginWall: false });
});

test('a card without a title is counted and left out; what a card does not say is empty', async () => {
  const page = await parseJobPage(`<ul>${jobCard({}, 'A', 0)}${jobCard({ title: 'T' }, 'A', 1)}</ul>`);
  expect(page.cards).toBe(2);
  expect(page.jobs).toEqual([expect.objectContaining({ title: 'T', salary: '', url: '' })]);
  const bare = await parseJobPage('<li><h3 class="base-search-card__title">Only a title');
  expect(bare.jobs).toEqual([{ title: 'Only a title', company: '', location: '', posted: '', salary: '', url: '' }]);
});

test('a login wall is not an empty list', async () => {
  expect(await parseJobPage(LOGIN_WALL)).toMatchObject({ jobs: [], isLoginWall: true });
  expect(await parseJobPage('')).toEqual({ jobs: [], cards: 0, isLoginWall: false });
});

test('a page that is made to be slow is refused', async () => {
  const card = jobCard(JOB, 'A', 0);
  await expect(parseJobPage(`${'<div>'.repeat(3000)}${card}`)).rejects.toThrow('nested too deeply');
  expect((await parseJobPage(card.repeat(2000))).cards).toBeLessThan(1000);
});

test('whatever comes is read without a failure', async () => {
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '<li>',
      '</li>',
      '<h3 class="base-search-card__title">',
      '</h3>',
      '<a href=',
      '<!--',
      '&#0;',
      '<li',
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part), async (parts) => {
      const { jobs, cards } = await parseJobPage(parts.join(''));
      expect(jobs.length).toBeLessThanOrEqual(cards);
      for (const { title } of jobs) expect(title).toMatch(/^\S(?:.*\S)?$/u);
    }),
  );
});
