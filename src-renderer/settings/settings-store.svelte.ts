import type { SettingsView } from '../../src-preload/contract/settings.ts';
import {
  type Bridge,
  RequestFailed,
  type RouteInput,
  type RouteName,
  type RouteOutput,
  sentenceOf,
} from '../ui/bridge.ts';

/** Routes that change a setting and answer with all of them. */
type ChangeRoute = {
  [N in RouteName<'app'>]: RouteOutput<'app', N> extends SettingsView ? N : never;
}[RouteName<'app'>];

export interface Refusal {
  readonly about: string;
  readonly message: string;
  /** The user declined in the consent surface; this is not an error. */
  readonly isOwnChoice: boolean;
}

/** The settings as reported by main. Nothing changes here until main confirms it. */
export class SettingsStore {
  view = $state.raw<SettingsView | null>(null);
  /** Why they can't be shown. */
  failure = $state<string | null>(null);
  /** The change in progress: `model`, `tool:read_file`. */
  busy = $state<string | null>(null);
  /** The last change that failed, until another one is made. */
  refused = $state.raw<Refusal | null>(null);
  readonly #bridge: Bridge;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  /** Loads, and reloads when something changes elsewhere, until the returned function is called. */
  start(): () => void {
    void this.load();
    return this.#bridge.on('settingsChanged', () => void this.load());
  }

  async load(): Promise<void> {
    try {
      this.view = await this.#bridge.request('settings.get', {});
      this.failure = null;
    } catch (error) {
      this.failure = sentenceOf(error);
    }
  }

  /** `true`: it took effect. */
  async change<N extends ChangeRoute>(about: string, route: N, input: RouteInput<'app', N>): Promise<boolean> {
    this.busy = about;
    this.refused = null;
    try {
      this.view = (await this.#bridge.request(route, input)) as SettingsView;
      return true;
    } catch (error) {
      const isOwnChoice = error instanceof RequestFailed && error.code === 'not_confirmed';
      this.refused = { about, message: sentenceOf(error), isOwnChoice };
      return false;
    } finally {
      if (this.busy === about) this.busy = null;
    }
  }

  refusalOf(about: string): Refusal | null {
    return this.refused?.about === about ? this.refused : null;
  }
}
