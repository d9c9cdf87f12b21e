import type { SettingsSection } from '../../../src-preload/contract/settings.ts';
import type { SearchProviderName } from '../contract.ts';

/** What tools can be offered at the moment; queried again at every `refresh()`. */
export interface Availability {
  /** True if this credential (by its environment name, `BRAVE_API_KEY`) is set and not empty. */
  hasCredential(name: string): boolean;
  /** The provider for web_search in the settings. Undefined if it is chosen by availability. */
  readonly searchProvider: SearchProviderName | undefined;
  /** Whether commands may be held in a sandbox. */
  readonly hasSandbox: boolean;
}

/** A tool's requirement for being offered. */
export interface ToolGate {
  /** Completes "needs …" for people: `a Brave Search key`. */
  readonly needs: string;
  /** The section of the settings in which it is provided; `models` by default. */
  readonly setIn?: SettingsSection;
  isOpen(available: Availability): boolean;
}

/**
 * A gate that is open while every one of these credentials (environment names) is set and not empty. `needs` is for
 * people, and completes "needs …". Source: tool catalogue A.3.
 */
export function needsCredentials(needs: string, ...names: readonly string[]): ToolGate {
  return { needs, isOpen: (available) => names.every((name) => available.hasCredential(name)) };
}

/** Source: tool catalogue A.3. */
export const googleGate: ToolGate = {
  ...needsCredentials('a Google client id and secret', 'GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'),
  setIn: 'accounts',
};
