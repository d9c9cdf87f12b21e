import type { AssistantBlock } from '../../src-preload/contract/content-blocks.ts';
import type { EventOf } from '../../src-preload/contract/events.ts';

/** The model that is given a history. */
export interface Reader {
  /** The provider's name in config.json. */
  readonly provider: string;
  readonly model: string;
}

/** The provider of rounds that older versions stored without its name. */
const FIRST_PROVIDER = 'anthropic';

export function makerOf({ provider = FIRST_PROVIDER, model }: EventOf<'round_start'>): Reader {
  return { provider, model };
}

/**
 * A block of an earlier answer as this reader is given it, or undefined if it is left out. Thinking and signatures are
 * bound to the model that made them: a service refuses those of another, and they could tell it what was not meant for
 * it.
 */
export function blockFor(
  reader: Reader | undefined,
  maker: Reader | undefined,
  block: AssistantBlock,
): AssistantBlock | undefined {
  if (reader !== undefined && maker?.provider === reader.provider && maker.model === reader.model) return block;
  if (block.type === 'thinking' || block.type === 'redacted_thinking') return undefined;
  if (block.signature === undefined) return block;
  const { signature: _, ...rest } = block;
  return rest;
}
