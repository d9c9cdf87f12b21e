import { isRecord } from '../../../base/json.ts';
import { isSuccess } from '../../../network/http.ts';
import { joinBaseUrl } from '../../../settings/endpoints.ts';
import type { Vendors } from '../../contract.ts';
import { collapsed } from '../page/html-document.ts';
import { parsedJson, type SearchProvider, type SearchResult, UNTITLED, webAddress } from './provider.ts';

const NAME = 'SearXNG';

/** Source: tool catalogue B.3; docs.searxng.org, "Search API". It has no parameter for the number of results. */
export function searxngSearch(vendors: Vendors): SearchProvider {
  return {
    providerName: NAME,
    url: (query) =>
      joinBaseUrl(vendors.baseUrlOf('searxng'), `/search?${new URLSearchParams({ q: query, format: 'json' })}`),
    async search(url, count, send) {
      const { status, body } = await send({ url, headers: { Accept: 'application/json' } });
      if (status === 403) {
        throw new Error(
          `HTTP 403 from ${NAME}. Its JSON answers are probably switched off: add "json" to search.formats in its settings.yml`,
        );
      }
      if (!isSuccess(status)) throw new Error(`HTTP ${status} from ${NAME}`);
      const answer = parsedJson(body, NAME);
      const rows = isRecord(answer) && Array.isArray(answer.results) ? answer.results : [];
      const results = rows.flatMap(resultsOf).slice(0, count);
      const silent = results.length === 0 && isRecord(answer) ? silentEngines(answer.unresponsive_engines) : '';
      if (silent !== '') throw new Error(`${NAME} got no answer from its search engines: ${silent}`);
      return results;
    },
  };
}

/** Titles and contents are plain text here. */
function resultsOf(row: unknown): SearchResult[] {
  const url = isRecord(row) ? webAddress(row.url) : undefined;
  if (!isRecord(row) || url === undefined) return [];
  const text = (value: unknown) => (typeof value === 'string' ? collapsed(value) : '');
  return [{ title: text(row.title) || UNTITLED, url, description: text(row.content) }];
}

/** Reads `[["google", "CAPTCHA"], …]`: no results because no engine answered is not the same as no matches. */
function silentEngines(engines: unknown): string {
  if (!Array.isArray(engines)) return '';
  return engines
    .flatMap((engine) => (Array.isArray(engine) ? [`${engine[0]} (${engine.slice(1).join(', ')})`] : []))
    .join('; ');
}
