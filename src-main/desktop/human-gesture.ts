import type { WebContents } from 'electron';

/** What a click or a key does something on; the press before the release of a mouse button would count the click twice. */
const GESTURES = new Set(['mouseUp', 'keyDown', 'rawKeyDown', 'gestureTap', 'touchEnd']);
const LASTS_MS = 2000;

/**
 * Whether a person clicked or typed in a page just now, by what the system delivered to it: script in the page cannot claim
 * that. Each gesture counts once.
 */
export class HumanGesture {
  #at = Number.NEGATIVE_INFINITY;

  constructor(contents: WebContents) {
    contents.on('input-event', (_event, { type }) => {
      if (GESTURES.has(type)) this.#at = performance.now();
    });
  }

  take(): boolean {
    const isRecent = performance.now() - this.#at < LASTS_MS;
    this.#at = Number.NEGATIVE_INFINITY;
    return isRecent;
  }
}
