import type { ModelLists } from '../../../src-preload/contract/providers.ts';
import { sentenceOf } from '../bridge.ts';
import { BridgeStore } from '../bridge-store.svelte.ts';

/** Services change their models rarely. */
const FRESH_FOR_MS = 24 * 3_600_000;
/** Nothing to fetch: it is not a service. */
const GUIDE = 'guide';

/**
 * The models of all providers as main knows them. Lists that are missing or old are fetched once a session, when
 * someone looks.
 */
export class ModelListsStore extends BridgeStore {
  lists = $state.raw<ModelLists | null>(null);
  /** Providers whose services are being asked. */
  fetching = $state.raw<ReadonlySet<string>>(new Set());
  readonly #tried = new Set<string>();

  async load(): Promise<void> {
    await this.attempted(async () => {
      this.lists = await this.bridge.request('providers.models', {});
    });
  }

  /** Shows what is known, then fetches what is missing or old. */
  async look(): Promise<void> {
    await this.load();
    const stale = this.lists?.groups.filter(
      ({ provider, listedAt, isTyped }) =>
        provider !== GUIDE &&
        isTyped !== true &&
        !this.#tried.has(provider) &&
        (listedAt === null || Date.now() - Date.parse(listedAt) > FRESH_FOR_MS),
    );
    await this.refresh(stale?.map(({ provider }) => provider) ?? []);
  }

  /** Refreshes all providers if none are given. */
  async refresh(providers?: readonly string[]): Promise<void> {
    const wanted =
      providers ??
      this.lists?.groups
        .filter(({ provider, isTyped }) => provider !== GUIDE && isTyped !== true)
        .map(({ provider }) => provider) ??
      [];
    await Promise.all(wanted.map((provider) => this.#fetch(provider)));
  }

  async #fetch(name: string): Promise<void> {
    this.#tried.add(name);
    this.fetching = new Set([...this.fetching, name]);
    try {
      this.lists = await this.bridge.request('providers.refreshModels', { name });
    } catch (error) {
      this.failure = sentenceOf(error);
    } finally {
      this.fetching = new Set([...this.fetching].filter((each) => each !== name));
    }
  }
}
