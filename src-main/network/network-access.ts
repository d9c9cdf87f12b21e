/** One request, as it is put to whoever decides on it. */
export interface NetworkAccess {
  /** By how the host is written, until it is looked up; that happens when it was allowed. */
  readonly class: 'network' | 'network-private';
  readonly url: string;
  /** Lower-case host name or address, without port. */
  readonly host: string;
  readonly method: string;
  /** The host, or an address that it resolves to, hands out a cloud machine's credentials: no rule may lead there. */
  readonly isMetadata?: true;
  /** What the model wrote besides the URL: it can hold anything. */
  readonly carries?: 'headers' | 'body';
  /** `search`: a service of a fixed address is asked in the model's words. `account`: the person's own, whose queries nobody else sees. */
  readonly service?: 'search' | 'account';
  /** The page that was asked for, where the settings put its site at the origin of `url` (`endpoints.linkedin`). */
  readonly standsFor?: string;
  /** Only while a call runs: the address that was decided on turned out to be private, or an answer led on to this one. */
  readonly cameUp?: 'lookup' | 'redirect';
}
