import type { OutgoingMail } from './outgoing-mail.ts';

/** The call that sends a mail. */
export interface SendingCall {
  readonly conversationId: string;
  readonly callId: string;
  /** Aborted on Stop; a mail that still waits is then not sent. */
  readonly signal: AbortSignal;
}

/** Mail that waits a moment before it is sent, so that the user can undo it. */
export interface Outbox {
  /** How long a mail waits, in seconds. With 0 it doesn't wait. */
  readonly waitSeconds: number;
  /**
   * Takes exactly the mail that the user approved. Resolves with Gmail's id once it has been sent. Rejects with
   * `MailNotSent`, or with `SignInFailure`.
   */
  send(mail: OutgoingMail, call: SendingCall): Promise<string>;
}
