import type { PasteProblem, UnreadEntry } from '../../../src-preload/contract/pasted-text.ts';
import type { PastedSetup, ShownServer } from '../../../src-preload/contract/servers.ts';
import { type Bridge, sentenceOf } from '../../ui/bridge.ts';
import { pasteText } from './server-texts.ts';

/** The limit in UTF-16 code units. Main refuses a longer text. */
const MAX_LENGTH = 1024 * 1024;

/** A pasted text and what was read from it. It outlives its view, so that one can come back to it. */
export class PasteStore {
  text = $state('');
  failure = $state<string | null>(null);
  setups = $state.raw<readonly PastedSetup<ShownServer>[]>([]);
  chosen = $state(0);
  /** Entries by their name in the text, because a form may give them another one. */
  readonly #added = new Set<string>();
  readonly #bridge: Bridge;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  /** The servers of the chosen set-up. */
  get servers(): readonly ShownServer[] {
    return this.setups[this.chosen]?.servers ?? [];
  }

  get unread(): readonly UnreadEntry[] {
    return this.setups[this.chosen]?.unread ?? [];
  }

  /** The server, if there is nothing to choose and nothing to tell. */
  get only(): ShownServer | undefined {
    const [server] = this.servers;
    return this.setups.length === 1 && this.servers.length === 1 && this.unread.length === 0 ? server : undefined;
  }

  /** The next one of the text, once this one was added; `names`: of existing servers. */
  after(added: ShownServer, names: readonly string[]): ShownServer | undefined {
    this.#added.add(added.name);
    return this.servers.find(({ name }) => !this.#added.has(name) && !names.includes(name));
  }

  /** Resolves with what is wrong with the text. */
  async read(): Promise<PasteProblem | undefined> {
    this.setups = [];
    if (this.text.length > MAX_LENGTH) {
      this.failure = pasteText({ code: 'too_long' });
      return undefined;
    }
    try {
      const result = await this.#bridge.request('servers.readPasted', { text: this.text });
      if ('problem' in result) {
        this.failure = pasteText(result.problem);
        return result.problem;
      }
      this.failure = null;
      this.setups = result.setups;
      this.chosen = result.chosen;
    } catch (error) {
      this.failure = sentenceOf(error);
    }
    return undefined;
  }

  /** Nothing is known about a text that was edited. */
  edited(): void {
    this.failure = null;
    this.setups = [];
  }
}
