import type { Element } from 'domhandler';
import { isSuccess } from '../../../network/http.ts';
import { joinBaseUrl } from '../../../settings/endpoints.ts';
import type { Vendors } from '../../contract.ts';
import { browserHeaders } from '../http-calls.ts';
import { decodePage } from '../page/charset.ts';
import { type HtmlDocument, parseHtml } from '../page/html-document.ts';
import { type SearchProvider, type SearchResult, webAddress } from './provider.ts';

const NAME = 'DuckDuckGo';
/** The page that asks whether a user is searching. It comes with status 200 or 202. */
const CHALLENGE = '#challenge-form, [class^="anomaly-modal"], form[action*="/anomaly.js"]';
/** Many more than a real page has; limits the time that a malicious page can take. */
const MAX_BLOCKS = 200;
const NOTHING_FOUND = '.no-results, .result--no-result';

/**
 * Reads the page for browsers without scripts, because DuckDuckGo has no interface for programs. It has one page, about
 * ten results. Source: tool catalogue B.3.
 */
export function duckDuckGoSearch(vendors: Vendors): SearchProvider {
  return {
    providerName: NAME,
    // The page's own form is a POST, which would count as sending (see effectiveClass); a GET is answered the same.
    url: (query) => joinBaseUrl(vendors.baseUrlOf('duckduckgo'), `/html/?${new URLSearchParams({ q: query })}`),
    async search(url, count, send) {
      const response = await send({ url, headers: browserHeaders });
      if (!isSuccess(response.status)) throw new Error(`HTTP ${response.status} from ${NAME}`);
      const page = await parseHtml((await decodePage(response)).text);
      const blocks = page.all('.result:not(.result--ad)').slice(0, MAX_BLOCKS);
      const results = blocks.flatMap((block) => resultsOf(block, page, response.url));
      if (results.length > 0) return results.slice(0, count);
      // Checked only if nothing was found: a page of results may well mention such things.
      const isChallenge =
        page.all(CHALLENGE).length > 0 || (response.status === 202 && page.all(NOTHING_FOUND).length === 0);
      if (!isChallenge) return [];
      throw new Error(
        `${NAME} asks for proof that a person is searching and returned no results. Wait a few minutes, or choose another provider (tools.webSearchProvider: brave or searxng)`,
      );
    },
  };
}

function resultsOf(block: Element, page: HtmlDocument, pageUrl: string): SearchResult[] {
  const [link] = page.all('a.result__a', block);
  const title = link === undefined ? '' : page.text(link);
  const url = destinationOf(link?.attribs.href, pageUrl);
  if (title === '' || url === undefined) return [];
  return [{ title, url, description: page.firstText(['.result__snippet'], block) ?? '' }];
}

/** Links are either direct or go through `/l/?uddg=…`; those through `/y.js` are advertisements. */
function destinationOf(href: string | undefined, pageUrl: string): string | undefined {
  if (href === undefined || !URL.canParse(href, pageUrl)) return undefined;
  const link = new URL(href, pageUrl);
  const isOwn = /(?:^|\.)duckduckgo\.com$/.test(link.hostname) || link.origin === new URL(pageUrl).origin;
  if (isOwn && link.pathname === '/y.js') return undefined;
  const destination = isOwn && link.pathname === '/l/' ? link.searchParams.get('uddg') : link.href;
  return webAddress(destination);
}
