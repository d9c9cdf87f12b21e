import type { Mark } from '../../../src-preload/contract/events.ts';

/** A closed group that a call opens. */
export interface GroupOpening {
  /** Returns what the call of the group's container would have returned. */
  open(): string;
  /** Marks of that text. */
  readonly marks: readonly Mark[];
}
