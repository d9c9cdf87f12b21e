import type { ToolUseBlock } from '../../../src-preload/contract/content-blocks.ts';
import { firstCharacters } from '../../base/text.ts';
import type { Message } from '../messages.ts';
import type {
  ListedModel,
  ModelCapabilities,
  ModelLimits,
  ModelPrice,
  ModelProvider,
  ModelRequest,
  ModelStreamEvent,
} from '../provider.ts';
import { planFor } from './plan.ts';
import { resultsText } from './results-text.ts';

/** The name of the provider and of its only model. */
export const GUIDE = 'guide';
/** The label that is shown wherever a model's name is. */
export const GUIDE_LABEL = 'Guide (offline, not an AI)';

const NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const DELTA_CHARACTERS = 400;

/**
 * A small, deterministic, built-in "model": it turns plain requests and `/tool_name {json}` lines into tool calls, and
 * shows what the tools returned. It uses the same loop, policy and events as any model, and ends its turn after every
 * round of results, so it cannot loop.
 */
export class GuideProvider implements ModelProvider {
  readonly name = GUIDE;
  readonly isOffline = true;

  /** Only the last message is read, so the context is never too long. */
  limits(): ModelLimits {
    return { contextTokens: 1_000_000_000, maxOutputTokens: 1_000_000_000 };
  }

  capabilities(): ModelCapabilities {
    return { tools: true, images: false, audio: false, documents: false, deferredTools: false, efforts: [] };
  }

  async list(): Promise<readonly ListedModel[]> {
    return [{ id: GUIDE, name: GUIDE_LABEL }];
  }

  price(): ModelPrice {
    return NO_USAGE;
  }

  remedies(): readonly never[] {
    return [];
  }

  async *stream({ messages, tools, signal }: ModelRequest): AsyncGenerator<ModelStreamEvent> {
    signal.throwIfAborted();
    const results = resultsText(messages, tools);
    const asked = lastUserText(messages);
    const plan = asked === '' && results !== '' ? { text: '', calls: [] } : planFor(asked, tools);

    const text = [results, plan.text].filter((part) => part !== '').join('\n\n');
    for (const delta of deltasOf(text)) {
      signal.throwIfAborted();
      yield { type: 'text', text: delta };
    }
    if (text !== '') yield { type: 'block', block: { type: 'text', text } };

    const ids = callIds(messages, plan.calls.length);
    for (const [index, { name, input }] of plan.calls.entries()) {
      signal.throwIfAborted();
      const block: ToolUseBlock = { type: 'tool_use', id: ids[index] ?? '', name, input };
      yield { type: 'block', block };
    }
    yield { type: 'end', stopReason: plan.calls.length > 0 ? 'tool_use' : 'end_turn', usage: NO_USAGE };
  }
}

function lastUserText(messages: readonly Message[]): string {
  const last = messages.at(-1);
  if (last?.role !== 'user') return '';
  return last.content
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim();
}

/** Ids are derived from the position in the conversation, so that the same conversation gives the same ids. */
function callIds(messages: readonly Message[], count: number): string[] {
  const taken = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const block of message.content) if (block.type === 'tool_use') taken.add(block.id);
  }
  const ids: string[] = [];
  // A compacted conversation is shorter than before, and its kept calls may contain the id of this position.
  for (let position = messages.length; ids.length < count; position++) {
    const round = Array.from({ length: count }, (_, index) => `guide_${position}_${index + 1}`);
    if (!round.some((id) => taken.has(id))) ids.push(...round);
  }
  return ids;
}

function* deltasOf(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const delta = firstCharacters(text.slice(start, start + DELTA_CHARACTERS + 1), DELTA_CHARACTERS);
    yield delta;
    start += delta.length;
  }
}
