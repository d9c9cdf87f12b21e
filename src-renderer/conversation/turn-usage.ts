import type { EventOf, TokenUsage } from '../../src-preload/contract/events.ts';

/** What one request to a model took. */
export type RequestUsage = Omit<EventOf<'usage'>, 'type'>;

/** What several requests took together. */
export interface RequestsUsage extends TokenUsage {
  /** The US dollars of the requests whose cost is known. Absent if none is. */
  readonly costUsd?: number | undefined;
  /** The requests in the order in which they were made. */
  readonly requests: readonly RequestUsage[];
}

/** What one turn took, over all its requests, those of other models and servers included. */
export type TurnUsage = RequestsUsage;

const NOTHING: RequestsUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, requests: [] };

export function withRequest(before: TurnUsage | null, event: EventOf<'usage'>): TurnUsage {
  const { type: _, ...request } = event;
  return plus(before ?? NOTHING, request);
}

/**
 * Usage by the model and for whom it was asked: first the model that answers, then those that it asked, then those that
 * servers asked.
 */
export function usageByModel({ requests }: TurnUsage): readonly RequestsUsage[] {
  const groups = new Map<string, RequestsUsage>();
  for (const request of requests.toSorted((one, other) => rank(one) - rank(other))) {
    const key = JSON.stringify([rank(request), request.provider, request.model, request.server]);
    groups.set(key, plus(groups.get(key) ?? NOTHING, request));
  }
  return [...groups.values()];
}

function rank({ inside, server }: RequestUsage): number {
  if (inside !== undefined) return 1;
  return server === undefined ? 0 : 2;
}

function plus(before: RequestsUsage, request: RequestUsage): RequestsUsage {
  const known = [before.costUsd, request.costUsd].filter((cost) => cost !== undefined);
  return {
    input: before.input + request.input,
    output: before.output + request.output,
    cacheRead: before.cacheRead + request.cacheRead,
    cacheWrite: before.cacheWrite + request.cacheWrite,
    costUsd: known.length === 0 ? undefined : known.reduce((sum, cost) => sum + cost, 0),
    requests: [...before.requests, request],
  };
}

/** Everything that a model read, cached or not. */
export function inputOf({ input, cacheRead, cacheWrite }: TokenUsage): number {
  return input + cacheRead + cacheWrite;
}

/** How much of what a model read came from the cache: `80%`. */
export function cachedShare(usage: TokenUsage): string {
  const read = inputOf(usage);
  return read === 0 ? '0%' : `${Math.round((usage.cacheRead / read) * 100)}%`;
}
