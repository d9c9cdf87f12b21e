import type { LogEvent, MessageAttachment } from '../../src-preload/contract/events.ts';
import { exactJson } from '../../src-preload/contract/exact-json.ts';

/** The estimate of `base/token-estimate.ts` in the main process. */
const CHARACTERS_PER_TOKEN = 3.5;
/** What a model is given of a result, unless set otherwise (`tools.maxResultChars`). */
const MAX_OF_RESULT = 40_000;
const IMAGE_TOKENS = 1_600;
/** Characters of text that cost as much as a byte. */
const PER_BYTE = { document: 0.133, audio: 0.027 } as const;

/** A rough estimate. */
export function estimatedTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/**
 * How many tokens the next request of a conversation takes: what the model reported for its last request, plus an
 * estimate of what was added since. Folded from the events that the window has.
 */
export class ContextUse {
  /** The estimated tokens that each event added, in order. */
  readonly #added: { readonly seq: number; readonly tokens: number }[] = [];
  #reported: { readonly seq: number; readonly tokens: number } | null = null;
  /** The system prompt and the tools: what was reported and is none of the events. */
  #base = 0;
  #baseBefore = 0;

  /** Null if no model has answered yet. */
  get tokens(): number | null {
    const reported = this.#reported;
    return reported === null ? null : reported.tokens + this.#addedAfter(reported.seq);
  }

  fold(event: LogEvent): void {
    if (event.type === 'usage') this.#report(event);
    else if (event.type === 'compaction') this.#cut(event.throughSeq, estimatedTokens(event.summary.length), event.seq);
    else if (event.type === 'retry') this.#removed(event.afterSeq);
    else {
      const tokens = tokensOf(event);
      if (tokens > 0) this.#added.push({ seq: event.seq, tokens });
    }
  }

  #report(usage: Extract<LogEvent, { type: 'usage' }>): void {
    const { input, cacheRead, cacheWrite, output } = usage;
    const tokens = input + cacheRead + cacheWrite + output;
    // The Guide takes none, and what a server or another model was asked is in none of the later requests.
    if (usage.server !== undefined || usage.inside !== undefined || tokens === 0) return;
    this.#reported = { seq: usage.seq, tokens };
    this.#baseBefore = this.#base;
    this.#base = Math.max(0, tokens - this.#addedAfter(-1));
  }

  #cut(throughSeq: number, summary: number, seq: number): void {
    this.#added.splice(0, this.#added.length, ...this.#added.filter((each) => each.seq > throughSeq));
    this.#added.unshift({ seq: throughSeq, tokens: summary });
    // The usage just before it was that of the request for the summary.
    this.#base = this.#baseBefore;
    this.#reported = { seq, tokens: this.#base + this.#addedAfter(-1) };
  }

  #removed(afterSeq: number): void {
    const removed = this.#addedAfter(afterSeq);
    this.#added.splice(0, this.#added.length, ...this.#added.filter((each) => each.seq <= afterSeq));
    if (this.#reported !== null && this.#reported.seq > afterSeq)
      this.#reported = { seq: afterSeq, tokens: Math.max(0, this.#reported.tokens - removed) };
  }

  #addedAfter(seq: number): number {
    return this.#added.reduce((sum, each) => (each.seq > seq ? sum + each.tokens : sum), 0);
  }
}

function tokensOf(event: LogEvent): number {
  if (event.type === 'tool_result') {
    const length = Math.min(event.cut?.length ?? event.text.length, MAX_OF_RESULT);
    const images = (event.parts ?? []).filter(({ type }) => type === 'image').length;
    return estimatedTokens(length) + images * IMAGE_TOKENS;
  }
  if (event.type === 'block') {
    if (event.block.type === 'text') return estimatedTokens(event.block.text.length);
    return event.block.type === 'tool_use' ? estimatedTokens(exactJson(event.block.input).length) : 0;
  }
  if (event.type !== 'user_message' || event.isCommand === true) return 0;
  const texts = event.content.reduce((sum, block) => sum + block.text.length, 0);
  const attached = (event.attachments ?? []).reduce((sum, each) => sum + tokensOfAttachment(each), 0);
  return estimatedTokens(texts) + attached;
}

function tokensOfAttachment(attachment: MessageAttachment): number {
  if (attachment.kind === 'image') return IMAGE_TOKENS;
  if (attachment.kind !== 'text') return estimatedTokens((attachment.bytes ?? 0) * PER_BYTE[attachment.kind]);
  const { given, length, text } = attachment;
  return estimatedTokens(given ?? length ?? text.length);
}
