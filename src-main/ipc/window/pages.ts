import type { AppEvents, ConsentEvents } from '../../../src-preload/contract/index.ts';
import type { WindowAssistantOptions } from './window-options.ts';

/** What main tells the two pages. */
export class Pages {
  /** Whether the chat's page is loaded; if not, it receives nothing. */
  isAppLoaded = false;
  readonly #send: WindowAssistantOptions['send'];

  constructor(send: WindowAssistantOptions['send']) {
    this.#send = send;
  }

  app<Name extends keyof AppEvents>(name: Name, data: AppEvents[Name]): void {
    this.#send('app', name, data);
  }

  consent<Name extends keyof ConsentEvents>(name: Name, data: ConsentEvents[Name]): void {
    this.#send('consent', name, data);
  }
}
