import type { Envelope } from '../../../src-preload/contract/envelope.ts';
import type { StoredEvent } from '../../../src-preload/contract/events.ts';
import { routes } from '../../../src-preload/contract/index.ts';
import type { Surface } from '../../../src-preload/contract/route.ts';
import type { SurfacePlace } from '../../policy/consent-surface.ts';
import type { WhatRuns } from '../../processes/what-runs.ts';
import type { BackgroundPart, ProfilePart, Services } from '../../services.ts';
import { CONSENT_ENDED_TEXT } from '../consent/consent-queue.ts';
import { eraseOldRegularly } from '../conversations/trash.ts';
import { Turns } from '../conversations/turns.ts';
import { createRouter, type RouterRequest } from '../router.ts';
import { followServices, tellLeftRunning, tellUnreviewed } from './follow-services.ts';
import { notifyOfMassDeletion } from './mass-deletion-notice.ts';
import { Pages } from './pages.ts';
import { ShownConversation } from './shown-conversation.ts';
import { windowHandlers } from './window-handlers.ts';
import { WindowLog } from './window-log.ts';
import { WindowNotices } from './window-notices.ts';
import type { WindowAssistantOptions } from './window-options.ts';
import { type WindowParts, windowParts } from './window-parts.ts';
import { WindowQuestions } from './window-questions.ts';
import { WindowServices } from './window-services.ts';

/** The assistant behind a window, with everything but the window itself. */
export interface WindowAssistant {
  /** Answers requests that need no database immediately, and others once it is open. */
  readonly handleRequest: (request: RouterRequest) => Promise<Envelope<unknown>>;
  /** Rejects with the errors of `startServices`. */
  readonly ready: Promise<void>;
  /** Called with whether the chat's page is loaded. Otherwise it receives nothing. */
  appPage(isLoaded: boolean): void;
  consentLoading(): void;
  /** The bounds of the consent surface changed. */
  consentMoved(place: SurfacePlace): void;
  /** The user wants the question that they put off in the conversation on the screen. Returns whether there is one. */
  questionWanted(): boolean;
  /** The consent surface is gone. Its questions count as denied. */
  consentGone(): void;
  appearanceChanged(): void;
  /** What would be stopped with the window. Undefined if nothing can have been started yet. */
  whatRuns(): WhatRuns | undefined;
  /** Leave programs running when this is closed. */
  leaveRunning(): void;
  /** Waiting mail is not sent while the user is asked about it. The returned function ends that. */
  holdMail(): () => void;
  /** Sends waiting mail at once, or not at all; resolves when that is done. */
  endMailWait(sends: boolean): Promise<void>;
  /** Ends the MCP servers; resolves when none is left. `close` does it too. */
  serversEnded(): Promise<void>;
  close(): Promise<void>;
  /** The user chose not to close the window. */
  stays(): void;
  /**
   * Installs an update that the user restarts for. `obstacle` says why it can't be done now. Resolves with false if it
   * was not installed. It must be called last.
   */
  installUpdate(obstacle?: string): Promise<boolean>;
}

const ORIGINS: Readonly<Record<Surface, string>> = { app: 'steward://app', consent: 'steward://consent' };

export function startWindowAssistant(options: WindowAssistantOptions): WindowAssistant {
  const { desktop, signal, showConsent } = options;
  const pages = new Pages(options.send);
  const log = new WindowLog(options.log);
  const notices = new WindowNotices(pages, log);
  const titleOf = (id: string) => services.open?.storage.conversations.get(id)?.title ?? null;
  const questions = new WindowQuestions({
    desktop,
    pages,
    showConsent,
    titleOf,
  });
  const services: WindowServices = new WindowServices(options, {
    questions,
    notify: (problem) => notices.add(problem),
  });
  const shown = new ShownConversation(async (id) => {
    await parts.programs.current?.windowPrograms.shown(id).catch((error: unknown) => log.fault('a program', error));
  });
  const parts: WindowParts = windowParts({ options, services, pages, questions, shown, log });
  const turns = new Turns({
    send: (events) => pages.app('turn', events),
    onChange: () => pages.app('conversationsChanged', {}),
    onEvent: (event) =>
      void notifyOfMassDeletion(event, { desktop, titleOf }).catch((error: unknown) =>
        log.fault('a notification', error),
      ),
    prepare: async (conversationId) => (await parts.desktopTools.loaded).offerIn(conversationId),
    onEnd: () => void services.open?.storage.backups.makeDaily(),
    onFailure: async (error) => notices.add(await log.turnFailed(error)),
  });
  const ready = services.started.then((started) => {
    if (!signal.aborted) begin(started, { pages, turns, log, signal });
  });
  // Waiting requests are answered with the reason; the failure itself is reported by the caller that awaits `ready`.
  ready.catch(() => undefined);
  const handlers = windowHandlers({ options, services, pages, questions, shown, turns, parts });

  return {
    ready,
    handleRequest: createRouter({
      routes,
      origins: ORIGINS,
      onFault: (where, error) => log.fault(where, error),
      handlers,
    }),
    appPage: (isLoaded) => {
      pages.isAppLoaded = isLoaded;
      if (!isLoaded) {
        parts.logs.stop();
        // It reports what it shows when it has loaded again.
        questions.consent.composerShown(null);
        shown.pageLeft();
        parts.servers.current?.watched(false);
        return;
      }
      notices.sendAll();
      questions.tellApp();
      if (services.open !== undefined) {
        tellLeftRunning(services.open, pages);
        tellUnreviewed(services.open, pages);
      }
      parts.updates.current?.sendAgain();
    },
    consentLoading: () => questions.consent.surfaceLeft(),
    consentMoved: (place) => {
      // First, because updating the queue may move the surface again.
      pages.app('docked', { height: place.dockedHeight });
      questions.consent.surfaceMoved(place);
    },
    questionWanted: () => questions.consent.takeUpShown(),
    consentGone: () => {
      if (questions.consent.surfaceEnded()) notices.add({ code: 'consent_page_ended', message: CONSENT_ENDED_TEXT });
    },
    appearanceChanged: () => {
      pages.app('settingsChanged', {});
      questions.tellConsent();
    },
    whatRuns: () => services.open && whatRuns(services.open, turns.running, questions.count),
    leaveRunning: () => services.open?.leftRunning.leave(),
    holdMail: () => services.open?.outbox.hold() ?? (() => undefined),
    endMailWait: async (sends) => services.open?.outbox.endWait(sends),
    serversEnded: async () => services.open?.mcp.close(),
    close: async () => {
      parts.servers.current?.close();
      await parts.programs.current?.windowPrograms.close();
      // Mail is kept before the turns end, because their Stop would mean that it is not wanted.
      services.open?.outbox.keep();
      await turns.close();
      await services.close();
    },
    stays: () => parts.updates.current?.stays(),
    installUpdate: async (obstacle) => (await parts.updates.current?.install(obstacle)) ?? true,
  };
}

interface Begun {
  readonly pages: Pages;
  readonly turns: Turns;
  readonly log: WindowLog;
  readonly signal: AbortSignal;
}

/** What goes on as long as the services run, beside requests. */
function begin(services: Services, { pages, turns, log, signal }: Begun): void {
  log.redactAlso(() => services.secrets.redactionValues());
  followServices(services, { pages, turns, signal });
  eraseOldRegularly(services.storage, { signal, onFault: (error) => log.fault('the trash', error) });
  const tell = (event: StoredEvent) => turns.tell(event, services.registry);
  void services.recoverChanges(tell).catch((error: unknown) => {
    if (!signal.aborted) log.fault('what commands changed', error);
  });
  void services.outbox.recover(signal).catch((error: unknown) => log.fault('mail in the outbox', error));
  void services.refreshCredentials().then(
    () => pages.app('settingsChanged', {}),
    (error: unknown) => log.fault('credentials', error),
  );
}

/** What would be stopped with the window. `running` are the ids of the conversations that are being answered. */
function whatRuns(
  { leftRunning, outbox, storage }: BackgroundPart & ProfilePart,
  running: readonly string[],
  questions: number,
): WhatRuns {
  const programs = leftRunning.list().flatMap((each) => each.programs.map(({ command }) => command));
  const answering = running.map((id) => ({ id, title: storage.conversations.get(id)?.title ?? '' }));
  const { canBeLeft } = leftRunning;
  return { commands: leftRunning.commands(), programs, canBeLeft, answering, mails: outbox.waiting, questions };
}
