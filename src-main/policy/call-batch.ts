import type { ConsentAnswer, ToolConsentRequest } from './consent.ts';

/** A call that may need a question. Its methods never reject: an error becomes the outcome of the call. */
export interface OpenCall {
  /** Assesses the effects of the call again. */
  refresh(): Promise<void>;
  /** Decides once for the current effects. Resolves with undefined if the call is settled and needs no question. */
  question(): Promise<ToolConsentRequest | undefined>;
  /** Settles the call, or leaves it open because its effects have changed. */
  answered(request: ToolConsentRequest, answer: ConsentAnswer, signal: AbortSignal): Promise<void>;
  fail(error: unknown): void;
}

/** The state of a call relative to the questions of the others. */
export interface BatchPlace {
  /** The call is being assessed and may need a question. */
  start(): void;
  /** The call is waiting for the effects of an earlier call. */
  hold(): void;
  /** The call has asked, or needs no question. */
  settle(): void;
  /** Calls with the same `likeness` may share a question. With null, the call is asked about separately. */
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

/** Nobody reads more calls than this on one card before ticking them. */
const MAX_TOGETHER = 20;

/**
 * The questions of one message's calls. They are asked in the order of the calls, and consecutive similar calls share
 * one. A question waits until it is known whether the next call joins it.
 */
export class CallBatch {
  readonly #places: Place[];

  /** The first `startingAtOnce` calls start immediately. The others start when they report it. */
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
        // The next call may still join this question, unless no call can.
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
  return likeness !== null && likeness === together[0]?.likeness && together.length < MAX_TOGETHER;
}
