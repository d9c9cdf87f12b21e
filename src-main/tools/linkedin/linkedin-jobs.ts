import { z } from 'zod';
import { isSuccess } from '../../network/http.ts';
import { joinBaseUrl } from '../../settings/endpoints.ts';
import { type ToolContext, ToolFailure, type Vendors, withFailurePrefix } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { type Authorized, browserHeaders, httpContext, requestAccess } from '../web/http-calls.ts';
import { decodePage } from '../web/page/charset.ts';
import { type JobSearch, jobsPath } from './filters.ts';
import { type Job, type JobPage, parseJobPage } from './job-cards.ts';

const DEFAULT_LIMIT = 10;
const MAX_JOBS = 50;
/** LinkedIn returns about ten at a time whatever `count` says, and soon blocks frequent requests. */
const MAX_REQUESTS = 6;
const PREFIX = 'Error searching LinkedIn jobs: ';
const NONE = 'No job postings found matching your criteria.';

/** Source: tool catalogue B.4. */
export const linkedinJobs = defineTool({
  name: 'linkedin_jobs',
  access: 'network',
  errorPrefix: 'Error: ',
  description:
    'Search job postings on LinkedIn. Returns title, company, location, date, salary and URL of each; read one with linkedin_job_detail.',
  input: z.object({
    keyword: z.string().describe('What to search for, like "software engineer"'),
    location: z.string().optional().describe('Where, like "Vienna" or "United States"'),
    dateSincePosted: z.string().optional().describe('"past month", "past week" or "24hr"'),
    jobType: z
      .string()
      .optional()
      .describe('"full time", "part time", "contract", "temporary", "internship" or "volunteer"'),
    remoteFilter: z.string().optional().describe('"on site", "remote" or "hybrid"'),
    experienceLevel: z
      .string()
      .optional()
      .describe('"internship", "entry level", "associate", "senior", "director" or "executive"'),
    // A string, as in the seed designs; numbers are converted before they get here.
    limit: z.string().default(`${DEFAULT_LIMIT}`).describe('How many postings, 1 to 50'),
    sortBy: z.string().optional().describe('"recent" or "relevant"'),
  }),
  strictParameters: ['location', 'dateSincePosted', 'jobType', 'remoteFilter', 'experienceLevel'],
  words: {
    title: 'Search LinkedIn jobs',
    done: 'Searched LinkedIn jobs:',
    icon: 'briefcase',
    about: ['keyword', 'location'],
  },
  manual: {
    example: { keyword: 'typescript developer', location: 'Vienna', remoteFilter: 'remote', sortBy: 'recent' },
    limits: [
      '1 to 50 postings, 10 by default.',
      'LinkedIn is asked at most 6 times.',
      'An unknown filter value is ignored.',
      'LinkedIn may refuse programs (HTTP 429, 999).',
    ],
  },
  async assess(search, context) {
    requireKeyword(search);
    const limit = limitOf(search.limit);
    const { access, plan } = await withFailurePrefix(PREFIX, async () =>
      requestAccess({ url: pageUrl(context.vendors, search, 0, limit) }, context, { service: 'search' }),
    );
    return { access, plan: { ...plan, search, limit } };
  },
  async execute(planned, context) {
    const jobs = await withFailurePrefix(PREFIX, () => findJobs(planned, context));
    context.card({ kind: 'jobs', jobs });
    if (jobs.length === 0) return NONE;
    context.mark({ kind: 'untrusted', source: `LinkedIn jobs: ${planned.search.keyword.trim()}` });
    // The query of a posting's address only says where it was shown, and differs between responses.
    context.links(jobs.flatMap(({ url }) => [url, withoutQuery(url)]));
    return jobs.map(block).join('\n\n');
  },
});

function requireKeyword({ keyword }: JobSearch): void {
  if (keyword.trim() === '') throw new ToolFailure('Error: keyword is required');
}

/** 1 to 50; anything but a number counts as not set. */
function limitOf(limit: string): number {
  const count = limit.trim() === '' ? Number.NaN : Math.trunc(Number(limit));
  return Number.isNaN(count) ? DEFAULT_LIMIT : Math.min(Math.max(count, 1), MAX_JOBS);
}

function pageUrl(vendors: Vendors, search: JobSearch, start: number, count: number): string {
  return joinBaseUrl(vendors.baseUrlOf('linkedin'), jobsPath(search, start, count));
}

interface PlannedSearch extends Authorized {
  readonly search: JobSearch;
  readonly limit: number;
}

/** Pages are requested until there are enough results or a page brings nothing new. */
async function findJobs(planned: PlannedSearch, context: ToolContext): Promise<Job[]> {
  const { limit } = planned;
  const jobs: Job[] = [];
  const seen = new Set<string>();
  let start = 0;
  for (let requests = 0; requests < MAX_REQUESTS && jobs.length < limit; requests++) {
    const page = await pageOrEnd(planned, start, context, jobs.length > 0);
    const fresh = page.jobs.filter((job) => !seen.has(identityOf(job)));
    if (fresh.length === 0) break;
    for (const job of page.jobs) seen.add(identityOf(job));
    jobs.push(...fresh);
    start += page.cards;
  }
  return jobs.slice(0, limit);
}

const END: JobPage = { jobs: [], cards: 0, isLoginWall: false };

/** Results found so far matter more than the reason why LinkedIn sent no further page. */
async function pageOrEnd(
  planned: PlannedSearch,
  start: number,
  context: ToolContext,
  hasSome: boolean,
): Promise<JobPage> {
  try {
    return await askPage(planned, start, context);
  } catch (error) {
    if (!hasSome || context.signal.aborted) throw error;
    return END;
  }
}

async function askPage(planned: PlannedSearch, start: number, context: ToolContext): Promise<JobPage> {
  const url = pageUrl(context.vendors, planned.search, start, planned.limit);
  const response = await context.http.request({ url, headers: browserHeaders }, httpContext(planned, context));
  if (!isSuccess(response.status)) throw new ToolFailure(`Error fetching LinkedIn jobs: HTTP ${response.status}`);
  const page = await parseJobPage((await decodePage(response)).text);
  if (page.isLoginWall)
    throw new Error('LinkedIn asks for a login instead of answering. Try again later or with other words');
  return page;
}

/** The same posting has a different tracking query each time. */
function identityOf({ title, company, location, url }: Job): string {
  return url === '' ? JSON.stringify([title, company, location]) : withoutQuery(url);
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*/s, '');
}

function block({ title, company, location, posted, salary, url }: Job, index: number): string {
  return [
    `${index + 1}. ${title}`,
    `Company: ${company}`,
    `Location: ${location}`,
    `Posted: ${posted}`,
    `Salary: ${salary || 'Not listed'}`,
    `URL: ${url}`,
  ].join('\n   ');
}
