/** Who hears of something, and is called with `Told`. */
export class Listeners<Told extends readonly unknown[] = []> {
  readonly #listeners = new Set<(...told: Told) => void>();

  get count(): number {
    return this.#listeners.size;
  }

  /** Returns a function that unsubscribes. */
  add(listener: (...told: Told) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** One that is added or removed meanwhile changes nothing for the others. */
  tell(...told: Told): void {
    for (const listener of [...this.#listeners]) listener(...told);
  }

  clear(): void {
    this.#listeners.clear();
  }
}
