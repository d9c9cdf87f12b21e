import type { ConversationEvent } from '../events.ts';

type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array';

/** Fields that readers of an event rely on, per type. */
const FIELDS: Readonly<Record<ConversationEvent['type'], Readonly<Record<string, Kind>>>> = {
  user_message: { content: 'array' },
  round_start: { model: 'string' },
  text_delta: { text: 'string' },
  block: { block: 'object' },
  round_end: { stopReason: 'string' },
  tool_call: { id: 'string', name: 'string', input: 'object' },
  decision: { id: 'string', answer: 'string', by: 'string', reason: 'string' },
  tool_result: { id: 'string', text: 'string', isError: 'boolean' },
  undo: { calls: 'array', paths: 'array' },
  usage: { model: 'string', input: 'number', output: 'number', cacheRead: 'number', cacheWrite: 'number' },
  notice: { code: 'string', message: 'string' },
  error: { code: 'string', message: 'string' },
  compaction: { summary: 'string', throughSeq: 'number', marks: 'array' },
  retry: { afterSeq: 'number' },
  turn_end: { stopReason: 'string' },
};

/** Same for the blocks inside a message. */
const BLOCK_FIELDS: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  text: { text: 'string' },
  image: { mediaType: 'string', data: 'string' },
  thinking: { thinking: 'string', signature: 'string' },
  redacted_thinking: { data: 'string' },
  tool_use: { id: 'string', name: 'string', input: 'object' },
};

/**
 * The event that a row holds. `undefined`: it is none, because a damaged page can hold anything; everything that this
 * program wrote is one.
 */
export function parseEvent(body: string): ConversationEvent | undefined {
  const value = parseJson(body);
  if (!fits(value, FIELDS)) return undefined;
  const event = value as unknown as ConversationEvent;
  const blocks: readonly unknown[] =
    event.type === 'user_message' ? event.content : event.type === 'block' ? [event.block] : [];
  return blocks.every((block) => fits(block, BLOCK_FIELDS)) ? event : undefined;
}

function fits(value: unknown, shapes: Readonly<Record<string, Readonly<Record<string, Kind>>>>): boolean {
  if (kindOf(value) !== 'object') return false;
  const fields = value as Readonly<Record<string, unknown>>;
  const type = fields.type;
  if (typeof type !== 'string' || !Object.hasOwn(shapes, type)) return false;
  return Object.entries(shapes[type] ?? {}).every(([name, kind]) => kindOf(fields[name]) === kind);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
