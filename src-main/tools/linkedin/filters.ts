/**
 * Filters for jobs: the values that people and models use, and LinkedIn's codes for them. Source: tool catalogue B.4,
 * codes from the npm package linkedin-jobs-api.
 */
const DATE_SINCE_POSTED = new Map([
  ['past month', 'r2592000'],
  ['past week', 'r604800'],
  ['24hr', 'r86400'],
]);
const JOB_TYPE = new Map([
  ['full time', 'F'],
  ['part time', 'P'],
  ['contract', 'C'],
  ['temporary', 'T'],
  ['internship', 'I'],
  ['volunteer', 'V'],
]);
const REMOTE = new Map([
  ['on site', '1'],
  ['remote', '2'],
  ['hybrid', '3'],
]);
const EXPERIENCE_LEVEL = new Map([
  ['internship', '1'],
  ['entry level', '2'],
  ['associate', '3'],
  ['senior', '4'],
  ['director', '5'],
  ['executive', '6'],
]);
const SORT_BY = new Map([
  ['recent', 'DD'],
  ['relevant', 'R'],
]);

export interface JobSearch {
  readonly keyword: string;
  readonly location?: string | undefined;
  readonly dateSincePosted?: string | undefined;
  readonly jobType?: string | undefined;
  readonly remoteFilter?: string | undefined;
  readonly experienceLevel?: string | undefined;
  readonly sortBy?: string | undefined;
}

/** The path and query of one page of jobs, starting at job number `start` (0-based). Unknown values are left out. */
export function jobsPath(search: JobSearch, start: number, count: number): string {
  const location = search.location?.trim();
  const filters: [string, string | undefined][] = [
    ['location', location === '' ? undefined : location],
    ['start', `${start}`],
    ['count', `${count}`],
    ['f_TPR', codeOf(DATE_SINCE_POSTED, search.dateSincePosted)],
    ['f_JT', codeOf(JOB_TYPE, search.jobType)],
    ['f_WT', codeOf(REMOTE, search.remoteFilter)],
    ['f_E', codeOf(EXPERIENCE_LEVEL, search.experienceLevel)],
    ['sortBy', codeOf(SORT_BY, search.sortBy)],
  ];
  const query = new URLSearchParams({ keywords: search.keyword.trim() });
  for (const [name, value] of filters) if (value !== undefined) query.set(name, value);
  return `/jobs-guest/jobs/api/seeMoreJobPostings/search?${query}`;
}

/** `Full-time` and `fulltime` mean `full time`. */
function codeOf(codes: ReadonlyMap<string, string>, value = ''): string | undefined {
  const wanted = lettersOf(value);
  for (const [name, code] of codes) if (lettersOf(name) === wanted) return code;
  return undefined;
}

function lettersOf(words: string): string {
  return words.toLowerCase().replace(/[\s_-]+/g, '');
}
