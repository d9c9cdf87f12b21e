import type { Problem } from '../../../src-preload/contract/settings.ts';
import type { Pages } from './pages.ts';
import type { WindowLog } from './window-log.ts';

const MAX_NOTICES = 50;

/** The newest notices, which are sent again when the page is reloaded. */
export class WindowNotices {
  readonly #pages: Pages;
  readonly #log: WindowLog;
  readonly #kept: Problem[] = [];

  constructor(pages: Pages, log: WindowLog) {
    this.#pages = pages;
    this.#log = log;
  }

  add({ code, message }: Problem): void {
    this.#log.notice(code);
    this.#kept.push({ code, message });
    this.#kept.splice(0, this.#kept.length - MAX_NOTICES);
    if (this.#pages.isAppLoaded) this.#pages.app('notice', { code, message });
  }

  sendAll(): void {
    for (const each of this.#kept) this.#pages.app('notice', each);
  }
}
