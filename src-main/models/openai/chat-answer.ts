import type { TokenUsage } from '../../../src-preload/contract/events.ts';
import { isRecord } from '../../base/json.ts';
import type { ModelStopReason, ModelStreamEvent } from '../provider.ts';
import { count, list, record, text, tokenCount } from '../transport/answer-fields.ts';
import { emptyAnswer } from '../transport/attempts.ts';
import { StreamedInput } from '../transport/tool-input.ts';

/**
 * The field in which compatible services write thoughts that they want back with the answer (DeepSeek, Kimi, GLM). It
 * is also the signature of such a block. `reasoning`, which others write, does not go back.
 */
export const REASONING_FIELD = 'reasoning_content';

/**
 * Builds an answer from the chunks of a Chat Completions stream
 * (https://developers.openai.com/api/reference/resources/chat). Only the first choice counts; we never ask for more.
 */
export class ChatAnswer {
  readonly #calls: OpenCall[] = [];
  #open: OpenText | undefined;
  #refusal = '';
  #finish: string | undefined;
  #hasYielded = false;
  #usage: TokenUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

  /** The service reported why the answer ended. */
  get isComplete(): boolean {
    return this.#finish !== undefined;
  }

  *accept(chunk: unknown): Generator<ModelStreamEvent> {
    const fields = record(chunk);
    // Groq writes the usage in another place unless it is asked for.
    this.#countUsage(record(fields.usage ?? record(fields.x_groq).usage));
    const choice = record(list(fields.choices).find((each) => (count(record(each).index) ?? 0) === 0));
    const delta = record(choice.delta);
    const wanted = text(delta[REASONING_FIELD]);
    yield* this.#extend('thinking', wanted ?? text(delta.reasoning), wanted === undefined ? '' : REASONING_FIELD);
    yield* this.#extend('text', text(delta.content), '');
    this.#refusal += text(delta.refusal) ?? '';
    for (const call of list(delta.tool_calls)) this.#extendCall(record(call));
    this.#finish = text(choice.finish_reason) ?? this.#finish;
  }

  /**
   * Ends the answer once the stream has ended. The usage comes after the reason why the answer ended, so it is complete
   * only now.
   */
  *finish(): Generator<ModelStreamEvent> {
    yield* this.#close();
    const last = this.#calls.at(-1);
    for (const call of this.#calls) {
      const isCut = this.#finish === 'length' && call === last;
      yield { type: 'block', block: call.input.finish(isCut) };
    }
    if (!this.#hasYielded && this.#calls.length === 0 && this.#refusal === '' && this.#usage.output === 0)
      throw emptyAnswer();
    yield { type: 'end', ...this.#reason(), usage: this.#usage };
  }

  *#extend(type: OpenText['type'], added: string | undefined, signature: string): Generator<ModelStreamEvent> {
    if (!added) return;
    if (this.#open?.type !== type) {
      yield* this.#close();
      this.#open = { type, text: '', signature };
    }
    if (this.#open !== undefined) this.#open.text += added;
    this.#hasYielded = true;
    yield { type, text: added };
  }

  *#close(): Generator<ModelStreamEvent> {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    const { type, text: said, signature } = open;
    yield { type: 'block', block: type === 'text' ? { type, text: said } : { type, thinking: said, signature } };
  }

  /**
   * Some services repeat the id or the name in each piece, some count all calls as the first, and some name no index.
   */
  #extendCall(piece: ReturnType<typeof record>): void {
    const called = record(piece.function);
    const id = text(piece.id);
    const name = text(called.name);
    const index = count(piece.index);
    const added = argumentsOf(called);
    const last = this.#calls.findLast((call) => index === undefined || call.index === index);
    const call = last === undefined || isOther(last, { id, name, added }) ? this.#beginCall(id, name, index) : last;
    call.input.add(added);
    call.extent.add(added);
  }

  #beginCall(given: string | undefined, name: string | undefined, index = this.#calls.length): OpenCall {
    const id = given || this.#freeId();
    const call = { id, name, index, input: new StreamedInput(id, name), extent: new JsonExtent() };
    this.#calls.push(call);
    return call;
  }

  #freeId(): string {
    const number = this.#calls.length + 1;
    const id = `call_${number}`;
    return this.#calls.some((call) => call.id === id) ? `call_${number}_${number}` : id;
  }

  /** `prompt_tokens` includes what came from the cache and what went into it. */
  #countUsage(usage: ReturnType<typeof record>): void {
    const prompt = tokenCount(usage.prompt_tokens);
    if (prompt === undefined) return;
    const details = record(usage.prompt_tokens_details);
    const cacheRead = tokenCount(details.cached_tokens) ?? tokenCount(usage.prompt_cache_hit_tokens) ?? 0;
    const cacheWrite = tokenCount(details.cache_write_tokens) ?? 0;
    this.#usage = {
      input: Math.max(0, prompt - cacheRead - cacheWrite),
      output: tokenCount(usage.completion_tokens) ?? this.#usage.output,
      cacheRead,
      cacheWrite,
    };
  }

  #reason(): { stopReason: ModelStopReason; detail?: string } {
    if (this.#refusal !== '') return { stopReason: 'refusal', detail: this.#refusal };
    const hasCalls = this.#calls.length > 0;
    switch (this.#finish) {
      case 'length':
        return { stopReason: 'max_tokens' };
      case 'content_filter':
        return { stopReason: 'refusal', detail: 'content filter' };
      case 'stop':
      case 'tool_calls':
      case 'function_call':
        return { stopReason: hasCalls ? 'tool_use' : 'end_turn' };
      default:
        return { stopReason: hasCalls ? 'tool_use' : 'end_turn', detail: `stop reason: ${this.#finish}` };
    }
  }
}

interface OpenText {
  readonly type: 'text' | 'thinking';
  text: string;
  readonly signature: string;
}

interface OpenCall {
  readonly id: string;
  readonly name: string | undefined;
  readonly index: number;
  readonly input: StreamedInput;
  readonly extent: JsonExtent;
}

interface CallPiece {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly added: string;
}

/**
 * Whether the piece begins another call than the one with its index. If it has no id, a new name says so, or that the
 * input is whole already.
 */
function isOther(call: OpenCall, { id, name, added }: CallPiece): boolean {
  if (!name) return false;
  if (id) return id !== call.id;
  return name !== call.name || (call.extent.isWhole && added.trim() !== '');
}

/** Whether the text of a JSON object has come to its end. */
class JsonExtent {
  #levels = 0;
  #isInString = false;
  #isEscaped = false;
  isWhole = false;

  add(piece: string): void {
    for (const character of piece) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isInString) {
        this.#isEscaped = character === '\\';
        this.#isInString = character !== '"';
      } else if (character === '"') this.#isInString = true;
      else if (character === '{' || character === '[') this.#levels++;
      else if (character === '}' || character === ']') {
        this.#levels--;
        this.isWhole ||= this.#levels === 0;
      }
    }
  }
}

/** Returns the arguments of a call as text, as documented; some services send the parsed object, at once. */
function argumentsOf(called: ReturnType<typeof record>): string {
  const given = called.arguments;
  return text(given) ?? (isRecord(given) ? JSON.stringify(given) : '');
}
