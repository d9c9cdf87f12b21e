import type { Problem } from '../../../src-preload/contract/settings.ts';
import type { Services } from '../../services.ts';
import { externalUrl } from '../external-url.ts';
import { LatePart } from './late-part.ts';
import type { WindowAssistantOptions } from './window-options.ts';
import type { WindowQuestions } from './window-questions.ts';
import { windowWorkspace } from './window-workspace.ts';

export interface WindowServicesPorts {
  readonly questions: Pick<WindowQuestions, 'consent' | 'order'>;
  readonly notify: (problem: Problem) => void;
}

/** The services behind a window: loaded and started when the page is drawn, because that blocks this thread. */
export class WindowServices {
  /** Rejects with the errors of `startServices`. */
  readonly started: Promise<Services>;
  #starting: Promise<Services> | undefined;
  #open: Services | undefined;

  constructor(options: WindowAssistantOptions, ports: WindowServicesPorts) {
    const started = Promise.resolve(options.startAfter).then(() => {
      this.#starting = start(options, ports);
      return this.#starting;
    });
    this.started = started.then((services) => {
      // If this was aborted, the window was closed while they were starting.
      if (!options.signal.aborted) this.#open = services;
      return services;
    });
  }

  /** Undefined until they run. */
  get open(): Services | undefined {
    return this.#open;
  }

  /** Loads a part of the window once they run. */
  part<Part>(load: (services: Services) => Part | Promise<Part>): LatePart<Part> {
    return new LatePart(this.started.then(load));
  }

  async close(): Promise<void> {
    const started = await this.#starting?.catch(() => undefined);
    await started?.close();
  }
}

async function start(options: WindowAssistantOptions, { questions, notify }: WindowServicesPorts): Promise<Services> {
  const { startServices } = await import('../../services.ts');
  const { profileDirectory, launchDirectory, workspace, env, desktop, updateProgram, startUtility, signal } = options;
  const { homeFolder } = desktop.facts;
  return startServices({
    profileDirectory,
    launchDirectory,
    workspace,
    defaultWorkspace: () =>
      windowWorkspace({ profileDirectory, launchDirectory, homeFolder, executable: process.execPath }),
    env,
    consent: questions.consent,
    questions: questions.order,
    isLongLived: true,
    bundled: { startUtility },
    updateProgram,
    openUrl: async (url) => desktop.openExternal(externalUrl(url)),
    onNotice: notify,
    signal,
  });
}
