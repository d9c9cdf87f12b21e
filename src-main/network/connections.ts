import type { LookupAddress } from 'node:dns';
import type { Pool } from 'undici';
import type { Destination } from './destination.ts';

const MAX_POOLS = 32;

/**
 * Connections, each to addresses that were classified for the very request that uses it: they are kept by origin and set of
 * addresses, so that a name which suddenly means another machine never gets a socket to it, nor one of before.
 */
export class Connections {
  readonly #pools = new Map<string, Pool>();

  async to({ url, addresses }: Destination): Promise<Pool> {
    const { Pool } = await loadUndici();
    const key = [url.origin, ...addresses.map(({ address }) => address).sort()].join(' ');
    const kept = this.#pools.get(key);
    // Taken out and put back: the first in the map is the one that was not used for longest.
    this.#pools.delete(key);
    const pool =
      kept ??
      new Pool(url.origin, {
        // What limits an exchange is its own clock.
        headersTimeout: 0,
        bodyTimeout: 0,
        connect: { timeout: 30_000, lookup: fixedLookup(addresses) },
      });
    this.#pools.set(key, pool);
    const [oldest] = this.#pools;
    if (this.#pools.size > MAX_POOLS && oldest !== undefined) {
      this.#pools.delete(oldest[0]);
      // Waits for what still runs on it; nobody has to wait for that.
      void oldest[1].close();
    }
    return pool;
  }

  /** Whatever still runs ends with an error. */
  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

function fixedLookup(addresses: readonly LookupAddress[]) {
  return (_hostname: string, { all = false }: { all?: boolean }, callback: LookupCallback): void => {
    const [first] = addresses;
    if (first === undefined) callback(new Error('There is no address to connect to'), []);
    else if (all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

async function loadUndici() {
  // Where nothing has used `fetch` yet, importing undici would put its own agent under Node's `fetch` too. A look at
  // one of its classes makes Node set up its own first.
  void globalThis.Response;
  return import('undici');
}
