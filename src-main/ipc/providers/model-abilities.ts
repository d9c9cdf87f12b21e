import type { ModelAbility } from '../../../src-preload/contract/providers.ts';
import type { ModelCapabilities } from '../../models/provider.ts';

/** What a model can do, as the window goes by it. */
export function abilitiesOf({ tools, images, audio, documents, efforts }: ModelCapabilities): readonly ModelAbility[] {
  const has = { tools, images, audio, documents, thinking: efforts.length > 0 };
  return (['tools', 'images', 'audio', 'documents', 'thinking'] as const).filter((ability) => has[ability]);
}

/** What is known of a model's abilities, or null if nothing is. */
export function knownAbilities(capabilities: ModelCapabilities): readonly ModelAbility[] | null {
  return capabilities.isAssumed ? null : abilitiesOf(capabilities);
}
