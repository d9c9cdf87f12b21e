import { exactJson } from '../../../../../src-preload/contract/exact-json.ts';
import { parseExactJson } from '../../../../base/exact-number.ts';
import { isRecord } from '../../../../base/json.ts';
import type { EventConverter } from '../migration.ts';
import { withAttachments, withCalls } from './messages.ts';
import { reasonOf } from './reason-sentences.ts';
import { type CallOutcome, isOldResult, outcomeOfDenial, resultFacts } from './results.ts';

/** An event, or something else that is JSON: a damaged page can contain anything. */
type Row = Readonly<Record<string, unknown>>;

/** Most of a database: events that never had another form, and tell nothing about those that had. */
const ALWAYS_THE_SAME =
  /^\{"type":"(?:text_delta|round_start|round_end|mail|undo|usage|server_request|error|compaction|retry)"/;
const HAS_INPUT = /^\{"type":"(?:tool_call|block)"/;

/** Ids of calls that the user made. */
const OWN_CALL = 'user_';

/** Gives events of versions before November 2026 the fields that they lack. An event that has them stays as it is. */
export class EventFacts implements EventConverter {
  readonly #conversations = new Map<number, ConversationFacts>();

  convert(conversation: number, body: string): string {
    if (ALWAYS_THE_SAME.test(body) || (body.startsWith('{"type":"block"') && !body.includes(`"${OWN_CALL}`)))
      return body;
    const row = parsed(body);
    if (!isRecord(row)) return body;
    let facts = this.#conversations.get(conversation);
    if (facts === undefined) {
      facts = new ConversationFacts();
      this.#conversations.set(conversation, facts);
    }
    const converted = facts.convert(row);
    return converted === row ? body : exactJson(converted);
  }
}

/** Converts one conversation: the meaning of an old event may depend on those before it. */
class ConversationFacts {
  readonly #denials = new Map<string, CallOutcome>();
  /** Calls of a model that chose an id like those of the user's own. */
  readonly #modelsOwn = new Set<string>();
  #saidStopped = false;

  /** `row` itself if nothing changes. */
  convert(row: Row): Row {
    switch (row.type) {
      case 'block':
        if (isRecord(row.block) && row.block.type === 'tool_use') this.#modelsOwn.add(String(row.block.id));
        return row;
      case 'user_message':
        return withCalls(withAttachments(row));
      case 'tool_call':
        return 'calledBy' in row || typeof row.id !== 'string' ? row : { ...row, calledBy: this.#caller(row.id) };
      case 'decision':
        return typeof row.reason === 'string' ? this.#decision(row, row.reason) : row;
      case 'tool_result':
        return isOldResult(row)
          ? { ...row, calledBy: this.#caller(row.id), ...resultFacts(row, this.#denials.get(row.id)) }
          : row;
      case 'notice':
        if (row.code === 'stopped') this.#saidStopped = true;
        return row;
      case 'turn_end':
        return this.#end(row);
      default:
        return row;
    }
  }

  /** Only a notice recorded that the user stopped it. */
  #end(row: Row): Row {
    const wasStopped = this.#saidStopped && row.stopReason === 'interrupted';
    this.#saidStopped = false;
    return wasStopped && row.wasStopped !== true ? { ...row, wasStopped } : row;
  }

  #caller(id: string): 'person' | 'model' {
    return id.startsWith(OWN_CALL) && !this.#modelsOwn.has(id) ? 'person' : 'model';
  }

  #decision(row: Row, sentence: string): Row {
    const reason = reasonOf(sentence);
    if (row.answer === 'deny') this.#denials.set(String(row.id), outcomeOfDenial(row.by, reason.code));
    return { ...row, reason };
  }
}

function parsed(body: string): unknown {
  try {
    return HAS_INPUT.test(body) ? parseExactJson(body) : JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
