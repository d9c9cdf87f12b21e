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
  /** The person answered no in the consent surface: nothing went wrong. */
  readonly isOwnChoice: boolean;
}

/** The settings as main says they are. Nothing here is true before main has said so. */
export class SettingsStore {
  view = $state.raw<SettingsView | null>(null);
  /** Why they cannot be shown. */
  failure = $state<string | null>(null);
  /** What a change that is under way is about: `model`, `tool:read_file`. */
  busy = $state<string | null>(null);
  /** The change that did not take effect last, until another is made. */
  refused = $state.raw<Refusal | null>(null);
  readonly #bridge: Bridge;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  /** Loads, and loads again when something changed elsewhere, until the returned function is called. */
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
