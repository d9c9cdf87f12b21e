/** One request, as presented to the policy. */
export interface NetworkAccess {
  readonly kind: 'request';
  /** Judged by the host as written, until it is looked up; that happens only once it was allowed. */
  readonly class: 'network' | 'network-private';
  readonly url: string;
  /** The host name in lower case, or the address, without port. */
  readonly host: string;
  readonly method: string;
  /** The host, or an address that it resolves to, serves a cloud machine's credentials: no rule may allow it. */
  readonly isMetadata?: true;
  /** The parts, apart from the URL, that the model wrote. They can contain anything. */
  readonly carries?: 'headers' | 'body';
  /**
   * `search` is a query in the model's words to a service with a fixed address. `account` is the user's own service,
   * whose queries no one else sees. `model` is a prompt, and what the model's tools return, to a provider that the user
   * configured.
   */
  readonly service?: 'search' | 'account' | 'model';
  /** The page that was requested, if the settings replace its site with the origin of `url` (`endpoints.linkedin`). */
  readonly standsFor?: string;
  /** The address appears in the arguments of an MCP server's tool. What the server does with it is unknown. */
  readonly isArgument?: true;
  /** Opened in the user's own browser, which is signed in to their accounts and may run the page. */
  readonly inBrowser?: true;
  /**
   * The access came up while a call runs, because an allowed address turned out to be private or a redirect led here.
   */
  readonly cameUp?: 'lookup' | 'redirect';
}
