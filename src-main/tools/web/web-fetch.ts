import { z } from 'zod';
import { firstCharacters, grouped } from '../../base/text.ts';
import type { HttpRequest, HttpResponse } from '../../network/http.ts';
import { isSuccess } from '../../network/http.ts';
import { ToolFailure } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { browserHeaders, markAnswer, planRequest, sendRequest } from './http-calls.ts';
import { decodeBody } from './page/charset.ts';
import { type ContentKind, judgedContent, kindOf, mediaTypeOf } from './page/content-type.ts';
import type { ReadablePage } from './page/html-to-text.ts';
import { readPage } from './page/page-reader.ts';
import { withClosedElements } from './page/xhtml.ts';

const DEFAULT_MAX_CHARS = 50_000;
/** The title is not subject to `maxChars`, and a page can make it arbitrarily long. */
const MAX_TITLE_CHARS = 500;

/** Source: tool catalogue B.3. */
export const webFetch = defineTool({
  name: 'web_fetch',
  nameAliases: ['webfetch'],
  access: 'network',
  errorPrefix: 'Error: ',
  description:
    'Fetch a page by its URL and return it as readable text: HTML as plain text with its links, JSON indented, other text as it is. GET only.',
  input: z.object({
    url: z.string().describe('Absolute http or https URL'),
    maxChars: z.number().min(1).default(DEFAULT_MAX_CHARS).describe('Characters of content to return'),
  }),
  aliases: { max_chars: 'maxChars' },
  hasOwnResultCap: true,
  words: { title: 'Fetch page', done: 'Fetched', icon: 'globe', about: ['url'] },
  manual: {
    example: { url: 'https://example.org/news', maxChars: 20_000 },
    limits: [
      'Returns 50,000 characters of content unless maxChars says otherwise.',
      '30 seconds for the whole exchange, 5 redirects, 2,000,000 bytes.',
      'HTML, JSON and other text only; what comes without a type, or with a wrong one, is judged by its first bytes.',
    ],
  },
  async assess({ url, maxChars }, context) {
    const { access, plan } = await planRequest({ url, headers: browserHeaders }, context);
    return { access, plan: { ...plan, limit: Math.trunc(maxChars) } };
  },
  async execute({ request, authorized, limit }, context) {
    const { url } = request;
    const onHead: HttpRequest['onHead'] = ({ url: from, status, headers }) => {
      if (!isSuccess(status)) throw new ToolFailure(`Error: HTTP ${status} fetching ${url}`);
      const mediaType = mediaTypeOf(headers['content-type']);
      if (kindOf(mediaType) !== 'other') return;
      // The error repeats text from the site, which can be anything.
      context.mark({ kind: 'untrusted', source: new URL(from).origin });
      throw unsupported(mediaType, '');
    };
    const response = await sendRequest({ request: { ...request, onHead }, authorized }, context);
    const mediaType = mediaTypeOf(response.headers['content-type']);
    const { kind, mediaType: found } = judgedContent(mediaType, response.body);
    markAnswer(response, context);
    if (kind === 'other') throw unsupported(found === '' ? mediaType : found, mediaType);
    const { title, text, links, encoding } = await contentOf(response, kind, context.signal);
    context.links(links, url);
    context.card({
      kind: 'page',
      url: response.url,
      status: response.status,
      contentType: mediaType,
      ...(title === '' ? {} : { title }),
      size: response.body.length,
      ...(encoding === 'utf-8' ? {} : { encoding }),
    });
    const isCut = text.length > limit;
    const all = grouped(text.length);
    return [
      `URL: ${url}`,
      ...(response.isRedirected ? [`Final URL: ${response.url}`] : []),
      `Status: ${response.status}`,
      `Content-Type: ${mediaType}`,
      ...(title === '' ? [] : [`Title: ${title}`]),
      `Length: ${isCut ? `${grouped(limit)} chars (truncated from ${all})` : `${all} chars`}`,
      '',
      '--- Content ---',
      '',
      isCut ? `${firstCharacters(text, limit)}\n\n[Content truncated at ${grouped(limit)} characters]` : text,
    ].join('\n');
  },
});

/** `stated` is what the server said, if that is something else. */
function unsupported(mediaType: string, stated: string): ToolFailure {
  const type = mediaType === '' ? 'unknown' : mediaType;
  const label = stated === '' || stated === type ? '' : ` (sent as ${stated})`;
  return new ToolFailure(
    `Error: Unsupported content type: ${type}${label}. Only text is read here. Save it with a command such as curl -O, or ask the user to download it and attach it to a message`,
  );
}

async function contentOf(
  { url, headers, body }: HttpResponse,
  kind: Exclude<ContentKind, 'other'>,
  signal: AbortSignal,
): Promise<ReadablePage & { readonly encoding: string }> {
  const contentType = headers['content-type'];
  const mediaType = mediaTypeOf(contentType);
  const decoded = await decodeBody(body, contentType, kind === 'html' || mediaType.endsWith('xml'));
  const { text } = decoded;
  const encoding = decoded.encoding.name;
  if (kind === 'json') return { title: '', text: await indentedJson(text), links: [], encoding };
  if (kind === 'text') return { title: '', text, links: [], encoding };
  const html = mediaType === 'application/xhtml+xml' ? withClosedElements(text) : text;
  const page = await readPage({ html, baseUrl: url }, signal);
  return { ...page, title: firstCharacters(page.title, MAX_TITLE_CHARS), encoding };
}

/** Invalid JSON is shown unchanged. */
async function indentedJson(text: string): Promise<string> {
  try {
    const { readJson } = await import('../json/json-document.ts');
    const { value, pretty } = await readJson(text);
    return pretty(value);
  } catch {
    // Invalid, or nested so deeply that indenting it would multiply its length.
    return text;
  }
}
