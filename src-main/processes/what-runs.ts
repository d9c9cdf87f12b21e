export interface AnsweredConversation {
  readonly id: string;
  readonly title: string;
}

/** What would be stopped when the window closes. */
export interface WhatRuns {
  /** Commands that the assistant is waiting for. They are always stopped with the window. */
  readonly commands: readonly string[];
  /** Programs that commands left running, and shells in the background. */
  readonly programs: readonly string[];
  readonly canBeLeft: boolean;
  /** The conversations that are being answered. */
  readonly answering: readonly AnsweredConversation[];
  /** The conversation of each approved mail that waits to be sent. */
  readonly mails: readonly string[];
  /** The number of open questions. */
  readonly questions: number;
}
