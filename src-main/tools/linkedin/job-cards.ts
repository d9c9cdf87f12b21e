import type { Element } from 'domhandler';
import { collapsed, type HtmlDocument, parseHtml } from '../web/page/html-document.ts';

/** Each text is a single line; empty if the card doesn't have it. */
export interface Job {
  readonly title: string;
  readonly company: string;
  readonly location: string;
  readonly posted: string;
  readonly salary: string;
  readonly url: string;
}

export interface JobPage {
  readonly jobs: readonly Job[];
  /** The number of cards on the page, including those without a title, which is the offset of the next page. */
  readonly cards: number;
  /** LinkedIn requests a login instead. */
  readonly isLoginWall: boolean;
}

const SITE = 'https://www.linkedin.com';

/** LinkedIn serves several layouts at random. The first of each row is the catalogue's (B.4). */
const SELECTORS = {
  title: ['h3.base-search-card__title', '.base-search-card__title', '.job-result-card__title'],
  company: ['h4.base-search-card__subtitle', '.base-search-card__subtitle', '.job-result-card__subtitle'],
  location: ['span.job-search-card__location', '.job-search-card__location', '.job-result-card__location'],
  posted: ['time'],
  salary: ['span[class*="job-search-card__salary"]', '[class*="job-search-card__salary"]'],
} as const;
const LINKS = ['a.base-card__full-link', 'a.base-card', 'a.result-card__full-card-link', 'a[href*="/jobs/view/"]'];
/** In one layout they are not in a list. */
const CARDS = 'li, .base-card, .job-search-card, .job-result-card';
const LOGIN_FORM = 'form.login__form, form[action*="/uas/login"], form[action*="/checkpoint/"], [class*="authwall"]';

/** Many more than LinkedIn ever sends; limits the time that a malicious page can take. */
const MAX_ELEMENTS = 1000;

/** One response of the job search. */
export async function parseJobPage(html: string): Promise<JobPage> {
  const page = await parseHtml(html);
  const cards = outermost(page.all(CARDS).slice(0, MAX_ELEMENTS));
  const jobs = cards.flatMap((card) => jobsOf(card, page));
  return { jobs, cards: cards.length, isLoginWall: jobs.length === 0 && page.all(LOGIN_FORM).length > 0 };
}

function jobsOf(card: Element, page: HtmlDocument): Job[] {
  const field = (name: keyof typeof SELECTORS) => page.firstText(SELECTORS[name], card);
  const title = field('title');
  if (title === undefined) return [];
  return [
    {
      title,
      company: field('company') ?? '',
      location: field('location') ?? '',
      posted: field('posted') ?? '',
      salary: field('salary') ?? '',
      url: linkOf(card, page),
    },
  ];
}

function linkOf(card: Element, page: HtmlDocument): string {
  // In one layout the card itself is the link.
  const candidates = [...LINKS.flatMap((selector) => page.all(selector, card)), card];
  const hrefs = candidates.map((element) => collapsed(element.attribs.href ?? ''));
  const href = hrefs.find((each) => each !== '' && isOnTheWeb(each)) ?? '';
  return href.startsWith('/') ? new URL(href, SITE).href : href;
}

/** Anything other than http or https (`javascript:`) is not a link to a posting. */
function isOnTheWeb(href: string): boolean {
  return URL.canParse(href, SITE) && /^https?:$/.test(new URL(href, SITE).protocol);
}

/** Cards may contain lists, and lists contain cards. */
function outermost(elements: readonly Element[]): Element[] {
  const all = new Set<unknown>(elements);
  return elements.filter((element) => {
    for (let above = element.parent; above !== null; above = above.parent) if (all.has(above)) return false;
    return true;
  });
}
