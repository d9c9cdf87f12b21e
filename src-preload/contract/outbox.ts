import { z } from 'zod';
import { request } from './route.ts';

/**
 * `waiting`: it can still be undone. `unsure`: a request to send it left, and it is not known whether Gmail sent it;
 * Steward asks the user.
 */
export type MailState = 'waiting' | 'sending' | 'sent' | 'not_sent' | 'unsure';

/**
 * Why a mail was not sent. `undone`: by the user while it waited. `stopped`: the call was, while the mail waited.
 * `refused`: Gmail did not accept it, or was not reached. `dropped`: the user decided against it when it was not known
 * whether it was sent.
 */
export type WhyNotSent = 'undone' | 'stopped' | 'refused' | 'dropped';

const mail = z.object({ mail: z.uuid() });

/**
 * Mail that the user approved and that waits before it is sent. `isDone`: false if it no longer waits in this process.
 */
export const outbox = {
  /** Needs no click: it only prevents something. */
  undo: request(mail).returns<{ readonly isDone: boolean }>(),
  /** Ends the wait. Needs a click, since the user may still want to undo it. */
  sendNow: request(mail).returns<{ readonly isDone: boolean }>(),
};
