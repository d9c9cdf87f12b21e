const nothing = () => undefined;

/**
 * Options of an SDK's client that all SDKs of this make take: it prints nothing, repeats nothing and never gives up; we
 * do.
 */
export const QUIET_CLIENT = {
  maxRetries: 0,
  // The guard of fetch detects silence; this timer would only cut off long waits before the first byte.
  timeout: 2 ** 31 - 1,
  logger: { error: nothing, warn: nothing, info: nothing, debug: nothing },
  logLevel: 'off',
} as const;
