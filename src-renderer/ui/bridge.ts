import type { Envelope, RequestError } from '../../src-preload/contract/envelope.ts';
import type { AppEvents, ConsentEvents, routes } from '../../src-preload/contract/index.ts';
import type { Remedy } from '../../src-preload/contract/remedies.ts';
import type { InputOf, OutputOf, Surface } from '../../src-preload/contract/route.ts';

interface Events {
  readonly app: AppEvents;
  readonly consent: ConsentEvents;
}

type Groups<S extends Surface> = (typeof routes)[S];
/** The routes that this surface's page may request, such as `settings.get` or `consent.answer`. */
export type RouteName<S extends Surface> = {
  [G in keyof Groups<S> & string]: `${G}.${keyof Groups<S>[G] & string}`;
}[keyof Groups<S> & string];
type RouteAt<S extends Surface, N extends string> = N extends `${infer G}.${infer R}`
  ? G extends keyof Groups<S>
    ? R extends keyof Groups<S>[G]
      ? Groups<S>[G][R]
      : never
    : never
  : never;
export type RouteInput<S extends Surface, N extends string> = InputOf<RouteAt<S, N>>;
export type RouteOutput<S extends Surface, N extends string> = OutputOf<RouteAt<S, N>>;

/** Main refused or failed. `message` is a sentence for people. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
  readonly code: string;
  /** What the user can do to fix it. */
  readonly remedies: readonly Remedy[];

  constructor({ code, message, remedies = [] }: RequestError) {
    super(message);
    this.code = code;
    this.remedies = remedies;
  }
}

/** What a page can do with main. */
export interface Bridge<S extends Surface = 'app'> {
  /** Rejects with `RequestFailed`. */
  request<N extends RouteName<S>>(route: N, input: RouteInput<S, N>): Promise<RouteOutput<S, N>>;
  /** The returned function unsubscribes. */
  on<E extends keyof Events[S] & string>(name: E, listener: (data: Events[S][E]) => void): () => void;
}

/** What the preload exposes to the page: untyped, because it does not know the routes. */
export interface PreloadBridge {
  request(route: string, input: unknown): Promise<Envelope<unknown>>;
  on(name: string, listener: (data: unknown) => void): () => void;
}

/** Answers and events come only from main, so their types are trusted. */
export function bridgeOver<S extends Surface>(preload: PreloadBridge): Bridge<S> {
  return {
    async request(route, input) {
      const envelope = await preload.request(route, input);
      if (!envelope.ok) throw new RequestFailed(envelope.error);
      return envelope.data as never;
    },
    on: (name, listener) => preload.on(name, (data) => listener(data as never)),
  };
}

/** A sentence for people, for any thrown value. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
