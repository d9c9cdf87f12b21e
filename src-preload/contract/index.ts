export { EVENT_CHANNEL, REQUEST_CHANNEL } from './channels.ts';

import { accounts } from './accounts.ts';
import { type ConsentState, consent, type PendingQuestions } from './consent.ts';
import { conversations } from './conversations.ts';
import { credentials } from './credentials.ts';
import { desktopTools, type FilePreview, type ModelQuestion } from './desktop-tools.ts';
import type { LiveEvent, LogEvent } from './events.ts';
import type { LeftRunning } from './left-running.ts';
import { outbox } from './outbox.ts';
import { programs } from './programs.ts';
import { providers } from './providers.ts';
import type { Surface } from './route.ts';
import { type AttachedResource, content } from './server-content.ts';
import { type ServerLogEntry, serverDiagnostics } from './server-diagnostics.ts';
import type { DoctorStep } from './server-doctor.ts';
import { serverSignIn } from './server-sign-in.ts';
import { type ServerRow, servers } from './servers.ts';
import { app, type Problem, settings } from './settings.ts';
import { type UpdatesView, updates } from './updates.ts';
import { usage } from './usage.ts';

/** All requests. The table is closed: anything else is refused. */
export const routes = {
  app: {
    accounts,
    conversations,
    outbox,
    programs,
    providers,
    content,
    credentials,
    desktopTools,
    settings,
    servers,
    serverDiagnostics,
    serverSignIn,
    updates,
    usage,
    app,
  },
  consent: { consent },
} as const satisfies Record<Surface, unknown>;

/** Events from main. They have types but are not parsed, because only main sends them. */
export interface AppEvents {
  /** What happened in a turn within one frame, in order: committed events, and events that are only shown. */
  readonly turn: {
    readonly conversationId: string;
    readonly events: readonly (LogEvent | LiveEvent)[];
  };
  readonly conversationsChanged: Record<never, never>;
  readonly settingsChanged: Record<never, never>;
  /** A new version was found, is being downloaded, or the check was switched on or off. */
  readonly updates: UpdatesView;
  /** A program attached, left or was paired, or the socket for programs changed. */
  readonly programsChanged: Record<never, never>;
  /** A sign-in to Google made progress or ended, or an account was used. */
  readonly accountsChanged: Record<never, never>;
  /** A sign-in to an MCP server made progress or ended. */
  readonly serverSignInChanged: Record<never, never>;
  /** All open questions, sent whenever something changes. */
  readonly questions: { readonly pending: readonly PendingQuestions[] };
  /** How much of the space above the composer the consent surface covers, in CSS pixels of the chat; 0: none. */
  readonly docked: { readonly height: number };
  /** The complete list, sent whenever something changes. */
  readonly leftRunning: { readonly left: readonly LeftRunning[] };
  /** All MCP servers, sent whenever one of them changes; includes usage while the list is visible. */
  readonly servers: { readonly rows: readonly ServerRow[] };
  /** How many files were changed after text from outside was read and still need a review. */
  readonly unreviewed: { readonly files: number };
  /** The user chose this in a link's context menu. The page requests it as after a click. */
  readonly openLink: { readonly url: string };
  /** A resource in the composer was read, or has changed. */
  readonly resource: AttachedResource;
  /** New entries of the followed log. With `isNew`, the server was replaced, and these are all entries of its log. */
  readonly serverLog: {
    readonly server: string;
    readonly entries: readonly ServerLogEntry[];
    readonly isNew: boolean;
  };
  /** A step of the doctor's current examination. */
  readonly doctorStep: { readonly server: string; readonly step: DoctorStep };
  readonly notice: Problem;
  /** What models ask the user. The complete list, sent whenever something changes. */
  readonly modelQuestions: { readonly open: readonly ModelQuestion[] };
  /** A model shows a short message, or a file. The texts are untrusted. */
  readonly modelMessage: { readonly conversationId: string; readonly text: string };
  readonly filePreview: FilePreview;
  /** The user chose `new`, `search`, `settings` or `stop` in the menu. */
  readonly command: { readonly name: 'new' | 'search' | 'settings' | 'stop' | 'question' };
}

export interface ConsentEvents {
  readonly state: ConsentState;
}
