import { z } from 'zod';
import { request } from './route.ts';

/**
 * A `waiting` mail can still be undone. For an `unsure` one, a request to send it left, but it is not known whether
 * Gmail sent it, so Steward asks the user.
 */
export type MailState = 'waiting' | 'sending' | 'sent' | 'not_sent' | 'unsure';

/**
 * Why a mail was not sent. The user had it `undone` while it waited, or `stopped` its call while it waited. Gmail
 * `refused` it or was not reached. The user had it `dropped` when it was not known whether it was sent.
 */
export type WhyNotSent = 'undone' | 'stopped' | 'refused' | 'dropped';

const mail = z.object({ mail: z.uuid() });

/**
 * Mail that the user approved and that waits before it is sent. `isDone` is false if it no longer waits in this
 * process.
 */
export const outbox = {
  /** Needs no click: it only prevents something. */
  undo: request(mail).returns<{ readonly isDone: boolean }>(),
  /** Ends the wait. Needs a click, since the user may still want to undo it. */
  sendNow: request(mail).returns<{ readonly isDone: boolean }>(),
};
