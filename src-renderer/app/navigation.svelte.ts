export type Screen = 'chat' | 'settings' | 'first-run';

/** Which screen is shown. The open conversation is kept in the address, so that loading the page again comes back to it. */
export class Navigation {
  screen: Screen = $state('chat');
  /** In a narrow window the sidebar lies over the page. */
  isSidebarOpen = $state(false);

  showChat(): void {
    this.screen = 'chat';
    this.isSidebarOpen = false;
  }

  showSettings(): void {
    if (this.screen === 'first-run') return;
    this.screen = 'settings';
    this.isSidebarOpen = false;
  }

  showFirstRun(): void {
    this.screen = 'first-run';
  }
}
