/** What would end with the window. */
export interface WhatRuns {
  /** Commands that the assistant waits for. They end with the window in any case. */
  readonly commands: readonly string[];
  /** Programs that commands started and that go on, and shells in the background. */
  readonly programs: readonly string[];
  readonly canBeLeft: boolean;
  /** Titles of the conversations that are being answered. */
  readonly answering: readonly string[];
  /** Questions that wait for the person. */
  readonly questions: number;
}
