import type { LookupAddress } from 'node:dns';
import type { Pool } from 'undici';
import type { Destination } from './destination.ts';

const MAX_POOLS = 32;

/**
 * Connections, each only to addresses that were classified for the request that uses it. They are pooled by origin and
 * set of addresses, so that a name that suddenly resolves to another machine never gets a socket to it, nor reuses an
 * old one.
 */
export class Connections {
  readonly #pools = new Map<string, Pool>();

  async to({ url, addresses }: Destination): Promise<Pool> {
    const { Pool } = await loadUndici();
    const key = [url.origin, ...addresses.map(({ address }) => address).sort()].join(' ');
    const kept = this.#pools.get(key);
    // Re-inserted, so that the first in the map is the least recently used.
    this.#pools.delete(key);
    const pool =
      kept ??
      new Pool(url.origin, {
        // The exchange has its own time limit.
        headersTimeout: 0,
        bodyTimeout: 0,
        connect: { timeout: 30_000, lookup: fixedLookup(addresses) },
      });
    this.#pools.set(key, pool);
    const [oldest] = this.#pools;
    if (this.#pools.size > MAX_POOLS && oldest !== undefined) {
      this.#pools.delete(oldest[0]);
      // It waits for running requests; the caller need not.
      void oldest[1].close();
    }
    return pool;
  }

  /** Running requests end with an error. */
  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/** Stands in for a lookup by name. */
export function fixedLookup(addresses: readonly LookupAddress[]) {
  return (_hostname: string, { all = false }: { all?: boolean }, callback: LookupCallback): void => {
    const [first] = addresses;
    if (first === undefined) callback(new Error('There is no address to connect to'), []);
    else if (all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

async function loadUndici() {
  // If nothing has used `fetch` yet, importing undici would also install its agent for Node's `fetch`. Touching one of
  // Node's own classes makes Node set up its agent first.
  void globalThis.Response;
  return import('undici');
}
