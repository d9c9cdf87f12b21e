import type { RuleMatcher } from '../policy/rules.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Settings } from '../settings/settings.ts';
import type { Storage } from '../storage/storage.ts';
import type { Credentials } from './credentials.ts';
import type { EffectiveSettings } from './effective-settings.ts';

/** The profile that the services work with. */
export interface OpenProfile {
  /** The absolute path. */
  readonly directory: string;
  readonly settings: Settings;
  /** What of `settings` is in effect. */
  readonly effective: EffectiveSettings;
  readonly storage: Storage<RuleMatcher>;
  readonly secrets: Secrets;
  readonly credentials: Credentials;
}
