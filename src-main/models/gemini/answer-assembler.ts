import { randomUUID } from 'node:crypto';
import type { AssistantBlock } from '../../../src-preload/contract/content-blocks.ts';
import type { TokenUsage } from '../../../src-preload/contract/events.ts';
import { ModelError, type ModelStopReason, type ModelStreamEvent } from '../provider.ts';
import { list, record, text, tokenCount } from '../transport/answer-fields.ts';
import { emptyAnswer } from '../transport/attempts.ts';
import { wholeCall } from '../transport/tool-input.ts';

/**
 * Builds an answer from the chunks of streamGenerateContent
 * (https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse). Parts and reasons that it does not know
 * are ignored: the API adds new ones within a version.
 */
export class AnswerAssembler {
  readonly #usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  #open: OpenBlock | undefined;
  #hasBlocks = false;
  #hasToolUse = false;
  #finishReason: string | undefined;
  #blockReason: string | undefined;
  #detail: string | undefined;

  /** The service said why the answer ended. */
  get isComplete(): boolean {
    return this.#finishReason !== undefined || this.#blockReason !== undefined;
  }

  /** Set if the model ended with something that is no answer. Another attempt may go well. */
  get failure(): ModelError | undefined {
    if (this.#finishReason === undefined || this.#hasToolUse) return undefined;
    if (!UNREADABLE.has(this.#finishReason)) return undefined;
    const said = this.#detail === undefined ? '' : ` It said: ${this.#detail}`;
    return new ModelError(
      'bad_answer',
      `The model wrote a tool call that can't be read (${this.#finishReason}). Try again.${said}`,
    );
  }

  *accept(chunk: unknown): Generator<ModelStreamEvent> {
    const { usageMetadata, promptFeedback, candidates } = record(chunk);
    this.#countUsage(record(usageMetadata));
    const feedback = record(promptFeedback);
    this.#blockReason = text(feedback.blockReason) ?? this.#blockReason;
    this.#detail = text(feedback.blockReasonMessage) ?? this.#detail;
    const candidate = record(list(candidates)[0]);
    for (const part of list(record(candidate.content).parts)) yield* this.#add(record(part));
    this.#finishReason = text(candidate.finishReason) ?? this.#finishReason;
    this.#detail = text(candidate.finishMessage) ?? this.#detail;
  }

  /** Ends the answer after its last chunk. Throws `ModelError` if nothing came. */
  *finish(): Generator<ModelStreamEvent> {
    yield* this.#close();
    const stopReason = this.#stopReason();
    if (!this.#hasBlocks && stopReason === 'end_turn' && this.#finishReason !== 'STOP') throw emptyAnswer();
    const usage: TokenUsage = { ...this.#usage };
    const detail = this.#endDetail(stopReason);
    yield { type: 'end', stopReason, usage, ...(detail === undefined ? {} : { detail }) };
  }

  *#add(part: Readonly<Record<string, unknown>>): Generator<ModelStreamEvent> {
    const signature = text(part.thoughtSignature);
    if (part.functionCall !== undefined) {
      yield* this.#close();
      this.#hasToolUse = true;
      yield* this.#block(toolUse(record(part.functionCall), signature));
      return;
    }
    const added = text(part.text);
    if (added === undefined) return;
    const type = part.thought === true ? 'thinking' : 'text';
    if (added === '' && this.#open === undefined) {
      // The signature of an answer may come alone, in a last part without text. It has to go back as one.
      if (signature) yield* this.#block({ type: 'thinking', thinking: '', signature });
      return;
    }
    if (added !== '' && this.#open?.type !== type) {
      yield* this.#close();
      this.#open = { type, text: '', signature: undefined };
    }
    const open = this.#open;
    if (open === undefined) return;
    open.text += added;
    open.signature = signature ?? open.signature;
    if (added !== '') yield { type, text: added };
  }

  *#close(): Generator<ModelStreamEvent> {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    const { signature } = open;
    if (open.type === 'thinking')
      yield* this.#block({ type: 'thinking', thinking: open.text, signature: signature ?? '' });
    else yield* this.#block({ type: 'text', text: open.text, ...(signature ? { signature } : {}) });
  }

  *#block(block: AssistantBlock): Generator<ModelStreamEvent> {
    this.#hasBlocks = true;
    yield { type: 'block', block };
  }

  /**
   * Later counts replace earlier ones: each chunk repeats the whole. Thoughts are paid as output; the prompt's count
   * includes its cached part.
   */
  #countUsage(usage: Readonly<Record<string, unknown>>): void {
    const prompt = tokenCount(usage.promptTokenCount);
    if (prompt === undefined) return;
    const cached = tokenCount(usage.cachedContentTokenCount) ?? 0;
    this.#usage.input = Math.max(0, prompt - cached) + (tokenCount(usage.toolUsePromptTokenCount) ?? 0);
    this.#usage.cacheRead = cached;
    this.#usage.output = (tokenCount(usage.candidatesTokenCount) ?? 0) + (tokenCount(usage.thoughtsTokenCount) ?? 0);
  }

  #stopReason(): ModelStopReason {
    if (this.#blockReason !== undefined) return 'refusal';
    if (REFUSALS.has(this.#finishReason ?? '')) return 'refusal';
    if (this.#finishReason === 'MAX_TOKENS') return 'max_tokens';
    return this.#hasToolUse ? 'tool_use' : 'end_turn';
  }

  #endDetail(stopReason: ModelStopReason): string | undefined {
    const reason = this.#blockReason ?? this.#finishReason;
    if (stopReason === 'refusal') return [reason, this.#detail].filter((part) => part !== undefined).join(': ');
    if (reason === 'STOP' || reason === 'MAX_TOKENS') return undefined;
    return `stop reason: ${reason}`;
  }
}

interface OpenBlock {
  readonly type: 'text' | 'thinking';
  text: string;
  signature: string | undefined;
}

/** Source: https://ai.google.dev/api/generate-content#FinishReason */
const REFUSALS: ReadonlySet<string> = new Set([
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
]);
const UNREADABLE: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MALFORMED_RESPONSE',
]);

/** Older models give their calls no ids. */
function toolUse(call: Readonly<Record<string, unknown>>, signature: string | undefined): AssistantBlock {
  const block = wholeCall(text(call.id) || `call_${randomUUID()}`, text(call.name), call.args);
  return signature ? { ...block, signature } : block;
}
