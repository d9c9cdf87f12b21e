import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { linkedinAnswer } from '../../fixtures/linkedin/answers.ts';
import { jobPage } from '../../fixtures/linkedin/pages.ts';
import { htmlAnswer, type VendorAnswer } from '../../fixtures/vendor-answer.ts';
import type { Site } from '../../fixtures/web/public-web.ts';
import { braveAnswer } from '../../fixtures/web-search/brave-answer.ts';
import { type Job, jobUrl, type Session } from './session.ts';

/** Puts the files of a session there, as a repository if it is one. */
export function makeWorkspace(
  { files = {}, repository }: Session,
  workspace: string,
  filled: (text: string) => string,
) {
  const put = (name: string, content: string | Uint8Array) => {
    const path = join(workspace, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? filled(content) : content);
  };
  mkdirSync(workspace, { recursive: true });
  for (const [name, content] of Object.entries(files)) put(name, content);
  if (repository === undefined) return;
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-C', workspace, ...words], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    });
  git('-c', 'init.defaultBranch=main', 'init', '--quiet');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  git('add', '--all');
  for (const subject of ['First version', ...(repository.history ?? [])])
    git('commit', '--quiet', '--allow-empty', '--message', subject);
  for (const [name, content] of Object.entries(repository.changes ?? {})) put(name, content);
}

/**
 * The web of a session, with Brave's search and LinkedIn where they really are. `onSurprise`: a search without an
 * answer.
 */
export function sitesOf(
  { web = {}, redirects = {}, searches = {}, jobs = [] }: Session,
  onSurprise: (problem: string) => void,
): ReadonlyMap<string, Site> {
  const answers = new Map<string, VendorAnswer>([
    ...Object.entries(web).map(([url, body]) => [new URL(url).href, answerWith(body)] as const),
    ...Object.entries(redirects).map(([from, to]) => [new URL(from).href, redirectTo(to)] as const),
  ]);
  const searched: Site = (request) =>
    braveAnswer(request, (query) => {
      const urls = searches[query];
      if (urls === undefined) onSurprise(`nobody said what a search for "${query}" finds`);
      return (urls ?? []).map((url) => ({
        url,
        title: titleIn(web[url]) ?? url,
        description: descriptionIn(web[url]),
      }));
    });
  let asked = 0;
  const linkedin: Site = (request) => {
    const answer = linkedinAnswer(request, asked++, {
      jobs: jobs.map((job) => ({ ...job, url: jobUrl(job.number) })),
      pages: Object.fromEntries(jobs.map((job) => [`/jobs/view/${job.number}`, htmlAnswer(pageOf(job))])),
    });
    return answer === 'never' ? { status: 500 } : answer;
  };
  const hosts = [...answers.keys()].map((url) => new URL(url).host);
  return new Map<string, Site>([
    ...hosts.map((host): [string, Site] => [
      host,
      ({ target }) =>
        answers.get(`https://${host}${target}`) ??
        answers.get(`http://${host}${target}`) ??
        htmlAnswer('Not found', 404),
    ]),
    ['api.search.brave.com', searched],
    ['www.linkedin.com', linkedin],
  ]);
}

function answerWith(body: string): VendorAnswer {
  if (!/^[[{]/.test(body)) return htmlAnswer(body);
  return { headers: { 'content-type': 'application/json' }, body };
}

function redirectTo(location: string): VendorAnswer {
  return { status: 302, headers: { location } };
}

function titleIn(html = ''): string | undefined {
  return /<title>(.*?)<\/title>/.exec(html)?.[1];
}

function descriptionIn(html = ''): string {
  return /<p>(.{1,160})/.exec(html)?.[1]?.replace(/<[^>]*>/g, '') ?? '';
}

function pageOf({ title, company, description }: Job): string {
  return jobPage({ title, company, description });
}

/** One that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new TypeError('A TCP server has a port');
  return address.port;
}
