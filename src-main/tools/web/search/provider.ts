import type { ToolContext } from '../../contract.ts';

export interface SearchResult {
  /** One line, never empty. */
  readonly title: string;
  /** http or https. */
  readonly url: string;
  /** One line; empty: there is none. */
  readonly description: string;
}

/** Who answers web_search. Source: tool catalogue B.3. */
export interface SearchProvider {
  /** For people. */
  readonly providerName: string;
  /** What `search` asks. */
  url(query: string, count: number): string;
  /**
   * At most `count` results, best first. Rejects with `HttpFailure` where the exchange failed, with an `Error` where the
   * provider refused or was not understood; the messages are for people.
   */
  search(query: string, count: number): Promise<readonly SearchResult[]>;
}

export type SearchContext = Pick<ToolContext, 'http' | 'vendors' | 'signal' | 'authorized' | 'allowAccess'>;

export const UNTITLED = '(no title)';

/** Only these can be fetched, and shown as links. */
export function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/** Throws an `Error` that says who sent it if it is not JSON. */
export function parsedJson(body: Buffer, sender: string): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new Error(`${sender} answered with something that is not JSON`, { cause: error });
  }
}
