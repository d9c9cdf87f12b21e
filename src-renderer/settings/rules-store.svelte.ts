import type { RuleRow } from '../../src-preload/contract/settings.ts';
import { LoadedView } from './loaded-view.svelte.ts';

/** The rules that allow actions without asking. */
export class RulesStore extends LoadedView<readonly RuleRow[]> {
  /** Ids of the rules that are being revoked. */
  revoking = $state.raw<ReadonlySet<string>>(new Set());

  get rules(): readonly RuleRow[] | null {
    return this.view;
  }

  start(): () => void {
    return this.loadOn('settingsChanged');
  }

  protected override ask(): Promise<readonly RuleRow[]> {
    return this.bridge.request('settings.rules', {});
  }

  async revoke(id: string): Promise<void> {
    if (this.revoking.has(id)) return;
    this.revoking = new Set([...this.revoking, id]);
    await this.attempted(async () => {
      this.view = await this.bridge.request('settings.revokeRule', { id });
    });
    this.revoking = new Set([...this.revoking].filter((other) => other !== id));
  }
}
