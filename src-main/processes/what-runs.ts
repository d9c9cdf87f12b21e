/** What would be stopped when the window closes. */
export interface WhatRuns {
  /** Commands that the assistant is waiting for. They are always stopped with the window. */
  readonly commands: readonly string[];
  /** Programs that commands left running, and shells in the background. */
  readonly programs: readonly string[];
  readonly canBeLeft: boolean;
  /** Titles of the conversations that are being answered. */
  readonly answering: readonly string[];
  /** How many approved mails wait to be sent. */
  readonly mails: number;
  /** Number of open questions. */
  readonly questions: number;
}
