import { isRecord } from '../../../base/json.ts';
import { isSuccess } from '../../../network/http-status.ts';
import { joinBaseUrl } from '../../../settings/endpoints.ts';
import { httpContext } from '../http-calls.ts';
import { collapsed, decodeEntities } from '../page/html-document.ts';
import {
  parsedJson,
  type SearchContext,
  type SearchProvider,
  type SearchResult,
  UNTITLED,
  webAddress,
} from './provider.ts';

const NAME = 'Brave Search API';

/** Source: tool catalogue B.3; Brave's reference of `GET /res/v1/web/search`. */
export function braveSearch(context: SearchContext): SearchProvider {
  const { http, vendors } = context;
  const url = (query: string, count: number) =>
    joinBaseUrl(
      vendors.baseUrlOf('brave'),
      `/res/v1/web/search?${new URLSearchParams({ q: query, count: `${count}` })}`,
    );
  return {
    providerName: 'Brave',
    url,
    async search(query, count) {
      const key = await vendors.keyOf('brave-api-key');
      if (key === undefined) throw new Error('no Brave Search key is set. Add it in Settings, or set BRAVE_API_KEY');
      const request = {
        url: url(query, count),
        headers: { Accept: 'application/json', 'X-Subscription-Token': key },
        // The key goes where the settings say and nowhere else.
        maxRedirects: 0,
      };
      const { status, body } = await http.request(request, httpContext(context));
      if (!isSuccess(status)) throw new Error(`HTTP ${status} from ${NAME}`);
      const rows = rowsOf(parsedJson(body, NAME));
      return (await Promise.all(rows.map(resultOf))).filter((result) => result !== undefined).slice(0, count);
    },
  };
}

function rowsOf(answer: unknown): readonly unknown[] {
  const web = isRecord(answer) ? answer.web : undefined;
  return isRecord(web) && Array.isArray(web.results) ? web.results : [];
}

async function resultOf(row: unknown): Promise<SearchResult | undefined> {
  const url = isRecord(row) ? webAddress(row.url) : undefined;
  if (!isRecord(row) || url === undefined) return undefined;
  const title = await plainText(row.title);
  return { title: title === '' ? UNTITLED : title, url, description: await plainText(row.description) };
}

/** What was searched for comes back in `<strong>`; everything else is text with entities. */
async function plainText(value: unknown): Promise<string> {
  if (typeof value !== 'string') return '';
  return collapsed(await decodeEntities(value.replace(/<\/?strong\b[^>]*>/gi, '')));
}
