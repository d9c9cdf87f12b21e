import { parseHtml } from '../web/page/html-document.ts';

/** `undefined` if the page doesn't have it. */
export interface JobDetails {
  readonly title: string | undefined;
  readonly company: string | undefined;
  readonly location: string | undefined;
  readonly description: string | undefined;
}

/** The first selector that finds something counts. Source: tool catalogue B.4. */
const TITLE = ['h1.top-card-layout__title', 'h1'];
const COMPANY = ['a.topcard__org-name-link', '.top-card-layout__company-name'];
const LOCATION = ['span.topcard__flavor--bullet', 'span.top-card-layout__bullet'];
const DESCRIPTION = ['.description__text', '.show-more-less-html__markup', '.decorated-job-posting__details'];

export async function parseJobDetails(html: string): Promise<JobDetails> {
  const page = await parseHtml(html);
  let description: string | undefined;
  for (const selector of DESCRIPTION) {
    const [element] = page.all(selector);
    if (element === undefined) continue;
    // "Show more" and "Show less" are not the employer's text.
    page.remove('button', element);
    const { htmlToText } = await import('../web/page/html-to-text.ts');
    const text = await htmlToText(page.innerHtml(element));
    if (text.trim() === '') continue;
    description = text;
    break;
  }
  return {
    title: page.firstText(TITLE),
    company: page.firstText(COMPANY),
    location: page.firstText(LOCATION),
    description,
  };
}
