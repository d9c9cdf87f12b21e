import { isRecord } from '../../../base/json.ts';
import { isSuccess } from '../../../network/http.ts';
import { joinBaseUrl } from '../../../settings/endpoints.ts';
import type { Vendors } from '../../contract.ts';
import { collapsed, decodeEntities } from '../page/html-document.ts';
import { parsedJson, type SearchProvider, type SearchResult, UNTITLED, webAddress } from './provider.ts';

const NAME = 'Brave Search API';

/** Source: tool catalogue B.3; Brave's reference of `GET /res/v1/web/search`. */
export function braveSearch(vendors: Vendors): SearchProvider {
  return {
    providerName: 'Brave',
    url: (query, count) =>
      joinBaseUrl(
        vendors.baseUrlOf('brave'),
        `/res/v1/web/search?${new URLSearchParams({ q: query, count: `${count}` })}`,
      ),
    async search(url, count, send) {
      const key = await vendors.keyOf('brave-api-key');
      if (key === undefined) throw new Error('no Brave Search key is set. Add it in Settings, or set BRAVE_API_KEY');
      const headers = { Accept: 'application/json', 'X-Subscription-Token': key };
      // The key is sent only to the configured address.
      const { status, body } = await send({ url, headers, maxRedirects: 0 });
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

/** Matches are marked with `<strong>`; everything else is text with entities. */
async function plainText(value: unknown): Promise<string> {
  if (typeof value !== 'string') return '';
  return collapsed(await decodeEntities(value.replace(/<\/?strong\b[^>]*>/gi, '')));
}
