import type { AssistantBlock } from '../../../src-preload/contract/content-blocks.ts';
import type { TokenUsage } from '../../../src-preload/contract/events.ts';
import { isRecord } from '../../base/json.ts';
import type { ModelStopReason, ModelStreamEvent } from '../provider.ts';
import { count, type JsonRecord, record, text, tokenCount } from '../transport/answer-fields.ts';
import { emptyAnswer } from '../transport/attempts.ts';
import { StreamedInput } from '../transport/tool-input.ts';

/**
 * Builds an answer from the raw events of the Messages stream
 * (https://platform.claude.com/docs/en/build-with-claude/streaming). Block and delta types that it does not know are
 * ignored: the API adds new ones within a version.
 */
export class AnswerAssembler {
  /** The API reported that the answer is complete. */
  isComplete = false;

  #hasYielded = false;
  readonly #open = new Map<number, OpenBlock>();
  readonly #usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  #stopReason: string | undefined;
  #detail: string | undefined;
  #hasToolUse = false;
  /** The index of a finished call without input: only the stop reason says whether it was cut off. */
  #withheld: number | undefined;

  /** The model said why it stopped; only the end of the message may be missing. */
  get hasStopped(): boolean {
    return this.#stopReason !== undefined;
  }

  *accept(event: unknown): Generator<ModelStreamEvent> {
    for (const out of this.#eventsFor(record(event))) {
      this.#hasYielded = true;
      yield out;
    }
  }

  *#eventsFor(event: JsonRecord): Generator<ModelStreamEvent> {
    switch (event.type) {
      case 'message_start':
        this.#countUsage(record(record(event.message).usage));
        return;
      case 'content_block_start':
        yield* this.#release();
        yield* this.#startBlock(indexOf(event), record(event.content_block));
        return;
      case 'content_block_delta':
        yield* this.#extendBlock(indexOf(event), record(event.delta));
        return;
      case 'content_block_stop':
        yield* this.#stopBlock(indexOf(event));
        return;
      case 'message_delta': {
        const delta = record(event.delta);
        this.#stopReason = text(delta.stop_reason) ?? this.#stopReason;
        this.#detail = stopDetail(delta) ?? this.#detail;
        this.#countUsage(record(event.usage));
        yield* this.#release();
        return;
      }
      case 'message_stop':
        for (const index of [...this.#open.keys()]) yield* this.#finishBlock(index);
        if (this.#stopReason === undefined && !this.#hasYielded) throw emptyAnswer();
        this.isComplete = true;
        yield this.#end();
        return;
    }
  }

  *#startBlock(index: number, start: JsonRecord): Generator<ModelStreamEvent> {
    switch (start.type) {
      case 'text': {
        this.#open.set(index, { type: 'text', text: '' });
        yield* this.#extendBlock(index, { type: 'text_delta', text: start.text });
        return;
      }
      case 'thinking': {
        this.#open.set(index, { type: 'thinking', thinking: '', signature: text(start.signature) ?? '' });
        yield* this.#extendBlock(index, { type: 'thinking_delta', thinking: start.thinking });
        return;
      }
      case 'redacted_thinking':
        this.#open.set(index, { type: 'redacted_thinking', data: text(start.data) ?? '' });
        return;
      case 'tool_use': {
        // Some gateways send the whole input with the start of the block, and no deltas.
        const given = isEmptyRecord(start.input) ? undefined : start.input;
        const input = new StreamedInput(text(start.id), text(start.name), given);
        this.#open.set(index, { type: 'tool_use', input });
        return;
      }
    }
  }

  *#extendBlock(index: number, delta: JsonRecord): Generator<ModelStreamEvent> {
    const block = this.#open.get(index);
    switch (delta.type) {
      case 'text_delta': {
        const added = text(delta.text);
        if (block?.type !== 'text' || !added) return;
        block.text += added;
        yield { type: 'text', text: added };
        return;
      }
      case 'thinking_delta': {
        const added = text(delta.thinking);
        if (block?.type !== 'thinking' || !added) return;
        block.thinking += added;
        yield { type: 'thinking', text: added };
        return;
      }
      case 'signature_delta':
        if (block?.type === 'thinking') block.signature += text(delta.signature) ?? '';
        return;
      case 'input_json_delta':
        if (block?.type === 'tool_use') block.input.add(text(delta.partial_json) ?? '');
        return;
    }
  }

  *#stopBlock(index: number): Generator<ModelStreamEvent> {
    yield* this.#release();
    const open = this.#open.get(index);
    if (open?.type === 'tool_use' && open.input.isBlank) this.#withheld = index;
    else yield* this.#finishBlock(index);
  }

  *#release(): Generator<ModelStreamEvent> {
    const index = this.#withheld;
    this.#withheld = undefined;
    if (index !== undefined) yield* this.#finishBlock(index);
  }

  *#finishBlock(index: number): Generator<ModelStreamEvent> {
    const open = this.#open.get(index);
    if (open === undefined) return;
    this.#open.delete(index);
    // The API refuses empty text blocks when they are sent back.
    if (open.type === 'text' && open.text === '') return;
    if (open.type === 'tool_use') this.#hasToolUse = true;
    yield { type: 'block', block: finished(open, CUT_OFF.has(this.#stopReason ?? '')) };
  }

  /** Later counts replace earlier ones: `message_delta` repeats the whole. */
  #countUsage(usage: JsonRecord): void {
    this.#usage.input = tokenCount(usage.input_tokens) ?? this.#usage.input;
    this.#usage.output = tokenCount(usage.output_tokens) ?? this.#usage.output;
    this.#usage.cacheRead = tokenCount(usage.cache_read_input_tokens) ?? this.#usage.cacheRead;
    this.#usage.cacheWrite = tokenCount(usage.cache_creation_input_tokens) ?? this.#usage.cacheWrite;
  }

  #end(): ModelStreamEvent {
    const usage: TokenUsage = { ...this.#usage };
    const known = STOP_REASONS.find((reason) => reason === this.#stopReason);
    const stopReason = known ?? (this.#hasToolUse ? 'tool_use' : 'end_turn');
    const detail = this.#detail ?? (known ? undefined : `stop reason: ${this.#stopReason ?? 'none given'}`);
    return { type: 'end', stopReason, usage, ...(detail === undefined ? {} : { detail }) };
  }
}

const STOP_REASONS: readonly ModelStopReason[] = [
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
];

type OpenBlock =
  | { readonly type: 'text'; text: string }
  | { readonly type: 'thinking'; thinking: string; signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | { readonly type: 'tool_use'; readonly input: StreamedInput };

const CUT_OFF: ReadonlySet<string> = new Set(['max_tokens', 'model_context_window_exceeded']);

function finished(open: OpenBlock, isCut: boolean): AssistantBlock {
  return open.type === 'tool_use' ? open.input.finish(isCut) : { ...open };
}

/** A refusal comes with its category and, sometimes, an explanation; a stop sequence with its text. */
function stopDetail(delta: JsonRecord): string | undefined {
  const details = record(delta.stop_details);
  const parts = [text(details.category), text(details.explanation)].filter((part) => part !== undefined);
  if (parts.length > 0) return parts.join(': ');
  return text(delta.stop_sequence);
}

function indexOf(event: JsonRecord): number {
  return count(event.index) ?? 0;
}

function isEmptyRecord(value: unknown): boolean {
  return value === undefined || (isRecord(value) && Object.keys(value).length === 0);
}
