import type { SettingsSection } from '../../src-preload/contract/settings.ts';

export type Screen = 'chat' | 'settings' | 'first-run';

/** Which screen is shown. The open conversation is kept in the address, so that loading the page again comes back to it. */
export class Navigation {
  screen: Screen = $state('chat');
  /** Of the settings. */
  section: SettingsSection = $state('models');
  /** In a narrow window the sidebar lies over the page. */
  isSidebarOpen = $state(false);

  showChat(): void {
    this.screen = 'chat';
    this.isSidebarOpen = false;
  }

  /** `section`: without one the settings open where they begin, and stay where they are if they are open. */
  showSettings(section?: SettingsSection): void {
    if (this.screen === 'first-run') return;
    if (section !== undefined || this.screen !== 'settings') this.section = section ?? 'models';
    this.screen = 'settings';
    this.isSidebarOpen = false;
  }

  showFirstRun(): void {
    this.screen = 'first-run';
  }
}
