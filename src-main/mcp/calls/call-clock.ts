import { isRecord, ownValue } from '../../base/json.ts';

/** The SDK's time limit for a call. Source: tool catalogue C.4. */
export const CALL_TIMEOUT_SECONDS = 60;
/** Extra time for a tool that has its own limit. */
const LONGER_THAN_ITS_OWN_SECONDS = 30;
const MAX_SECONDS = 86_400;
const NAME = 'timeout_seconds';

export interface TimedCall {
  readonly input: Readonly<Record<string, unknown>>;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The limit for calls of this server. */
  readonly configured: number;
}

/**
 * Seconds a call may take without progress. A `timeout_seconds` argument raises the server's limit; where none is
 * given, the tool takes the default of its schema, which is not sent.
 */
export function callTimeoutSeconds({ input, inputSchema, configured }: TimedCall): number {
  const own = Object.hasOwn(input, NAME) ? ownValue(input, NAME) : defaultIn(inputSchema);
  if (typeof own !== 'number' || !Number.isFinite(own)) return configured;
  return Math.min(Math.max(configured, own + LONGER_THAN_ITS_OWN_SECONDS), MAX_SECONDS);
}

function defaultIn({ properties }: TimedCall['inputSchema']): unknown {
  const declared = isRecord(properties) ? ownValue(properties, NAME) : undefined;
  return isRecord(declared) ? declared.default : undefined;
}

/** The time limit of one call. Progress restarts it; it is paused while the user is being asked something. */
export class CallClock {
  readonly #limitMs: number;
  readonly #runOut = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #leftMs: number;
  #startedAt = 0;
  #pauses = 0;
  #isOver = false;

  constructor(limitSeconds: number) {
    this.#limitMs = limitSeconds * 1_000;
    this.#leftMs = this.#limitMs;
    this.#start();
  }

  /** Aborted when the time has run out. */
  get signal(): AbortSignal {
    return this.#runOut.signal;
  }

  /** Starts the limit again after progress. */
  beginAnew(): void {
    this.#leftMs = this.#limitMs;
    if (this.#pauses === 0) this.#start();
  }

  /** Paused until the returned function is called; pauses may overlap. */
  pause(): () => void {
    if (this.#pauses++ === 0) {
      clearTimeout(this.#timer);
      this.#leftMs -= performance.now() - this.#startedAt;
    }
    let isHeld = true;
    return () => {
      if (isHeld && --this.#pauses === 0) this.#start();
      isHeld = false;
    };
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #start(): void {
    clearTimeout(this.#timer);
    if (this.#isOver) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.#runOut.abort(), Math.max(0, this.#leftMs));
  }
}
