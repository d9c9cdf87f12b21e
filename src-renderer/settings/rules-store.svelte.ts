import type { RuleRow } from '../../src-preload/contract/settings.ts';
import { type Bridge, sentenceOf } from '../ui/bridge.ts';

/** The rules that allow actions without asking. */
export class RulesStore {
  rules = $state.raw<readonly RuleRow[] | null>(null);
  failure = $state<string | null>(null);
  /** Ids of the rules that are being revoked. */
  revoking = $state.raw<ReadonlySet<string>>(new Set());
  readonly #bridge: Bridge;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  start(): () => void {
    void this.load();
    return this.#bridge.on('settingsChanged', () => void this.load());
  }

  async load(): Promise<void> {
    try {
      this.rules = await this.#bridge.request('settings.rules', {});
      this.failure = null;
    } catch (error) {
      this.failure = sentenceOf(error);
    }
  }

  async revoke(id: string): Promise<void> {
    if (this.revoking.has(id)) return;
    this.revoking = new Set([...this.revoking, id]);
    try {
      this.rules = await this.#bridge.request('settings.revokeRule', { id });
      this.failure = null;
    } catch (error) {
      this.failure = sentenceOf(error);
    } finally {
      this.revoking = new Set([...this.revoking].filter((other) => other !== id));
    }
  }
}
