import type { ModelAbility } from '../../../src-preload/contract/providers.ts';
import type { ModelCapabilities } from '../../models/provider.ts';

/** What a model can do, as the window shows it and goes by it. */
export function abilitiesOf({ tools, images, audio, documents, efforts }: ModelCapabilities): readonly ModelAbility[] {
  const has = { tools, images, audio, documents, thinking: efforts.length > 0 };
  return (['tools', 'images', 'audio', 'documents', 'thinking'] as const).filter((ability) => has[ability]);
}
