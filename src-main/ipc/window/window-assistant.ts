import type { Envelope } from '../../../src-preload/contract/envelope.ts';
import type { StoredEvent } from '../../../src-preload/contract/events.ts';
import { type AppEvents, type ConsentEvents, routes } from '../../../src-preload/contract/index.ts';
import type { Surface } from '../../../src-preload/contract/route.ts';
import type { Problem } from '../../../src-preload/contract/settings.ts';
import type { ShownQuestion, SurfacePlace } from '../../policy/consent-surface.ts';
import { MessageConsent } from '../../policy/message-consent.ts';
import { QuestionQueues } from '../../policy/question-queues.ts';
import type { StartUtility } from '../../processes/utility-process.ts';
import type { WhatRuns } from '../../processes/what-runs.ts';
import type { Services, UpdateProgram } from '../../services.ts';
import { appHandlers } from '../app.ts';
import { consentHandlers } from '../consent/consent.ts';
import { CONSENT_ENDED_TEXT, ConsentQueue } from '../consent/consent-queue.ts';
import { eraseOldRegularly } from '../conversations/trash.ts';
import { Turns } from '../conversations/turns.ts';
import type { Desktop } from '../desktop-port.ts';
import { ModelQuestions } from '../desktop-tools/model-questions.ts';
import { externalUrl } from '../external-url.ts';
import type { WindowPrograms } from '../programs/window-programs.ts';
import { createRouter, type RouterRequest } from '../router.ts';
import { LogFollower } from '../servers/log-follower.ts';
import type { ServerWatch } from '../servers/server-watch.ts';
import type { WindowUpdates } from '../updates.ts';
import { followServices } from './follow-services.ts';
import { type Late, lateHandlers } from './late-handlers.ts';
import { whatRuns } from './what-runs.ts';
import { type SessionLogPort, WindowLog } from './window-log.ts';
import { WindowNotices } from './window-notices.ts';
import { windowWorkspace } from './window-workspace.ts';

export interface WindowAssistantOptions {
  readonly profileDirectory: string;
  readonly launchDirectory: string;
  readonly workspace: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly desktop: Desktop;
  readonly log: SessionLogPort;
  /** Aborts when the app ends. */
  readonly signal: AbortSignal;
  readonly send: (surface: Surface, name: string, data: unknown) => void;
  /** A question may follow soon. */
  readonly prepareConsent: () => void;
  /** `null`: there is no question. */
  readonly showConsent: (shown: ShownQuestion | null) => void;
  /** The heights that the two surfaces report, each in its own CSS pixels. */
  readonly onComposerHeight: (height: number, room: number | undefined) => void;
  readonly onQuestionHeight: (id: string, height: number) => void;
  readonly onMessageField: (isFree: boolean) => void;
  /** See `ServicesOptions`. */
  readonly startUtility?: StartUtility;
  /** See `ServicesOptions`. */
  readonly updateProgram?: UpdateProgram;
  /** When to load and start the services, because that blocks this thread; default: immediately. */
  readonly startAfter?: Promise<void>;
}

/** The assistant behind a window: everything but the window itself. */
export interface WindowAssistant {
  /** Answers requests that need no database immediately, and others once it is open. */
  readonly handleRequest: (request: RouterRequest) => Promise<Envelope<unknown>>;
  /** Rejects with the errors of `startServices`. */
  readonly ready: Promise<void>;
  /** Whether the chat's page is loaded; false: it receives nothing. */
  appPage(isLoaded: boolean): void;
  consentLoading(): void;
  /** Its bounds changed. */
  consentMoved(place: SurfacePlace): void;
  /** The user wants the question that they put off in the conversation on the screen. Returns whether there is one. */
  questionWanted(): boolean;
  /** Its questions count as denied. */
  consentGone(): void;
  appearanceChanged(): void;
  /** What would be stopped with the window; `undefined`: nothing can have been started yet. */
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
   * Installs an update that the user restarts for. `obstacle`: why it can't be done now. False: it was not installed.
   * Call it last.
   */
  installUpdate(obstacle?: string): Promise<boolean>;
}

const ORIGINS: Readonly<Record<Surface, string>> = { app: 'steward://app', consent: 'steward://consent' };

export function startWindowAssistant(options: WindowAssistantOptions): WindowAssistant {
  const { desktop, signal } = options;
  const sendApp = <Name extends keyof AppEvents>(name: Name, data: AppEvents[Name]) => options.send('app', name, data);
  const sendConsent = <Name extends keyof ConsentEvents>(name: Name, data: ConsentEvents[Name]) =>
    options.send('consent', name, data);

  let isAppLoaded = false;
  const notices = new WindowNotices((problem) => {
    if (isAppLoaded) sendApp('notice', problem);
  });
  const log = new WindowLog(options.log);
  const onFault = log.fault.bind(log);
  const notice = (problem: Problem) => {
    log.notice(problem.code);
    notices.add(problem);
  };

  let opened: Services | undefined;
  /** The conversation that the window shows now; `null`: none, or another screen. */
  let onScreen: string | null = null;
  const questions = new QuestionQueues({ onWaiting: () => questionsChanged() });
  const queue = new ConsentQueue({
    waitingElsewhere: (id) => questions.waiting(id),
    theme: () => desktop.theme(),
    titleOf: (id) => opened?.storage.conversations.get(id)?.title ?? null,
    onChange: () => questionsChanged(),
    takePress: (since, isGrave) => desktop.takePressAtQuestion(since, isGrave),
  });
  const messageConsent = new MessageConsent({ consent: queue, questions });
  const questionsChanged = () => {
    sendApp('questions', { pending: queue.pending });
    options.showConsent(queue.shown);
    sendConsent('state', queue.state());
  };

  const start = async () => {
    const { startServices } = await import('../../services.ts');
    return startServices({
      profileDirectory: options.profileDirectory,
      launchDirectory: options.launchDirectory,
      workspace: options.workspace,
      defaultWorkspace: () =>
        windowWorkspace({ ...options, homeFolder: desktop.facts.homeFolder, executable: process.execPath }),
      env: options.env,
      consent: queue,
      questions,
      isLongLived: true,
      bundled: { startUtility: options.startUtility },
      updateProgram: options.updateProgram,
      openUrl: async (url) => desktop.openExternal(externalUrl(url)),
      onNotice: notice,
      signal,
    });
  };
  let starting: Promise<Services> | undefined;
  const services = Promise.resolve(options.startAfter).then(() => {
    starting = start();
    return starting;
  });
  const desktopTools = services.then(async ({ clients }) => {
    const { DesktopTools } = await import('../desktop-tools/desktop-tools.ts');
    return new DesktopTools({
      desktop,
      clients,
      questions: modelQuestions,
      messageConsent,
      signal,
      shownConversation: () => onScreen,
      show: { message: (message) => sendApp('modelMessage', message), file: (file) => sendApp('filePreview', file) },
      onFault: (error) => onFault('the tools of the window', error),
    });
  });
  const desktopToolHandlers = desktopTools.then((tools) => tools.handlers());
  desktopToolHandlers.catch(() => undefined);

  const listChanged = () => sendApp('conversationsChanged', {});
  const leftRunningChanged = () => sendApp('leftRunning', { left: opened?.leftRunning.list() ?? [] });
  const settingsChanged = () => sendApp('settingsChanged', {});
  const unreviewedChanged = () => {
    if (isAppLoaded && opened !== undefined) sendApp('unreviewed', { files: opened.review.pending().length });
  };
  const modelQuestions = new ModelQuestions({
    onChange: () => sendApp('modelQuestions', { open: modelQuestions.open }),
    onAsked: () => desktop.drawAttention(),
  });
  const turns = new Turns({
    send: (events) => sendApp('turn', events),
    onChange: listChanged,
    prepare: async (conversationId) => (await desktopTools).offerIn(conversationId),
    onEnd: () => void opened?.storage.backups.makeDaily(),
    onFailure: async (error) => notice(await log.turnFailed(error)),
  });

  const ready = services.then((started) => {
    // Closed while they were starting.
    if (signal.aborted) return;
    opened = started;
    log.redactAlso(() => started.secrets.redactionValues());
    const changes = {
      settingsChanged,
      leftRunningChanged,
      unreviewedChanged,
      serverSignInChanged: () => sendApp('serverSignInChanged', {}),
      accountsChanged: () => sendApp('accountsChanged', {}),
      onMail: (event: StoredEvent) => turns.tell(event, started.registry),
    };
    followServices(started, changes, signal);
    eraseOldRegularly(started.storage, { signal, onFault: (error) => onFault('the trash', error) });
    void started.outbox.recover(signal).catch((error: unknown) => onFault('mail in the outbox', error));
    void started.refreshCredentials().then(settingsChanged, (error: unknown) => onFault('credentials', error));
  });
  // Waiting requests are answered with the reason; the failure itself is reported by the caller that awaits `ready`.
  ready.catch(() => undefined);

  const loaded: Late = (load) => {
    const handlers = services.then(load);
    handlers.catch(() => undefined);
    return handlers;
  };
  const contentRequests = loaded(async (started) => {
    const { ServerContentRequests } = await import('../content/server-content.ts');
    return new ServerContentRequests({
      services: started,
      desktop,
      signal,
      onResource: (resource) => sendApp('resource', resource),
    });
  });
  const content = loaded(async () => (await contentRequests).handlers());
  const conversations = loaded(async (started) => {
    const [{ conversationHandlers }, { LinkOpener }] = await Promise.all([
      import('../conversations/conversations.ts'),
      import('../conversations/link-opener.ts'),
    ]);
    return conversationHandlers({
      services: started,
      turns,
      desktop,
      content: await contentRequests,
      messageConsent,
      links: new LinkOpener({ ...started, desktop, consent: queue, questions, signal }),
      onListChanged: listChanged,
      onBegun: (id) => conversationShown(id),
      onTurnBegins: options.prepareConsent,
      sendEvents: (events) => sendApp('turn', events),
      signal,
    });
  });
  const logs = new LogFollower((more) => sendApp('serverLog', more));
  const serverDiagnostics = loaded(async (started) => {
    const { serverDiagnosticsHandlers } = await import('../servers/server-diagnostics.ts');
    return serverDiagnosticsHandlers({
      services: started,
      logs,
      signal,
      onStep: (step) => sendApp('doctorStep', step),
    });
  });
  let windowUpdates: WindowUpdates | undefined;
  const updates = loaded(async (started) => {
    const { WindowUpdates: Opened } = await import('../updates.ts');
    windowUpdates = new Opened({
      services: started,
      desktop,
      signal,
      send: (view) => {
        if (isAppLoaded) sendApp('updates', view);
      },
    });
    return windowUpdates.handlers;
  });
  let serverWatch: ServerWatch | undefined;
  const servers = loaded(async (started) => {
    const [{ serversHandlers }, { ServerWatch: Watch }] = await Promise.all([
      import('../servers/servers.ts'),
      import('../servers/server-watch.ts'),
    ]);
    const watch = new Watch(started, (rows) => sendApp('servers', { rows }));
    serverWatch = watch;
    return serversHandlers({ services: started, watch, desktop, env: options.env, signal });
  });
  let windowPrograms: WindowPrograms | undefined;
  let shownConversation: string | null = null;
  const conversationShown = async (id: string | null): Promise<void> => {
    shownConversation = id ?? shownConversation;
    await windowPrograms?.shown(id).catch((error: unknown) => onFault('a program', error));
  };
  const programs = loaded(async (started) => {
    const { openPrograms } = await import('../programs/programs.ts');
    const opening = openPrograms({
      services: started,
      desktop,
      consent: queue,
      questions,
      env: options.env,
      signal,
      onChange: () => sendApp('programsChanged', {}),
      log: (line) => onFault('a program', line),
    });
    windowPrograms = opening.windowPrograms;
    await windowPrograms.shown(shownConversation);
    return opening.handlers;
  });

  return {
    ready,
    handleRequest: createRouter({
      routes,
      origins: ORIGINS,
      onFault,
      handlers: {
        app: {
          app: appHandlers({
            ...options,
            questions: queue,
            onConversationShown: (id) => {
              onScreen = id;
              void conversationShown(id);
            },
          }),
          ...lateHandlers(loaded, { desktop, env: options.env, signal, onChanged: settingsChanged }),
          conversations,
          programs,
          content,
          desktopTools: desktopToolHandlers,
          servers,
          serverDiagnostics,
          updates,
        },
        consent: {
          consent: consentHandlers({ queue, stopTurn: (id) => turns.stop(id), onMeasured: options.onQuestionHeight }),
        },
      },
    }),
    appPage: (isLoaded) => {
      isAppLoaded = isLoaded;
      if (!isLoaded) {
        logs.stop();
        // It reports what it shows when it has loaded again.
        queue.composerShown(null);
        onScreen = null;
        serverWatch?.watched(false);
        return;
      }
      notices.sendAll();
      sendApp('questions', { pending: queue.pending });
      sendApp('modelQuestions', { open: modelQuestions.open });
      leftRunningChanged();
      unreviewedChanged();
      windowUpdates?.sendAgain();
    },
    consentLoading: () => queue.surfaceLeft(),
    consentMoved: (place) => {
      // First, because updating the queue may move the surface again.
      sendApp('docked', { height: place.dockedHeight });
      queue.surfaceMoved(place);
    },
    questionWanted: () => queue.takeUpShown(),
    consentGone: () => {
      if (queue.surfaceEnded()) notice({ code: 'consent_page_ended', message: CONSENT_ENDED_TEXT });
    },
    appearanceChanged: () => {
      settingsChanged();
      sendConsent('state', queue.state());
    },
    whatRuns: () => opened && whatRuns(opened, turns.running, queue.count + modelQuestions.open.length),
    leaveRunning: () => opened?.leftRunning.leave(),
    holdMail: () => opened?.outbox.hold() ?? (() => undefined),
    endMailWait: async (sends) => opened?.outbox.endWait(sends),
    serversEnded: async () => opened?.mcp.close(),
    close: async () => {
      serverWatch?.close();
      await windowPrograms?.close();
      // Before the turns, whose Stop would mean that the mail is not wanted.
      opened?.outbox.keep();
      await turns.close();
      const started = await starting?.catch(() => undefined);
      await started?.close();
    },
    stays: () => windowUpdates?.stays(),
    installUpdate: async (obstacle) => (await windowUpdates?.install(obstacle)) ?? true,
  };
}
