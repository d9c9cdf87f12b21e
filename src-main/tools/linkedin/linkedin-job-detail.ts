import { z } from 'zod';
import { isSuccess } from '../../network/http.ts';
import { ToolFailure, type Vendors, withFailurePrefix } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { browserHeaders, httpContext, requestAccess } from '../web/http-calls.ts';
import { decodePage } from '../web/page/charset.ts';
import { jobAddress } from './job-address.ts';
import { type JobDetails, parseJobDetails } from './job-page.ts';

const PREFIX = 'Error fetching job details: ';
const NO_DESCRIPTION =
  'Could not extract job description from the page. LinkedIn may have blocked the request or the page structure has changed.';

/** Source: tool catalogue B.4. */
export const linkedinJobDetail = defineTool({
  name: 'linkedin_job_detail',
  access: 'network',
  errorPrefix: 'Error: ',
  description: 'Read the full text of one LinkedIn job posting, by a URL that linkedin_jobs returned.',
  input: z.object({ url: z.string().describe('Address of a job page on linkedin.com') }),
  words: { title: 'Read LinkedIn job', done: 'Read LinkedIn job', icon: 'briefcase', about: ['url'] },
  manual: {
    example: { url: 'https://www.linkedin.com/jobs/view/1234567890' },
    limits: ['Only pages on linkedin.com and its subdomains.', '30 seconds, 2,000,000 bytes.'],
  },
  async assess({ url }, context) {
    const address = addressOf(url, context.vendors);
    const { access, plan } = await withFailurePrefix(PREFIX, async () =>
      requestAccess({ url: address }, context, { standsFor: url }),
    );
    return { access, plan: { ...plan, address } };
  },
  async execute({ address, authorized }, context) {
    return withFailurePrefix(PREFIX, async () => {
      const request = {
        url: address,
        headers: browserHeaders,
        onHead: ({ url: last }: { readonly url: string }) => requireLinkedin(last, address, context.vendors),
      };
      const response = await context.http.request(request, httpContext({ authorized }, context));
      if (!isSuccess(response.status)) throw new ToolFailure(`Error fetching job page: HTTP ${response.status}`);
      const details = await parseJobDetails((await decodePage(response)).text);
      if (details.description === undefined) throw new ToolFailure(NO_DESCRIPTION);
      context.mark({ kind: 'untrusted', source: `LinkedIn job: ${details.title ?? address}` });
      context.card({
        kind: 'page',
        url: response.url,
        status: response.status,
        contentType: response.headers['content-type'] ?? '',
        ...(details.title === undefined ? {} : { title: details.title }),
        size: response.body.length,
      });
      return textOf(details, details.description);
    });
  },
});

function addressOf(url: string, vendors: Vendors): string {
  const address = jobAddress(url, vendors.baseUrlOf('linkedin'));
  if (address === undefined) throw new ToolFailure('Error: url must be a linkedin.com job page');
  return address;
}

/** Some links on LinkedIn lead to other sites; a page there is not a LinkedIn job, whatever it looks like. */
function requireLinkedin(last: string, asked: string, vendors: Vendors): void {
  const { origin, host } = new URL(last);
  if (origin === new URL(asked).origin || jobAddress(last, vendors.baseUrlOf('linkedin')) !== undefined) return;
  throw new Error(`LinkedIn redirected to another site, ${host}. Use web_fetch to read it`);
}

function textOf({ title, company, location }: JobDetails, description: string): string {
  const line = (label: string, value: string | undefined) => (value === undefined ? [] : [`${label}: ${value}`]);
  return [
    ...line('Title', title),
    ...line('Company', company),
    ...line('Location', location),
    '',
    '--- Job Description ---',
    '',
    description,
  ].join('\n');
}
