import type { UsageLimits } from '../../processes/usage-limits.ts';

/**
 * What all commands that run without a question may use. Reading needs far less: the programs that read work through a
 * file piece by piece, and sort writes to temporary files what it can't hold.
 */
export const UNASKED_LIMITS: UsageLimits = {
  memoryBytes: 2 ** 30,
  temporaryBytes: 2 * 2 ** 30,
  timeMs: 10 * 60_000,
};

/** The limits in the documentation of the tools that have them. */
export const UNASKED_LIMITS_TEXT =
  'Without a question: 1 GB of memory and 2 GB of temporary files for all such commands together, ten minutes each.';
