import type { HttpResponse } from '../../network/http.ts';

/** An account's access token for the requests of one call, which share it. */
export class AccountToken {
  readonly #request: (rejected?: string) => Promise<string>;
  #token: Promise<string> | undefined;

  /** `rejected` is the token that Google has just rejected. */
  constructor(request: (rejected?: string) => Promise<string>) {
    this.#request = request;
  }

  /**
   * Runs `exchange` with the token, and once again with another one if Google rejects the first. Rejects with what
   * `exchange` or the request for a token rejects with.
   */
  async use(exchange: (token: string) => Promise<HttpResponse>): Promise<HttpResponse> {
    const used = this.#current();
    const token = await used;
    const answer = await exchange(token);
    if (answer.status !== 401) return answer;
    // If several requests run at the same time, the first one renews it.
    if (this.#token === used) this.#token = this.#request(token);
    return exchange(await this.#current());
  }

  #current(): Promise<string> {
    this.#token ??= this.#request();
    return this.#token;
  }
}
