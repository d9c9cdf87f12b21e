import type { SettingsSection, VendorPage } from './settings.ts';

/** Where a person can fix what failed. Trying again is not listed here. */
export type Remedy =
  | { readonly kind: 'settings'; readonly section: SettingsSection }
  | { readonly kind: 'page'; readonly page: VendorPage };
