import { type BrowserWindow, dialog } from 'electron';
import type { WhatRuns } from '../services/what-runs.ts';
import { type CloseAnswer, closeQuestion } from './close-question.ts';

export interface ClosePorts {
  readonly whatRuns: () => WhatRuns | undefined;
  /** The person chose to leave programs running after the app has ended. */
  readonly onLeave: () => void;
}

/**
 * Asks the person who closes the window while something is running. Does not ask when the system ends the app (a signal, the end of the session):
 * no one may be there to answer, and everything is stopped.
 */
export function askBeforeClosing(window: BrowserWindow, { whatRuns, onLeave }: ClosePorts): void {
  let isAsking = false;
  let isAnswered = false;
  window.on('close', (event) => {
    if (isAnswered) return;
    const runs = isAsking ? undefined : whatRuns();
    const question = runs && closeQuestion(runs);
    if (isAsking || question !== undefined) event.preventDefault();
    if (question === undefined) return;
    isAsking = true;
    const answers: readonly CloseAnswer[] = question.buttons.map(({ answer }) => answer);
    void dialog
      .showMessageBox(window, {
        type: 'question',
        message: question.message,
        detail: question.detail,
        buttons: question.buttons.map(({ label }) => label),
        defaultId: answers.indexOf('stop'),
        cancelId: answers.indexOf('cancel'),
        noLink: true,
      })
      .then(({ response }) => {
        isAsking = false;
        const answer = answers[response] ?? 'cancel';
        if (answer === 'cancel' || window.isDestroyed()) return;
        if (answer === 'leave') onLeave();
        isAnswered = true;
        window.close();
      });
  });
}
