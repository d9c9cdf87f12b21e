import type { ConsentAnswer, ToolConsentRequest } from './consent.ts';

/** A call that is asked about, whatever it assessed. Nothing here rejects: what goes wrong is what becomes of the call. */
export interface OpenCall {
  /** Looks at what it would touch anew. */
  refresh(): Promise<void>;
  /** Decides, once for what it would touch. `undefined`: it is settled, and there is nothing to ask. */
  question(): Promise<ToolConsentRequest | undefined>;
  /** Settles it, or leaves it open because it would touch something else by now. */
  answered(request: ToolConsentRequest, answer: ConsentAnswer, signal: AbortSignal): Promise<void>;
  fail(error: unknown): void;
}

/** How a call of a message stands to the questions of the others. */
export interface BatchPlace {
  /** It is being looked at: it may ask. */
  start(): void;
  /** It waits for what an earlier call does. */
  hold(): void;
  /** It has asked, or has no question. */
  settle(): void;
  /** `likeness`: those that have the same may be asked about together; `null`: nothing is like it. */
  ask(call: OpenCall, likeness: string | null, ask: Ask): void;
}

type Ask = (calls: readonly OpenCall[]) => void;

interface Asking {
  readonly state: 'asking';
  readonly call: OpenCall;
  readonly likeness: string | null;
  readonly ask: Ask;
}

type Place = Asking | { readonly state: 'preparing' } | { readonly state: 'held' } | { readonly state: 'settled' };

/** Nobody ticks more on one card. */
const MOST_TOGETHER = 20;

/**
 * The calls of one message, as far as their questions go: they are asked in call order, and like ones that follow on each other
 * together. A question waits until it is known whether the call after it joins in.
 */
export class CallBatch {
  readonly #places: Place[];

  /** The first `startingAtOnce` calls start now, the others when they say so. */
  constructor(size: number, startingAtOnce: number) {
    this.#places = Array.from({ length: size }, (_, index) => ({
      state: index < startingAtOnce ? 'preparing' : 'held',
    }));
  }

  place(index: number): BatchPlace {
    const set = (place: Place) => {
      this.#places[index] = place;
      this.#askNext();
    };
    return {
      start: () => set({ state: 'preparing' }),
      hold: () => set({ state: 'held' }),
      settle: () => set({ state: 'settled' }),
      ask: (call, likeness, ask) => set({ state: 'asking', call, likeness, ask }),
    };
  }

  #askNext(): void {
    let together: Asking[] = [];
    for (const place of this.#places) {
      if (place.state === 'settled') continue;
      if (place.state === 'preparing') {
        // It may join in, unless nothing can.
        if (together[0]?.likeness === null) this.#ask(together);
        return;
      }
      if (place.state === 'held') break;
      if (!joins(place, together)) {
        this.#ask(together);
        together = [];
      }
      together.push(place);
    }
    this.#ask(together);
  }

  #ask(together: readonly Asking[]): void {
    for (const place of together) this.#places[this.#places.indexOf(place)] = { state: 'settled' };
    together[0]?.ask(together.map(({ call }) => call));
  }
}

function joins({ likeness }: Asking, together: readonly Asking[]): boolean {
  return likeness !== null && likeness === together[0]?.likeness && together.length < MOST_TOGETHER;
}
