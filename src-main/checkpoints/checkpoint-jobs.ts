import type { BegunCommand, CommandToBegin, EndedCommand } from './commands.ts';
import type { LookResult } from './look.ts';

/** What the worker is asked to do, and what comes of it. `profile`: the real path of the profile folder. */
export interface CheckpointJobs {
  readonly look: { readonly asked: { readonly roots: readonly string[] }; readonly answer: readonly LookResult[] };
  readonly begin: { readonly asked: CommandToBegin; readonly answer: BegunCommand };
  /** The command began without waiting for this. */
  readonly abandon: { readonly asked: { readonly nums: readonly number[] }; readonly answer: null };
  readonly end: { readonly asked: { readonly nums: readonly number[] }; readonly answer: EndedCommand };
}

export type JobKind = keyof CheckpointJobs;

export type CheckpointJob = {
  readonly [Kind in JobKind]: { readonly kind: Kind; readonly profile: string } & CheckpointJobs[Kind]['asked'];
}[JobKind];

export type CheckpointAnswer = CheckpointJobs[JobKind]['answer'];
