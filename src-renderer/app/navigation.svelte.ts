import type { SettingsSection } from '../../src-preload/contract/settings.ts';

export type Screen = 'chat' | 'settings' | 'trash' | 'first-run';

/** Which screen is shown. The open conversation is kept in the URL, so that a reload returns to it. */
export class Navigation {
  screen: Screen = $state('chat');
  /** The section of the settings that is open. */
  section: SettingsSection = $state('models');
  /** The MCP server or the model provider whose page the section opens with. */
  page: string | null = $state(null);
  /** In a narrow window the sidebar lies over the page. */
  isSidebarOpen = $state(false);

  showChat(): void {
    this.screen = 'chat';
    this.isSidebarOpen = false;
  }

  /** If no section is given, settings open at the first one, or stay as they are if already open. */
  showSettings(section?: SettingsSection, page: string | null = null): void {
    if (this.screen === 'first-run') return;
    this.page = page;
    if (section !== undefined || this.screen !== 'settings') this.section = section ?? 'models';
    this.screen = 'settings';
    this.isSidebarOpen = false;
  }

  showTrash(): void {
    this.screen = 'trash';
    this.isSidebarOpen = false;
  }

  showFirstRun(): void {
    this.screen = 'first-run';
  }
}
