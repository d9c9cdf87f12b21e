import type { ShownChange } from '../../src-preload/contract/conversations.ts';
import type { BegunCommand, CommandToBegin, CommandToEnd, EndedCommand, RecoveredCommand } from './commands.ts';
import type { LookResult } from './look.ts';
import type { KeptAmount, KeptLimits } from './retention.ts';
import type { ChangeAsked } from './undo/change-of.ts';
import type { ToolUndoAsked } from './undo/tool-undos.ts';
import type { CarryAsked, RedoAsked, UndoAsked, UndoCarried, UndoPlanned } from './undo/undo-work.ts';

/** What the worker is asked to do, and what comes of it. `profile`: the real path of the profile folder. */
export interface CheckpointJobs {
  readonly look: { readonly asked: { readonly roots: readonly string[] }; readonly answer: readonly LookResult[] };
  readonly begin: { readonly asked: CommandToBegin; readonly answer: BegunCommand };
  /** The command began without waiting for this. */
  readonly abandon: { readonly asked: { readonly nums: readonly number[] }; readonly answer: null };
  readonly end: { readonly asked: CommandToEnd; readonly answer: EndedCommand };
  readonly 'keep-longer': { readonly asked: { readonly nums: readonly number[] }; readonly answer: null };
  /** Null: it is no longer known. */
  readonly recover: { readonly asked: { readonly nums: readonly number[] }; readonly answer: RecoveredCommand | null };
  readonly 'plan-undo': { readonly asked: UndoAsked; readonly answer: UndoPlanned };
  readonly 'carry-out-undo': { readonly asked: UndoAsked & CarryAsked; readonly answer: UndoCarried };
  /** Null: there is nothing to redo. */
  readonly 'plan-redo': { readonly asked: RedoAsked; readonly answer: UndoPlanned | null };
  readonly 'carry-out-redo': { readonly asked: RedoAsked & CarryAsked; readonly answer: UndoCarried };
  readonly 'keep-for-redo': { readonly asked: ToolUndoAsked; readonly answer: number };
  readonly 'note-undone': { readonly asked: { readonly operation: number }; readonly answer: null };
  readonly 'change-of': { readonly asked: ChangeAsked; readonly answer: ShownChange };
  readonly kept: { readonly asked: object; readonly answer: KeptAmount };
  /** False: something needs it now. */
  readonly clear: { readonly asked: object; readonly answer: boolean };
}

export type JobKind = keyof CheckpointJobs;

export type CheckpointJob = {
  readonly [Kind in JobKind]: {
    readonly kind: Kind;
    readonly profile: string;
    readonly limits: KeptLimits;
  } & CheckpointJobs[Kind]['asked'];
}[JobKind];

export type CheckpointAnswer = CheckpointJobs[JobKind]['answer'];
