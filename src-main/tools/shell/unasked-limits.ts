import { totalmem } from 'node:os';
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

/**
 * Limits that no build reaches and a runaway program does. All commands in the read-only sandbox share them. Each has a
 * temporary folder of its own inside, with a limit of its own.
 */
export const SANDBOX_LIMITS: UsageLimits = {
  memoryBytes: Math.floor(totalmem() / 2),
  temporaryBytes: 2 * 2 ** 30,
  timeMs: 60 * 60_000,
  processes: 2_000,
};

/** The limits in the documentation of the tools that have them. */
export const UNASKED_LIMITS_TEXT =
  'Without a question: 1 GB of memory and 2 GB of temporary files for all such commands together, ten minutes each.';

/** The same for commands in the read-only sandbox. */
export const SANDBOX_LIMITS_TEXT =
  'In the read-only sandbox: half of the memory of the computer and 2,000 processes for all such commands together, 512 MB of temporary files and an hour for each.';
