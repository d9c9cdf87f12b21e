import type { TokenUsage } from '../../../src-preload/contract/events.ts';
import type { ModelStopReason, ModelStreamEvent } from '../provider.ts';
import { type JsonRecord, record, text, tokenCount } from '../transport/answer-fields.ts';
import { emptyAnswer } from '../transport/attempts.ts';
import { ReportedError } from '../transport/error-shape.ts';
import { blockOfItem, refusalText } from './response-items.ts';

/**
 * Builds an answer from the events of a Responses stream
 * (https://developers.openai.com/api/reference/resources/responses/streaming-events). Events and items of other types
 * are ignored. Throws `ReportedError` for an error in the stream.
 */
export class ResponsesAnswer {
  #isComplete = false;
  #hasYielded = false;
  #hasCalls = false;
  #refusal = '';
  /** Whether a part of the item that is being written was emitted, and whether another part follows it. */
  #streamed = false;

  /** The service reported that the answer is complete. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  *accept(event: unknown): Generator<ModelStreamEvent> {
    for (const out of this.#eventsFor(record(event))) {
      this.#hasYielded = true;
      yield out;
    }
  }

  *#eventsFor(event: JsonRecord): Generator<ModelStreamEvent> {
    switch (event.type) {
      case 'response.output_item.added':
        this.#streamed = false;
        return;
      case 'response.output_text.delta':
        yield* this.#delta('text', event.delta);
        return;
      case 'response.reasoning_summary_part.added':
        if (this.#streamed) yield* this.#delta('thinking', '\n\n');
        return;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        yield* this.#delta('thinking', event.delta);
        return;
      case 'response.output_item.done':
        yield* this.#finishItem(record(event.item));
        return;
      case 'response.completed':
      case 'response.incomplete':
        yield* this.#end(record(event.response));
        return;
      case 'response.failed':
        throw new ReportedError(record(record(event.response).error));
      case 'error':
        throw new ReportedError(event);
    }
  }

  *#delta(type: 'text' | 'thinking', delta: unknown): Generator<ModelStreamEvent> {
    const added = text(delta);
    if (!added) return;
    this.#streamed = true;
    yield { type, text: added };
  }

  *#finishItem(item: JsonRecord): Generator<ModelStreamEvent> {
    this.#refusal += refusalText(item);
    const block = blockOfItem(item);
    if (block === undefined) return;
    // Some gateways send no deltas, so the text is emitted once it is whole.
    if (!this.#streamed && block.type === 'text') yield* this.#delta('text', block.text);
    if (!this.#streamed && block.type === 'thinking') yield* this.#delta('thinking', block.thinking);
    if (block.type === 'tool_use') this.#hasCalls = true;
    yield { type: 'block', block };
  }

  *#end(response: JsonRecord): Generator<ModelStreamEvent> {
    const usage = usageOf(record(response.usage));
    if (!this.#hasYielded && this.#refusal === '' && usage.output === 0) throw emptyAnswer();
    this.#isComplete = true;
    yield { type: 'end', ...this.#reason(response), usage };
  }

  #reason(response: JsonRecord): { stopReason: ModelStopReason; detail?: string } {
    if (this.#refusal !== '') return { stopReason: 'refusal', detail: this.#refusal };
    const whole = this.#hasCalls ? 'tool_use' : 'end_turn';
    if (response.status !== 'incomplete') return { stopReason: whole };
    const reason = text(record(response.incomplete_details).reason);
    switch (reason) {
      case 'max_output_tokens':
        return { stopReason: 'max_tokens' };
      case 'content_filter':
        return { stopReason: 'refusal', detail: 'content filter' };
      default:
        return { stopReason: whole, detail: `incomplete: ${reason ?? 'no reason given'}` };
    }
  }
}

/** `input_tokens` includes what came from the cache and what went into it. */
function usageOf(usage: JsonRecord): TokenUsage {
  const details = record(usage.input_tokens_details);
  const cacheRead = tokenCount(details.cached_tokens) ?? 0;
  const cacheWrite = tokenCount(details.cache_write_tokens) ?? 0;
  return {
    input: Math.max(0, (tokenCount(usage.input_tokens) ?? 0) - cacheRead - cacheWrite),
    output: tokenCount(usage.output_tokens) ?? 0,
    cacheRead,
    cacheWrite,
  };
}
