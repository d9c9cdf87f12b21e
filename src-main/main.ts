import { join } from 'node:path';
import { reportFaults } from './desktop/faults.ts';
import { needClickToCopy, resolveNoNames } from './desktop/lockdown.ts';
import { type StartPlaces, startInTerminal, startPlaces } from './desktop/profile-start.ts';
import { quitCleanly } from './desktop/quit.ts';
import type { RequestHandler } from './desktop/request-channel.ts';
import { registerScheme } from './desktop/scheme.ts';
import { SessionLog } from './desktop/session-log.ts';
import { Shell } from './desktop/shell.ts';
import { failStart } from './desktop/start-failure/fail-start.ts';
import { relaunch, updateProgram } from './desktop/update-program.ts';
import { startUtility } from './desktop/utility-process.ts';
import type { WindowAssistant } from './ipc/window/window-assistant.ts';
import { keepCertificateChecks } from './network/certificate-checks.ts';

const ignored = keepCertificateChecks(process.env);
if (ignored !== undefined) process.stderr.write(`${ignored}\n`);
const inTerminal = startInTerminal(process.argv.slice(1));
if (inTerminal !== undefined) {
  const { runInTerminal } = await import('./terminal.ts');
  await runInTerminal(inTerminal);
}
reportFaults();
registerScheme();
resolveNoNames();
needClickToCopy();
start();

/** Nothing of the window may be awaited at top level: Electron becomes ready only after this module has run. */
function start(): void {
  try {
    const places = startPlaces(process.argv.slice(1), process.env);
    if (places === undefined) return;
    const session = SessionLog.begin(places.profileDirectory);
    void open(places, session).catch((error: unknown) => {
      session.failed(error);
      fail(error);
    });
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): void {
  void failStart(error, import.meta.dirname);
}

async function open(places: StartPlaces, session: SessionLog): Promise<void> {
  const ending = new AbortController();
  let setRequestHandler: (handleRequest: RequestHandler) => void = () => undefined;
  const handleRequest = new Promise<RequestHandler>((resolve) => {
    setRequestHandler = resolve;
  });
  let assistant: WindowAssistant | undefined;
  cacheCompiledCode(join(places.profileDirectory, 'window', 'compile-cache'));
  const shell = await Shell.open({
    places,
    session,
    outputFolder: import.meta.dirname,
    handleRequest,
    onAppPage: (isLoaded) => assistant?.appPage(isLoaded),
    onConsentPageLoading: () => assistant?.consentLoading(),
    onConsentPageGone: () => assistant?.consentGone(),
    onConsentMoved: (place) => assistant?.consentMoved(place),
    onQuestionWanted: () => assistant?.questionWanted() ?? false,
    onAppearanceChanged: () => assistant?.appearanceChanged(),
    whatRuns: () => assistant?.whatRuns(),
    onLeave: () => assistant?.leaveRunning(),
    holdMail: () => assistant?.holdMail() ?? (() => undefined),
    onStay: () => assistant?.stays(),
    onMail: async (sends) => assistant?.endMailWait(sends),
  });
  quitCleanly({
    begin: () => {
      shell.hideWindow();
      ending.abort(new Error('Steward is closing'));
    },
    close: async () => assistant?.close(),
    serversEnded: async () => assistant?.serversEnded(),
    installUpdate: async (obstacle) => (await assistant?.installUpdate(obstacle)) ?? true,
    relaunch,
    ended: () => session.end(),
  });

  // The window is on its way; the request handler is made while its page loads, everything that takes time when it is
  // drawn.
  const { startWindowAssistant } = await import('./ipc/window/window-assistant.ts');
  assistant = startWindowAssistant({
    ...places,
    env: process.env,
    desktop: shell,
    log: session.log,
    signal: ending.signal,
    startUtility,
    updateProgram: updateProgram(shell.facts),
    send: (surface, name, data) => shell.send(surface, name, data),
    prepareConsent: () => shell.prepareConsent(),
    showConsent: (question) => shell.showConsent(question),
    onComposerHeight: (height, room) => shell.composerHeight(height, room),
    onQuestionHeight: (id, height) => shell.questionHeight(id, height),
    onMessageField: (isFree) => shell.messageField(isFree),
    // The first run draws nothing without the settings.
    ...(shell.isFirstRun() ? {} : { startAfter: shell.pageDrawn }),
  });
  assistant.appPage(shell.isAppPageLoaded);
  setRequestHandler(assistant.handleRequest);
  await assistant.ready;
}

/** Caches compiled code between starts (Node 22 and later). */
function cacheCompiledCode(folder: string): void {
  const { enableCompileCache } = (process.getBuiltinModule?.('node:module') ?? {}) as {
    readonly enableCompileCache?: (folder: string) => unknown;
  };
  enableCompileCache?.(folder);
}
