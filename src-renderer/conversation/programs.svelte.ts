import type { ProgramInConversation } from '../../src-preload/contract/programs.ts';
import type { Bridge } from '../ui/bridge.ts';
import { reported } from '../ui/reported.ts';

/** The programs that brought tools to the conversation that is shown, as reported by main. */
export class ConversationPrograms {
  list: readonly ProgramInConversation[] = $state.raw([]);
  readonly #bridge: Bridge;
  #conversationId: string | null = null;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  /** Follows main until the returned function is called. */
  follow(conversationId: string | null): () => void {
    this.#conversationId = conversationId;
    this.list = [];
    void this.#load();
    return this.#bridge.on('programsChanged', () => void this.#load());
  }

  async #load(): Promise<void> {
    const conversationId = this.#conversationId;
    if (conversationId === null) return;
    const list = await reported(this.#bridge.request('programs.inConversation', { conversationId }));
    // Unless another one is shown meanwhile.
    if (list !== undefined && this.#conversationId === conversationId) this.list = list;
  }
}
