/** One request, as it is put to whoever decides on it. */
export interface NetworkAccess {
  readonly class: 'network' | 'network-private';
  readonly url: string;
  /** Lower-case host name or address, without port. */
  readonly host: string;
  readonly method: string;
  /** An address that the host resolves to hands out a cloud machine's credentials: no rule may lead there. */
  readonly isMetadata?: true;
}
