import { appHandlers } from '../app.ts';
import { consentHandlers } from '../consent/consent.ts';
import type { Turns } from '../conversations/turns.ts';
import type { HandlerTable } from '../handlers.ts';
import type { Pages } from './pages.ts';
import type { ShownConversation } from './shown-conversation.ts';
import type { WindowAssistantOptions } from './window-options.ts';
import type { WindowParts } from './window-parts.ts';
import type { WindowQuestions } from './window-questions.ts';
import type { WindowServices } from './window-services.ts';

export interface WindowHandlersPorts {
  readonly options: WindowAssistantOptions;
  readonly services: WindowServices;
  readonly pages: Pages;
  readonly questions: WindowQuestions;
  readonly shown: ShownConversation;
  readonly turns: Turns;
  readonly parts: WindowParts;
}

/** The handlers of both pages. What needs the services is loaded with them, and its requests wait for that. */
export function windowHandlers(ports: WindowHandlersPorts): HandlerTable {
  const { options, pages, questions, shown, turns, parts } = ports;
  const { logs, content, desktopTools, programs, servers, updates } = parts;
  return {
    app: {
      app: appHandlers({
        ...options,
        questions: questions.consent,
        onConversationShown: (id) => shown.screenShows(id),
      }),
      ...settingsHandlersOf(ports),
      conversations: conversationHandlersOf(ports),
      content: content.handlers((part) => part.handlers()),
      desktopTools: desktopTools.handlers((part) => part.handlers()),
      programs: programs.handlers(async ({ windowPrograms, handlers }) => {
        await windowPrograms.shown(shown.last);
        return handlers;
      }),
      servers: ports.services.part(async (services) => {
        const { serversHandlers } = await import('../servers/servers.ts');
        const { desktop, env, signal } = options;
        return serversHandlers({ services, watch: await servers.loaded, desktop, env, signal });
      }).loaded,
      serverDiagnostics: ports.services.part(async (services) => {
        const { serverDiagnosticsHandlers } = await import('../servers/server-diagnostics.ts');
        const onStep = (step: Parameters<typeof pages.app<'doctorStep'>>[1]) => pages.app('doctorStep', step);
        return serverDiagnosticsHandlers({ services, logs, signal: options.signal, onStep });
      }).loaded,
      updates: updates.handlers((part) => part.handlers),
    },
    consent: {
      consent: consentHandlers({
        queue: questions.consent,
        stopTurn: (id) => turns.stop(id),
        onMeasured: options.onQuestionHeight,
      }),
    },
  };
}

function conversationHandlersOf({ options, services, pages, questions, shown, turns, parts }: WindowHandlersPorts) {
  const { desktop, signal, prepareConsent } = options;
  return services.part(async (started) => {
    const [{ conversationHandlers }, { LinkOpener }] = await Promise.all([
      import('../conversations/conversations.ts'),
      import('../conversations/link-opener.ts'),
    ]);
    const { consent, order } = questions;
    return conversationHandlers({
      services: started,
      turns,
      desktop,
      content: await parts.content.loaded,
      messageConsent: questions.messages,
      links: new LinkOpener({ ...started, desktop, consent, questions: order, signal }),
      onListChanged: () => pages.app('conversationsChanged', {}),
      onBegun: (id) => shown.begun(id),
      onTurnBegins: prepareConsent,
      sendEvents: (events) => pages.app('turn', events),
      signal,
    });
  }).loaded;
}

/** The handlers of the screens that change settings, which need nothing of the window but its desktop. */
function settingsHandlersOf({ options: { desktop, env, signal }, services, pages }: WindowHandlersPorts) {
  const onChanged = () => pages.app('settingsChanged', {});
  return {
    settings: services.part(async (started) => {
      const { settingsHandlers } = await import('../settings/settings.ts');
      return settingsHandlers({ services: started, desktop, signal, onChanged });
    }).loaded,
    providers: services.part(async (started) => {
      const { providersHandlers } = await import('../providers/providers.ts');
      return providersHandlers({ services: started, desktop, signal, onChanged });
    }).loaded,
    serverSignIn: services.part(async (started) => {
      const { serverSignInHandlers } = await import('../servers/server-sign-in.ts');
      return serverSignInHandlers({ services: started, desktop });
    }).loaded,
    credentials: services.part(async (started) => {
      const { credentialHandlers } = await import('../settings/credentials.ts');
      return credentialHandlers({ services: started, desktop, env, onChanged });
    }).loaded,
    outbox: services.part(async (started) => {
      const { outboxHandlers } = await import('../conversations/outbox.ts');
      return outboxHandlers({ services: started, desktop });
    }).loaded,
    usage: services.part(async (started) => {
      const { usageHandlers } = await import('../settings/usage.ts');
      return usageHandlers({ services: started, desktop, onChanged });
    }).loaded,
    accounts: services.part(async (started) => {
      const { accountsHandlers } = await import('../settings/accounts.ts');
      return accountsHandlers({ services: started, desktop });
    }).loaded,
  };
}
