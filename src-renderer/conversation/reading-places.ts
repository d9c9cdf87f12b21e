/** The place that the reader of a conversation had reached. */
export interface ReadingPlace {
  /** The turn at the upper edge of the view. */
  readonly turnId: string;
  /** How far its beginning is above that edge, in px; negative: below it. */
  readonly above: number;
  /** The value of `ConversationStore.arrived` at that time. */
  readonly arrived: number;
}

const KEY = 'steward.reading-places';
/** Places are kept for this many conversations, those that were read last. */
const MAX_KEPT = 50;

/**
 * The places by conversation. A conversation that is not in here is read at its end. They are kept until the next start
 * by `save`.
 */
export class ReadingPlaces {
  readonly #places = new Map<string, ReadingPlace>();
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'> | undefined;

  constructor(storage?: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#storage = storage;
    // What arrived before the page was loaded has not arrived in it.
    for (const [id, place] of this.#stored()) this.#places.set(id, { ...place, arrived: 0 });
  }

  get(id: string): ReadingPlace | undefined {
    return this.#places.get(id);
  }

  set(id: string, place: ReadingPlace): void {
    this.#places.delete(id);
    this.#places.set(id, place);
  }

  delete(id: string): void {
    this.#places.delete(id);
  }

  /** Writing is too slow for every pixel that is scrolled. */
  save(): void {
    try {
      this.#storage?.setItem(KEY, JSON.stringify([...this.#places].slice(-MAX_KEPT)));
    } catch {
      // A full storage: then the next start begins at the end.
    }
  }

  #stored(): readonly (readonly [string, ReadingPlace])[] {
    try {
      const stored: unknown = JSON.parse(this.#storage?.getItem(KEY) ?? '[]');
      return Array.isArray(stored) ? stored.filter(isEntry) : [];
    } catch {
      // What another version left there is no reason not to start.
      return [];
    }
  }
}

function isEntry(entry: unknown): entry is readonly [string, ReadingPlace] {
  if (!Array.isArray(entry) || entry.length !== 2 || typeof entry[0] !== 'string') return false;
  const place: unknown = entry[1];
  return (
    typeof place === 'object' &&
    place !== null &&
    'turnId' in place &&
    typeof place.turnId === 'string' &&
    'above' in place &&
    typeof place.above === 'number'
  );
}
