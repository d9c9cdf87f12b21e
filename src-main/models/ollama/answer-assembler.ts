import { randomUUID } from 'node:crypto';
import type { AssistantBlock } from '../../../src-preload/contract/content-blocks.ts';
import type { TokenUsage } from '../../../src-preload/contract/events.ts';
import type { ModelStopReason, ModelStreamEvent } from '../provider.ts';
import { list, record, text, tokenCount } from '../transport/answer-fields.ts';
import { wholeCall } from '../transport/tool-input.ts';

/** Builds an answer from the lines of `/api/chat`. */
export class AnswerAssembler {
  /** Ollama said that the answer is complete. */
  isComplete = false;

  readonly #contextTokens: number;
  #open: { readonly type: 'text' | 'thinking'; text: string } | undefined;
  #hasToolUse = false;

  /**
   * `contextTokens` is the size of the context window: Ollama gives the same reason when the window is full as when the
   * answer reached its limit.
   */
  constructor(contextTokens: number) {
    this.#contextTokens = contextTokens;
  }

  *accept(line: unknown): Generator<ModelStreamEvent> {
    const { message, done, done_reason, prompt_eval_count, eval_count } = record(line);
    const { thinking, content, tool_calls } = record(message);
    yield* this.#extend('thinking', text(thinking));
    yield* this.#extend('text', text(content));
    for (const call of list(tool_calls)) {
      yield* this.#close();
      this.#hasToolUse = true;
      yield { type: 'block', block: toolUse(record(call)) };
    }
    if (done !== true) return;
    yield* this.#close();
    this.isComplete = true;
    const usage: TokenUsage = {
      input: tokenCount(prompt_eval_count) ?? 0,
      output: tokenCount(eval_count) ?? 0,
      cacheRead: 0,
      cacheWrite: 0,
    };
    yield { type: 'end', stopReason: this.#stopReason(text(done_reason), usage.input + usage.output), usage };
  }

  *#extend(type: 'text' | 'thinking', added: string | undefined): Generator<ModelStreamEvent> {
    if (!added) return;
    if (this.#open?.type !== type) {
      yield* this.#close();
      this.#open = { type, text: '' };
    }
    this.#open.text += added;
    yield { type, text: added };
  }

  *#close(): Generator<ModelStreamEvent> {
    const open = this.#open;
    this.#open = undefined;
    if (open?.type === 'text') yield { type: 'block', block: { type: 'text', text: open.text } };
    if (open?.type === 'thinking')
      yield { type: 'block', block: { type: 'thinking', thinking: open.text, signature: '' } };
  }

  #stopReason(reason: string | undefined, tokens: number): ModelStopReason {
    if (reason === 'length') return tokens >= this.#contextTokens ? 'model_context_window_exceeded' : 'max_tokens';
    return this.#hasToolUse ? 'tool_use' : 'end_turn';
  }
}

/** Older versions give calls no ids. */
function toolUse({ id, function: called }: Readonly<Record<string, unknown>>): AssistantBlock {
  const { name, arguments: input } = record(called);
  return wholeCall(text(id) || `call_${randomUUID()}`, text(name), input);
}
