export { EVENT_CHANNEL, REQUEST_CHANNEL } from './channels.ts';

import { type ConsentState, consent, type PendingQuestions } from './consent.ts';
import { conversations } from './conversations.ts';
import type { LiveEvent, LogEvent } from './events.ts';
import type { LeftRunning } from './left-running.ts';
import type { Surface } from './route.ts';
import { app, type Problem, settings } from './settings.ts';

/** Every request there is. The table is closed: what is not in it cannot be asked for. */
export const routes = { app: { conversations, settings, app }, consent: { consent } } as const satisfies Record<
  Surface,
  unknown
>;

/** Events from main. Trusted types, not parsed: they come from main only. */
export interface AppEvents {
  /** What happened in a turn within a frame, in order: committed events, and what is only worth seeing. */
  readonly turn: {
    readonly conversationId: string;
    readonly events: readonly (LogEvent | LiveEvent)[];
  };
  readonly conversationsChanged: Record<never, never>;
  readonly settingsChanged: Record<never, never>;
  /** All questions that wait for an answer, whenever something changed. */
  readonly questions: { readonly pending: readonly PendingQuestions[] };
  /** How much of the room above the composer the consent surface covers, in CSS pixels of the chat; 0: none. */
  readonly docked: { readonly height: number };
  /** All of it, whenever something changed. */
  readonly leftRunning: { readonly left: readonly LeftRunning[] };
  /** How many files were changed after text from outside was read and wait to be looked at. */
  readonly unreviewed: { readonly files: number };
  readonly notice: Problem;
  /** From the menu: `new`, `search`, `settings`, `stop`. */
  readonly command: { readonly name: 'new' | 'search' | 'settings' | 'stop' };
}

export interface ConsentEvents {
  readonly state: ConsentState;
}
