import type { Problem } from '../../../src-preload/contract/settings.ts';

const MAX_NOTICES = 50;

/** The newest notices, which are sent again when the page is reloaded. */
export class WindowNotices {
  readonly #send: (problem: Problem) => void;
  readonly #kept: Problem[] = [];

  constructor(send: (problem: Problem) => void) {
    this.#send = send;
  }

  add({ code, message }: Problem): void {
    this.#kept.push({ code, message });
    this.#kept.splice(0, this.#kept.length - MAX_NOTICES);
    this.#send({ code, message });
  }

  sendAll(): void {
    for (const each of this.#kept) this.#send(each);
  }
}
