import type { AssistantBlock, ToolUseBlock } from '../../src-preload/contract/content-blocks.ts';
import type { CalledBy, EventOf, StoredEvent } from '../../src-preload/contract/events.ts';
import { exactJson } from '../../src-preload/contract/exact-json.ts';
import type { MailState } from '../../src-preload/contract/outbox.ts';
import type { Message, ToolResultBlock, UserBlock } from '../models/messages.ts';
import { givenBlocks } from '../storage/conversations/attached-text.ts';
import { outerCalls } from '../storage/conversations/nested-calls.ts';
import { eventsInContext, lastOfTurns } from './events-in-context.ts';
import { blockFor, makerOf, type Reader } from './reader.ts';
import { refusedMessages, withoutMedia } from './refused-attachments.ts';
import { mediaOf, withinMediaRoom } from './result-media.ts';

/** Result of a call that was allowed and never ended: the process died, or the turn was stopped. */
export const INTERRUPTED_RESULT = 'Error: The call was interrupted before it returned; it may have run in part.';
/**
 * Result of a call that was not allowed yet: the answer was interrupted, or the turn was stopped while the user was
 * asked.
 */
export const NEVER_RUN_RESULT = 'Error: The call was interrupted before it began; nothing ran.';

/** Replaces a lost user message; the API requires a user message first. */
const MISSING_BEGINNING = '(The beginning of this conversation was lost.)';
/** A prompt of a server can end with words of the assistant, and models answer only to the user. */
const GO_ON = 'Go on from here.';

/** A command can change so many files that their names would fill the context. */
const MAX_TOLD_PATHS = 100;

export interface History {
  /** What the model is given. Every tool_use is answered in the next message, whatever the log holds. */
  readonly messages: readonly Message[];
}

/**
 * Folds the event log of one conversation into the history for a model. It is pure and total: a log cut off at any
 * event gives a history that the API accepts. `reader` is the model that is given it, and absent for one that made none
 * of it, such as a summariser.
 */
export function foldHistory(events: readonly StoredEvent[], reader?: Reader): History {
  const live = eventsInContext(events);
  const compaction = live.findLast((event) => event.type === 'compaction');
  const fold = new Fold(live, reader, outerCalls(events));
  if (compaction !== undefined) fold.summary(compaction);
  for (const event of live) {
    if (compaction !== undefined && event.seq <= compaction.throughSeq) continue;
    // Thinking is bound to the preceding content; the API refuses it once a summary has replaced that.
    if (compaction !== undefined && event.seq < compaction.seq && isThinking(event)) continue;
    fold.add(event);
  }
  return fold.finish();
}

function isThinking(event: StoredEvent): boolean {
  return event.type === 'block' && (event.block.type === 'thinking' || event.block.type === 'redacted_thinking');
}

/** The states as the model is told them. A missing one is not decided yet. */
const MAIL_STATES: Readonly<Partial<Record<MailState, string>>> = {
  sent: 'The email was sent.',
  not_sent: 'The email was not sent.',
  unsure: 'It is not known whether the email was sent. The user decides; don’t send it again.',
};

class Fold {
  readonly #messages: Message[] = [];
  readonly #reader: Reader | undefined;
  /** The provider and model whose answer is being folded. */
  #maker: Reader | undefined;
  /** Id of a call that the model knows → name of its tool. */
  readonly #names: ReadonlyMap<string, string>;
  readonly #refused: ReadonlySet<EventOf<'user_message'>>;
  readonly #calledByUser = new Map<string, EventOf<'tool_call'>>();
  #assistant: AssistantBlock[] = [];
  #pendingText = '';
  #openCalls: ToolUseBlock[] = [];
  readonly #begun = new Set<string>();
  #results = new Map<string, ToolResultBlock>();
  /** Calls with a result. */
  readonly #answered = new Set<string>();
  /** What became of mail, by call. */
  readonly #mails = new Map<string, string>();
  /** News of mail that came in the middle of a message, or between a call and its result. */
  #news: string[] = [];
  /** See `outerCalls`. */
  readonly #outer: ReadonlyMap<string, string>;

  constructor(live: readonly StoredEvent[], reader: Reader | undefined, outer: ReadonlyMap<string, string>) {
    this.#reader = reader;
    this.#names = new Map(live.flatMap(namesOfCalls));
    this.#refused = refusedMessages(live);
    this.#outer = outer;
  }

  summary(event: EventOf<'compaction'>): void {
    this.#messages.push({
      role: 'user',
      content: [{ type: 'text', text: `Summary of the conversation so far:\n\n${event.summary}` }],
    });
  }

  add(event: StoredEvent): void {
    switch (event.type) {
      case 'user_message':
        this.#endRound();
        this.#addMessage(event);
        break;
      case 'round_start':
        this.#endRound();
        this.#maker = makerOf(event);
        break;
      case 'text_delta':
        this.#beginContent();
        this.#pendingText += event.text;
        break;
      case 'block':
        this.#addBlock(blockFor(this.#reader, this.#maker, event.block));
        break;
      case 'round_end':
        this.#endAssistant();
        break;
      case 'decision':
        if (event.answer === 'allow') this.#begun.add(event.id);
        break;
      case 'tool_call':
        if (!this.#openCalls.some((call) => call.id === event.id)) this.#calledByUser.set(event.id, event);
        break;
      case 'tool_result':
        this.#addResult(event);
        break;
      case 'mail':
        this.#addMail(event);
        break;
      case 'undo':
      case 'redo':
        this.#addUndo(event);
        break;
      case 'retry':
        this.#addEarlierAttempt(event);
        break;
      default:
        break;
    }
  }

  finish(): History {
    this.#endRound();
    return { messages: withinMediaRoom(this.#messages) };
  }

  /** Content after a closed message with calls belongs to the next one, even if a damaged log lost the boundary. */
  #beginContent(): void {
    if (this.#assistant.length === 0 && this.#pendingText === '' && this.#openCalls.length > 0) this.#endRound();
  }

  #addBlock(block: AssistantBlock | undefined): void {
    if (block === undefined) return;
    this.#beginContent();
    if (block.type === 'text') this.#pendingText = '';
    else this.#flushText();
    this.#assistant.push(block);
    if (block.type === 'tool_use') this.#openCalls.push(block);
  }

  #addResult(event: EventOf<'tool_result'>): void {
    const content = this.#withMail(event, event.modelText ?? event.text);
    this.#answered.add(event.id);
    const userCall = this.#calledByUser.get(event.id);
    if (userCall !== undefined) {
      this.#endRound();
      const call = `${userCall.name} ${exactJson(userCall.input)}`;
      this.#pushUser([{ type: 'text', text: `I ran ${call}. Its result:\n\n${content}` }, ...mediaOf(event)]);
      return;
    }
    this.#results.set(event.id, {
      type: 'tool_result',
      toolUseId: event.id,
      content,
      isError: event.isError,
      ...(event.text === '' ? { isEmpty: true } : {}),
      ...(mediaOf(event).length > 0 ? { media: mediaOf(event) } : {}),
      ...(event.foundTools === undefined ? {} : { foundTools: event.foundTools }),
    });
  }

  /** The result itself says what became of a mail, unless it came first. */
  #addMail({ id, state, recipients }: EventOf<'mail'>): void {
    const text = MAIL_STATES[state];
    if (text === undefined) return;
    const isOpen = this.#names.has(id) && !this.#answered.has(id);
    this.#mails.set(id, text);
    // If a retry removed the call, only mail that was sent still matters.
    if (isOpen || (!this.#names.has(id) && state !== 'sent')) return;
    this.#news.push(`[An email of yours to ${recipients === 1 ? '1 recipient' : `${recipients} recipients`}: ${text}]`);
    if (this.#assistant.length === 0 && this.#pendingText === '' && this.#openCalls.length === 0) this.#endRound();
  }

  #withMail({ id, outcome }: EventOf<'tool_result'>, content: string): string {
    const mail = outcome === 'interrupted' || outcome === 'stopped' ? this.#mails.get(id) : undefined;
    return mail === undefined ? content : `${content}\n${mail}`;
  }

  /** The attempt's calls are no longer in the history, but their effects remain. */
  #addEarlierAttempt({ kept = [] }: EventOf<'retry'>): void {
    const paths = [...new Set(kept.flatMap((call) => call.paths))];
    if (paths.length === 0) return;
    this.#endRound();
    const unnamed = kept.reduce((sum, call) => sum + (call.count ?? call.paths.length) - call.paths.length, 0);
    const more = unnamed > 0 ? ` and ${unnamed} more` : '';
    const text = `[The user asked for another answer. Your earlier attempt is not shown here, but it changed files, and the changes were kept: ${paths.map(onOneLine).join(', ')}${more}. Read them before you change them again.]`;
    this.#pushUser([{ type: 'text', text }]);
  }

  /** If the model no longer sees the calls, there is nothing to report. */
  #addUndo({ type, calls, paths, count = paths.length }: EventOf<'undo' | 'redo'>): void {
    const tools = [
      ...new Set(calls.flatMap((id) => this.#names.get(id) ?? this.#names.get(this.#outer.get(id) ?? '') ?? [])),
    ];
    if (tools.length === 0 || paths.length === 0) return;
    this.#endRound();
    const [verb, now] =
      type === 'undo'
        ? [
            'undid',
            count === 1 ? 'has been restored to its earlier state' : 'have been restored to their earlier state',
          ]
        : ['redid', count === 1 ? 'is again as it was after that' : 'are again as they were after that'];
    const more = count - Math.min(paths.length, MAX_TOLD_PATHS);
    const told = paths.slice(0, MAX_TOLD_PATHS).map(onOneLine).join(', ');
    const files = more > 0 ? `${told} and ${more} more` : told;
    this.#pushUser([{ type: 'text', text: `[The user ${verb} ${tools.join(', ')}: ${files} ${now}.]` }]);
  }

  /** The messages of a server's prompt come first, each in its role. */
  #addMessage(event: EventOf<'user_message'>): void {
    const { messages = [] } = event.prompt ?? {};
    for (const { role, content } of messages) {
      if (role === 'user') this.#pushUser(content);
      else {
        this.#assistant.push(...content.filter((block) => block.type === 'text'));
        this.#endAssistant();
      }
    }
    const own = this.#refused.has(event) ? withoutMedia(givenBlocks(event)) : givenBlocks(event);
    if (own.length > 0) this.#pushUser(own);
    else if (messages.at(-1)?.role === 'assistant') this.#pushUser([{ type: 'text', text: GO_ON }]);
  }

  #flushText(): void {
    if (this.#pendingText !== '') this.#assistant.push({ type: 'text', text: this.#pendingText });
    this.#pendingText = '';
  }

  #endAssistant(): void {
    this.#flushText();
    const content = withoutTrailingThinking(this.#assistant);
    this.#assistant = [];
    if (content.length === 0) return;
    const last = this.#messages.at(-1);
    if (last?.role === 'assistant') {
      this.#messages[this.#messages.length - 1] = { role: 'assistant', content: [...last.content, ...content] };
    } else {
      if (last === undefined) this.#pushUser([{ type: 'text', text: MISSING_BEGINNING }]);
      this.#messages.push({ role: 'assistant', content });
    }
  }

  #endRound(): void {
    this.#endAssistant();
    if (this.#openCalls.length > 0)
      this.#pushUser(this.#openCalls.map((call) => this.#results.get(call.id) ?? this.#interrupted(call)));
    this.#openCalls = [];
    this.#results = new Map();
    if (this.#news.length > 0) this.#pushUser(this.#news.map((text) => ({ type: 'text', text })));
    this.#news = [];
  }

  #pushUser(content: readonly UserBlock[]): void {
    const last = this.#messages.at(-1);
    if (last?.role === 'user')
      this.#messages[this.#messages.length - 1] = { role: 'user', content: [...last.content, ...content] };
    else this.#messages.push({ role: 'user', content });
  }

  #interrupted(call: ToolUseBlock): ToolResultBlock {
    const content = this.#begun.has(call.id) ? INTERRUPTED_RESULT : NEVER_RUN_RESULT;
    return { type: 'tool_result', toolUseId: call.id, content, isError: true };
  }
}

function namesOfCalls(event: StoredEvent): (readonly [string, string])[] {
  if (event.type === 'tool_call') return [[event.id, event.name]];
  return event.type === 'retry' ? (event.kept ?? []).map(({ id, tool }) => [id, tool] as const) : [];
}

/** A file name may contain line breaks or anything else. */
function onOneLine(path: string): string {
  return /\p{C}/u.test(path) ? JSON.stringify(path) : path;
}

/**
 * The API refuses an assistant message that ends in thinking, which a cut-off answer does. Empty text is refused too.
 */
function withoutTrailingThinking(blocks: readonly AssistantBlock[]): AssistantBlock[] {
  const kept = blocks.filter((block) => block.type !== 'text' || block.text.trim() !== '');
  while (kept.at(-1)?.type === 'thinking' || kept.at(-1)?.type === 'redacted_thinking') kept.pop();
  return kept;
}

/**
 * What to append before continuing a conversation whose last turn was cut off when its process ended: results for open
 * calls and an end for the turn. Empty when the last turn ended.
 */
export function closeInterruptedTurn(
  events: readonly StoredEvent[],
): readonly (EventOf<'tool_result'> | EventOf<'block'> | EventOf<'turn_end'>)[] {
  const last = lastOfTurns(events);
  if (last === undefined || last.type === 'turn_end') return [];
  const turn = events.filter((event) => event.turnId === last.turnId);
  const answered = new Set(turn.flatMap((event) => (event.type === 'tool_result' ? [event.id] : [])));
  const allowed = new Set(
    turn.flatMap((event) => (event.type === 'decision' && event.answer === 'allow' ? [event.id] : [])),
  );
  const open = new Map<string, CalledBy>();
  let text = '';
  for (const event of turn) {
    if (event.type === 'text_delta') text += event.text;
    else if (event.type === 'block') text = '';
    if (event.type === 'tool_call') open.set(event.id, event.calledBy);
    if (event.type === 'block' && event.block.type === 'tool_use') open.set(event.block.id, 'model');
  }
  const unanswered = [...open].filter(([id]) => !answered.has(id));
  return [
    ...(text === '' ? [] : [{ type: 'block', block: { type: 'text', text } } as const]),
    ...unanswered.map(([id, calledBy]) => {
      const result = allowed.has(id) ? INTERRUPTED_RESULT : NEVER_RUN_RESULT;
      return { type: 'tool_result', id, calledBy, outcome: 'interrupted', text: result, isError: true } as const;
    }),
    { type: 'turn_end', stopReason: 'interrupted' },
  ];
}
