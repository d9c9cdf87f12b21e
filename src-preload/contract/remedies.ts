import type { SettingsSection, VendorPage } from './settings.ts';

/** Where a person can fix a failure. Trying again is not listed here. */
export type Remedy =
  /** `server`: opens the page of this MCP server. */
  | { readonly kind: 'settings'; readonly section: SettingsSection; readonly server?: string }
  | { readonly kind: 'page'; readonly page: VendorPage };
