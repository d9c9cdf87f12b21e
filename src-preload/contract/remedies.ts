import type { SettingsSection, VendorPage } from './settings.ts';

/** Where a person can fix what failed. Trying again is not listed here. */
export type Remedy =
  /** `server`: the MCP server whose page it is about. */
  | { readonly kind: 'settings'; readonly section: SettingsSection; readonly server?: string }
  | { readonly kind: 'page'; readonly page: VendorPage };
