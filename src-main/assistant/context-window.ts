import { givenOf } from '../../src-preload/contract/attached-text.ts';
import type { MediaBlock } from '../../src-preload/contract/content-blocks.ts';
import type { SentMessage, StoredEvent } from '../../src-preload/contract/events.ts';
import { exactJson } from '../../src-preload/contract/exact-json.ts';
import { charactersIn, estimateTokens } from '../base/token-estimate.ts';
import type { Message } from '../models/messages.ts';
import type { ModelLimits } from '../models/provider.ts';
import { givenBlocks } from '../storage/conversations/attached-text.ts';
import { eventsInContext } from './events-in-context.ts';
import { mediaOf } from './result-media.ts';

const IMAGE_TOKENS = 1_600;
const IMAGE_CHARACTERS = charactersIn(IMAGE_TOKENS);
/**
 * The length of text that costs as much as a file, per character of its Base64; generous for scanned pages and
 * compressed sound.
 */
const SHARES = { document: 0.1, audio: 0.02 } as const;
/** Share of the room for input that the texts attached to one message may take. */
const ATTACHED_SHARE = 0.4;
/** Based on the largest window: the Guide has no limit, but a model may answer next. */
const MAX_INPUT_TOKENS = 872_000;
/** Above this share of the input budget, old rounds are summarised. */
const COMPACT_ABOVE = 0.8;

/** Tokens that the input of a request may take. */
export function inputBudget(limits: ModelLimits): number {
  return Math.max(limits.contextTokens - Math.min(limits.maxOutputTokens, limits.contextTokens / 4), 1_000);
}

/** UTF-16 units of all texts attached to one message that a model is given; the rest is kept and not sent. */
export function attachedRoom(limits: ModelLimits): number {
  return charactersIn(Math.min(inputBudget(limits), MAX_INPUT_TOKENS) * ATTACHED_SHARE);
}

/** Adds to a message how much of each attached text models are given, so that every later request gives the same. */
export function withAttachmentsGiven(message: SentMessage, limits: ModelLimits): SentMessage {
  const { attachments = [] } = message;
  const texts = attachments.filter((each) => each.kind === 'text');
  const shares = givenOf(
    texts.map(({ text }) => text.length),
    attachedRoom(limits),
  );
  if (texts.every(({ text }, index) => shares[index] === text.length)) return message;
  const given = new Map(texts.map((each, index) => [each, shares[index]]));
  return {
    ...message,
    attachments: attachments.map((each) => {
      const share = each.kind === 'text' ? given.get(each) : undefined;
      return share === undefined ? each : { ...each, given: share };
    }),
  };
}

export function needsCompaction(tokens: number, limits: ModelLimits): boolean {
  return tokens > compactAbove(limits);
}

/** Tokens of a request above which old rounds are summarised before it is sent. */
export function compactAbove(limits: ModelLimits): number {
  return inputBudget(limits) * COMPACT_ABOVE;
}

/**
 * Tokens of the next request: what the model last reported, plus an estimate of what was added since; an estimate of
 * everything where nothing was reported or the history was cut since.
 */
export function contextTokens(events: readonly StoredEvent[], messages: readonly Message[]): number {
  const live = eventsInContext(events);
  const lastUsage = live.findLastIndex((event) => event.type === 'usage' && event.server === undefined);
  const lastCut = live.findLastIndex((event) => event.type === 'compaction');
  const usage = live[lastUsage];
  if (usage?.type !== 'usage' || lastCut > lastUsage || usage.input + usage.cacheRead + usage.cacheWrite === 0) {
    return estimateTokens(messages.reduce((sum, message) => sum + messageCharacters(message), 0));
  }
  const reported = usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
  const since = live.slice(lastUsage + 1).reduce((sum, event) => sum + addedCharacters(event), 0);
  return reported + estimateTokens(since);
}

/** What a message or a result counts for in a request. */
export function addedCharacters(event: StoredEvent): number {
  if (event.type === 'tool_result') return (event.modelText ?? event.text).length + mediaCharacters(mediaOf(event));
  if (event.type === 'user_message') {
    const { messages = [] } = event.prompt ?? {};
    return messageCharacters({
      role: 'user',
      content: [...messages.flatMap(({ content }) => content), ...givenBlocks(event)],
    });
  }
  return 0;
}

export function messageCharacters(message: Message): number {
  let sum = 0;
  for (const block of message.content) {
    if (block.type === 'text') sum += block.text.length;
    else if (block.type === 'tool_result') sum += block.content.length + mediaCharacters(block.media);
    else if (block.type === 'tool_use') sum += exactJson(block.input).length;
    else if (block.type === 'thinking') sum += block.thinking.length + block.signature.length;
    else if (block.type === 'redacted_thinking') sum += block.data.length;
    else sum += mediaCharacters([block]);
  }
  return sum;
}

function mediaCharacters(media: readonly MediaBlock[] = []): number {
  return media.reduce(
    (sum, { type, data }) => sum + (type === 'image' ? IMAGE_CHARACTERS : Math.ceil(data.length * SHARES[type])),
    0,
  );
}
