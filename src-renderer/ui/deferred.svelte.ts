/** What the page fetches when it has nothing else to do, so that it is there when it is needed. */
const waiting: (() => Promise<void>)[] = [];

/**
 * A component that the first paint doesn't need. Once its code is there, it is drawn at once: `{#await import(…)}` would
 * leave its place empty for a frame each time.
 */
export class Deferred<Drawn> {
  #component = $state.raw<Drawn>();
  readonly #load: () => Promise<{ readonly default: Drawn }>;
  #fetched: Promise<void> | undefined;

  constructor(load: () => Promise<{ readonly default: Drawn }>) {
    this.#load = load;
    waiting.push(() => this.fetch());
  }

  /** `undefined` until its code is there, which asking for it fetches. */
  get component(): Drawn | undefined {
    void this.fetch();
    return this.#component;
  }

  fetch(): Promise<void> {
    this.#fetched ??= this.#load().then((module) => {
      this.#component = module.default;
    });
    return this.#fetched;
  }
}

/** One after the other, each when the page is idle. */
export function fetchWhileIdle(): void {
  requestIdleCallback(async () => {
    const fetch = waiting.shift();
    if (fetch === undefined) return;
    await fetch();
    fetchWhileIdle();
  });
}
