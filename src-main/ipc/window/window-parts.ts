import { LogFollower } from '../servers/log-follower.ts';
import type { Pages } from './pages.ts';
import type { ShownConversation } from './shown-conversation.ts';
import type { WindowLog } from './window-log.ts';
import type { WindowAssistantOptions } from './window-options.ts';
import type { WindowQuestions } from './window-questions.ts';
import type { WindowServices } from './window-services.ts';

export interface WindowPartsPorts {
  readonly options: Pick<WindowAssistantOptions, 'desktop' | 'env' | 'signal'>;
  readonly services: WindowServices;
  readonly pages: Pages;
  readonly questions: WindowQuestions;
  readonly shown: ShownConversation;
  readonly log: WindowLog;
}

export type WindowParts = ReturnType<typeof windowParts>;

/** What a window adds to the services, beside its questions and turns. Loaded late: the page is drawn without it. */
export function windowParts({ options, services, pages, questions, shown, log }: WindowPartsPorts) {
  const { desktop, env, signal } = options;
  return {
    logs: new LogFollower((more) => pages.app('serverLog', more)),

    /** The window's own tools. */
    desktopTools: services.part(async ({ clients }) => {
      const { DesktopTools } = await import('../desktop-tools/desktop-tools.ts');
      return new DesktopTools({
        desktop,
        clients,
        questions: questions.ofModels,
        messageConsent: questions.messages,
        signal,
        shownConversation: () => shown.onScreen,
        show: {
          message: (message) => pages.app('modelMessage', message),
          file: (file) => pages.app('filePreview', file),
        },
        onFault: (error) => log.fault('the tools of the window', error),
      });
    }),

    /** Resources and prompts of MCP servers. */
    content: services.part(async (started) => {
      const { ServerContentRequests } = await import('../content/server-content.ts');
      const onResource = (resource: Parameters<typeof pages.app<'resource'>>[1]) => pages.app('resource', resource);
      return new ServerContentRequests({ services: started, desktop, signal, onResource });
    }),

    servers: services.part(async (started) => {
      const { ServerWatch } = await import('../servers/server-watch.ts');
      return new ServerWatch(started, (rows) => pages.app('servers', { rows }));
    }),

    /** Programs that attach to this window. */
    programs: services.part(async (started) => {
      const { openPrograms } = await import('../programs/programs.ts');
      return openPrograms({
        services: started,
        desktop,
        consent: questions.consent,
        questions: questions.order,
        env,
        signal,
        onChange: () => pages.app('programsChanged', {}),
        log: (line) => log.fault('a program', line),
      });
    }),

    updates: services.part(async (started) => {
      const { WindowUpdates } = await import('../updates.ts');
      return new WindowUpdates({
        services: started,
        desktop,
        signal,
        send: (view) => {
          if (pages.isAppLoaded) pages.app('updates', view);
        },
      });
    }),
  };
}
