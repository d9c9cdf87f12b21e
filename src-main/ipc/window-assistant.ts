import type { Envelope } from '../../src-preload/contract/envelope.ts';
import type { AppEvents, ConsentEvents } from '../../src-preload/contract/index.ts';
import { routes } from '../../src-preload/contract/index.ts';
import type { Surface } from '../../src-preload/contract/route.ts';
import type { Problem } from '../../src-preload/contract/settings.ts';
import type { ShownQuestion, SurfacePlace } from '../policy/consent-surface.ts';
import { MessageConsent } from '../policy/message-consent.ts';
import { QuestionQueues } from '../policy/question-queues.ts';
import type { StartUtility } from '../processes/utility-process.ts';
import type { WhatRuns } from '../processes/what-runs.ts';
import { redactSecrets } from '../secrets/redaction.ts';
import type { Services } from '../services.ts';
import { appHandlers } from './app.ts';
import { consentHandlers } from './consent/consent.ts';
import { ConsentQueue } from './consent/consent-queue.ts';
import type { Desktop } from './desktop-port.ts';
import { externalUrl } from './external-url.ts';
import { LogFollower } from './log-follower.ts';
import { createRouter, type RouterRequest } from './router.ts';
import type { ServerWatch } from './servers/server-watch.ts';
import { Turns } from './turns.ts';
import { windowWorkspace } from './window-workspace.ts';

export interface WindowAssistantOptions {
  readonly profileDirectory: string;
  readonly launchDirectory: string;
  readonly workspace: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly desktop: Desktop;
  /** Aborts when the app ends. */
  readonly signal: AbortSignal;
  readonly send: (surface: Surface, name: string, data: unknown) => void;
  /** A question may follow soon. */
  readonly prepareConsent: () => void;
  /** `null`: there is no question. */
  readonly showConsent: (shown: ShownQuestion | null) => void;
  /** The heights that the two surfaces report, each in its own CSS pixels. */
  readonly onComposerHeight: (height: number) => void;
  readonly onQuestionHeight: (id: string, height: number) => void;
  /** See `ServicesOptions`. */
  readonly startUtility?: StartUtility;
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
}

const ORIGINS: Readonly<Record<Surface, string>> = { app: 'steward://app', consent: 'steward://consent' };
const CONSENT_ENDED_TEXT =
  'The page that asks for your permission stopped working, so its question was denied. The next question reopens it.';
/** All notices so far: sent again when the page is reloaded. */
const KEPT_NOTICES = 50;

export function startWindowAssistant(options: WindowAssistantOptions): WindowAssistant {
  const { desktop, signal } = options;
  const sendApp = <Name extends keyof AppEvents>(name: Name, data: AppEvents[Name]) => options.send('app', name, data);
  const sendConsent = <Name extends keyof ConsentEvents>(name: Name, data: ConsentEvents[Name]) =>
    options.send('consent', name, data);

  let isAppLoaded = false;
  const notices: Problem[] = [];
  const notice = ({ code, message }: Problem) => {
    notices.push({ code, message });
    notices.splice(0, notices.length - KEPT_NOTICES);
    if (isAppLoaded) sendApp('notice', { code, message });
  };

  let opened: Services | undefined;
  const questions = new QuestionQueues({ onWaiting: () => questionsChanged() });
  const queue = new ConsentQueue({
    waitingElsewhere: (id) => questions.waiting(id),
    theme: () => desktop.theme(),
    titleOf: (id) => opened?.storage.conversations.get(id)?.title ?? null,
    onChange: () => questionsChanged(),
  });
  const questionsChanged = () => {
    sendApp('questions', { pending: queue.pending });
    options.showConsent(queue.shown);
    sendConsent('state', queue.state());
  };

  const start = async () => {
    await options.startAfter;
    const { startServices } = await import('../services.ts');
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
      startUtility: options.startUtility,
      openUrl: async (url) => desktop.openExternal(externalUrl(url)),
      onNotice: notice,
      signal,
    });
  };
  const services = start();

  const onFault = (where: string, error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`${where}: ${redactSecrets(text, opened?.secrets.redactionValues())}\n`);
  };
  const listChanged = () => sendApp('conversationsChanged', {});
  const leftRunningChanged = () => sendApp('leftRunning', { left: opened?.leftRunning.list() ?? [] });
  const settingsChanged = () => sendApp('settingsChanged', {});
  const unreviewedChanged = () => {
    if (isAppLoaded && opened !== undefined) sendApp('unreviewed', { files: opened.review.pending().length });
  };
  const turns = new Turns({
    send: (events) => sendApp('turn', events),
    onChange: listChanged,
    onEnd: () => void opened?.storage.backups.makeDaily(),
    onFailure: async (error) => {
      const { reportOf } = await import('./error-report.ts');
      const report = reportOf(error);
      if (report === undefined) onFault('a turn', error);
      notice(
        report ?? { code: 'internal', message: 'Something went wrong in Steward and the answer stopped. Try again.' },
      );
    },
  });

  const ready = services.then((started) => {
    opened = started;
    started.onChange(settingsChanged);
    let toSignIn = started.serversToSignIn.join();
    started.mcp.onChange(() => {
      const now = started.serversToSignIn.join();
      if (now !== toSignIn) settingsChanged();
      toSignIn = now;
    });
    started.mcpAccounts.signIns.onChange(() => sendApp('serverSignInChanged', {}));
    started.googleAccounts.onChange(() => sendApp('accountsChanged', {}));
    started.leftRunning.onChange(leftRunningChanged);
    started.outbox.onEvent((event) => turns.tell(event, started.registry));
    started.onChange(unreviewedChanged);
    started.review.onChange(unreviewedChanged);
    unreviewedChanged();
    void started.outbox.recover(signal).catch((error: unknown) => onFault('mail in the outbox', error));
    void started.refreshCredentials().then(settingsChanged, (error: unknown) => onFault('credentials', error));
  });
  // Waiting requests are answered with the reason; the failure itself is reported by the caller that awaits `ready`.
  ready.catch(() => undefined);

  const contentRequests = services.then(async (started) => {
    const { ServerContentRequests } = await import('./server-content.ts');
    return new ServerContentRequests({
      ...{ services: started, desktop, signal },
      onResource: (resource) => sendApp('resource', resource),
    });
  });
  const content = contentRequests.then((requests) => requests.handlers());
  const conversations = services.then(async (started) => {
    const [{ conversationHandlers }, { LinkOpener }] = await Promise.all([
      import('./conversations.ts'),
      import('./link-opener.ts'),
    ]);
    return conversationHandlers({
      services: started,
      turns,
      desktop,
      content: await contentRequests,
      messageConsent: new MessageConsent({ consent: queue, questions }),
      links: new LinkOpener({ ...started, desktop, consent: queue, questions, signal }),
      onListChanged: listChanged,
      onTurnBegins: options.prepareConsent,
      sendEvents: (events) => sendApp('turn', events),
      signal,
    });
  });
  const settings = services.then(async (started) => {
    const { settingsHandlers } = await import('./settings.ts');
    return settingsHandlers({ services: started, desktop, signal, onChanged: settingsChanged });
  });
  const logs = new LogFollower((more) => sendApp('serverLog', more));
  const serverDiagnostics = services.then(async (started) => {
    const { serverDiagnosticsHandlers } = await import('./server-diagnostics.ts');
    return serverDiagnosticsHandlers({
      ...{ services: started, logs, signal },
      onStep: (step) => sendApp('doctorStep', step),
    });
  });
  serverDiagnostics.catch(() => undefined);
  const serverSignIn = services.then(async (started) => {
    const { serverSignInHandlers } = await import('./server-sign-in.ts');
    return serverSignInHandlers({ services: started, desktop });
  });
  serverSignIn.catch(() => undefined);
  const credentials = services.then(async (started) => {
    const { credentialHandlers } = await import('./credentials.ts');
    return credentialHandlers({ services: started, desktop, env: options.env });
  });
  credentials.catch(() => undefined);
  const outbox = services.then(async (started) => {
    const { outboxHandlers } = await import('./outbox.ts');
    return outboxHandlers({ services: started, desktop });
  });
  outbox.catch(() => undefined);
  const accounts = services.then(async (started) => {
    const { accountsHandlers } = await import('./accounts.ts');
    return accountsHandlers({ services: started, desktop });
  });
  accounts.catch(() => undefined);
  content.catch(() => undefined);
  let serverWatch: ServerWatch | undefined;
  const servers = services.then(async (started) => {
    const [{ serversHandlers }, { ServerWatch: Watch }] = await Promise.all([
      import('./servers/servers.ts'),
      import('./servers/server-watch.ts'),
    ]);
    const watch = new Watch(started, (rows) => sendApp('servers', { rows }));
    serverWatch = watch;
    return serversHandlers({ services: started, watch, desktop, env: options.env, signal });
  });
  conversations.catch(() => undefined);
  settings.catch(() => undefined);
  servers.catch(() => undefined);

  return {
    ready,
    handleRequest: createRouter({
      routes,
      origins: ORIGINS,
      onFault,
      handlers: {
        app: {
          app: appHandlers({ ...options, questions: queue }),
          accounts,
          conversations,
          outbox,
          content,
          credentials,
          settings,
          servers,
          serverDiagnostics,
          serverSignIn,
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
        serverWatch?.watched(false);
        return;
      }
      for (const each of notices) sendApp('notice', each);
      sendApp('questions', { pending: queue.pending });
      leftRunningChanged();
      unreviewedChanged();
    },
    consentLoading: () => queue.surfaceLeft(),
    consentMoved: (place) => {
      // First, because updating the queue may move the surface again.
      sendApp('docked', { height: place.dockedHeight });
      queue.surfaceMoved(place);
    },
    consentGone: () => {
      if (queue.surfaceEnded()) notice({ code: 'consent_page_ended', message: CONSENT_ENDED_TEXT });
    },
    appearanceChanged: () => {
      settingsChanged();
      sendConsent('state', queue.state());
    },
    whatRuns: () => opened && whatRuns(opened, turns.running, queue.count),
    leaveRunning: () => opened?.leftRunning.leave(),
    holdMail: () => opened?.outbox.hold() ?? (() => undefined),
    endMailWait: async (sends) => opened?.outbox.endWait(sends),
    serversEnded: async () => opened?.mcp.close(),
    close: async () => {
      serverWatch?.close();
      // Before the turns, whose Stop would mean that the mail is not wanted.
      opened?.outbox.keep();
      await turns.close();
      await opened?.close();
    },
  };
}

function whatRuns({ leftRunning, outbox, storage }: Services, running: readonly string[], questions: number): WhatRuns {
  const programs = leftRunning.list().flatMap((each) => each.programs.map(({ command }) => command));
  const answering = running.map((id) => ({ id, title: storage.conversations.get(id)?.title ?? '' }));
  const { canBeLeft } = leftRunning;
  return { commands: leftRunning.commands(), programs, canBeLeft, answering, mails: outbox.waiting, questions };
}
