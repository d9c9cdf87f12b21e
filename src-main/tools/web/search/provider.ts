import type { HttpRequest, HttpResponse } from '../../../network/http.ts';

export interface SearchResult {
  /** A title of one line, which is never empty. */
  readonly title: string;
  /** http or https. */
  readonly url: string;
  /** One line; empty if there is none. */
  readonly description: string;
}

/** A provider for web_search. Source: tool catalogue B.3. */
export interface SearchProvider {
  /** The name for people. */
  readonly providerName: string;
  /** The URL to request. */
  url(query: string, count: number): string;
  /**
   * At most `count` results from such a URL, the best first. Rejects with `HttpFailure` if the exchange failed, and
   * with an `Error` if the provider refused or sent something unexpected. The messages are for people.
   */
  search(url: string, count: number, send: Send): Promise<readonly SearchResult[]>;
}

/** Sends an allowed request. */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

export const UNTITLED = '(no title)';

/**
 * The address without the line breaks that URL parsers ignore, which would start new lines in a list of results.
 * Undefined if it is neither http nor https, so it can't be fetched or shown as a link.
 */
export function webAddress(written: unknown): string | undefined {
  if (typeof written !== 'string' || !URL.canParse(written)) return undefined;
  return /^https?:$/.test(new URL(written).protocol) ? written.replace(/[\t\n\r]+/g, '').trim() : undefined;
}

/** Throws an `Error` that names the sender if it is not JSON. */
export function parsedJson(body: Buffer, sender: string): unknown {
  try {
    // A byte order mark is removed, because JSON.parse rejects it.
    return JSON.parse(new TextDecoder().decode(body));
  } catch (error) {
    throw new Error(`${sender} did not answer with JSON`, { cause: error });
  }
}
