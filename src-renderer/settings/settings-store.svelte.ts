import type { SettingsView } from '../../src-preload/contract/settings.ts';
import type { RouteInput, RouteName, RouteOutput } from '../ui/bridge.ts';
import { ViewStore } from './view-store.svelte.ts';

/** Routes that change a setting and answer with all of them. */
type ChangeRoute = {
  [N in RouteName<'app'>]: RouteOutput<'app', N> extends SettingsView ? N : never;
}[RouteName<'app'>];

/** The settings as reported by main. A change is about `model`, `tool:read_file`. */
export class SettingsStore extends ViewStore<SettingsView> {
  /** Loads, and reloads when something changes elsewhere, until the returned function is called. */
  start(): () => void {
    return this.loadOn('settingsChanged');
  }

  protected override ask(): Promise<SettingsView> {
    return this.bridge.request('settings.get', {});
  }

  /** Resolves with true if it took effect. */
  change<N extends ChangeRoute>(about: string, route: N, input: RouteInput<'app', N>): Promise<boolean> {
    return this.changeWith(about, async () => (await this.bridge.request(route, input)) as SettingsView);
  }
}
