import { setTimeout as wait } from 'node:timers/promises';
import { type BrowserWindow, dialog } from 'electron';
import type { WhatRuns } from '../processes/what-runs.ts';
import { type CloseAnswer, closeQuestion, questionAfterMail } from './close-question.ts';

export interface ClosePorts {
  readonly whatRuns: () => WhatRuns | undefined;
  /** The user chose to leave programs running after the app has ended. */
  readonly onLeave: () => void;
  /** Waiting mail stays where it is while the user is asked about it. The returned function ends that. */
  readonly holdMail: () => () => void;
  /** The user decided about waiting mail. Resolves when it is sent or dropped. */
  readonly onMail: (sends: boolean) => Promise<void>;
  /** The user chose to keep the window open. */
  readonly onStay: () => void;
}

/** Longer than Gmail usually takes. What is not sent by then is asked about at the next start. */
const MAIL_WITHIN_MS = 10_000;

/**
 * Asks the user who closes the window while something is running. Does not ask when the system ends the app (a signal,
 * the end of the session): no one may be there to answer, and everything is stopped.
 */
export function askBeforeClosing(
  window: BrowserWindow,
  { whatRuns, onLeave, holdMail, onMail, onStay }: ClosePorts,
): void {
  let isAsking = false;
  let isAnswered = false;
  window.on('close', (event) => {
    if (isAnswered) return;
    const runs = isAsking ? undefined : whatRuns();
    const question = runs && closeQuestion(runs);
    if (isAsking || question !== undefined) event.preventDefault();
    if (runs === undefined || question === undefined) return;
    isAsking = true;
    const letMailGoOn = holdMail();
    const answers: readonly CloseAnswer[] = question.buttons.map(({ answer }) => answer);
    void dialog
      .showMessageBox(window, {
        type: 'question',
        message: question.message,
        detail: question.detail,
        buttons: question.buttons.map(({ label }) => label),
        defaultId: Math.max(answers.indexOf('stop'), answers.indexOf('send')),
        cancelId: answers.indexOf('cancel'),
        noLink: true,
      })
      .then(async ({ response }) => {
        const answer = answers[response] ?? 'cancel';
        const isOfMail = answer === 'send' || answer === 'drop';
        const mailEnded = isOfMail ? onMail(answer === 'send') : undefined;
        letMailGoOn();
        if (mailEnded !== undefined) await Promise.race([mailEnded, wait(MAIL_WITHIN_MS)]);
        isAsking = false;
        if (answer === 'cancel') onStay();
        if (answer === 'cancel' || window.isDestroyed()) return;
        if (answer === 'leave') onLeave();
        const still = isOfMail ? whatRuns() : undefined;
        isAnswered = still === undefined || questionAfterMail(runs, still) === undefined;
        window.close();
      });
  });
}
