import type { ToolIcon } from '../../../src-preload/contract/tool-words.ts';

/**
 * The words for a tool in texts for people. Only built-in tools have them: a server's words would look as if they were
 * ours.
 */
export interface ToolWords<Parameter extends string = string> {
  /** What a call does: `Read file`. */
  readonly title: string;
  /** What it did, once it has: `Read`. */
  readonly done: string;
  /** The question about a call, if its accesses don't already say it: `Stop a command?`. */
  readonly asked?: string;
  /** What an empty result means, as the end of a sentence: `the file is empty.`. */
  readonly nothing?: string;
  readonly icon: ToolIcon;
  /** Parameters that identify the call's subject, in this order. */
  readonly about: readonly Parameter[];
  /** `about` is a command as typed, and the call's output belongs in a terminal. */
  readonly isCommand?: true;
}
