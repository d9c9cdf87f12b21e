import type { ImageBlock, TextBlock } from '../../../src-preload/contract/content-blocks.ts';
import type { ApproveFlag, DecisionReason } from '../../../src-preload/contract/decision-reason.ts';
import type {
  CalledBy,
  CallOutcome,
  ConversationEvent,
  EventOf,
  MessageAttachment,
} from '../../../src-preload/contract/events.ts';
import type { TerminalCard, ToolCard } from '../../../src-preload/contract/tool-card.ts';
import { attachedText } from './attached-text.ts';

/**
 * Converts rows that versions before November 2026 wrote to events. Those versions stated in English what is a field now, and only this
 * file parses it. An old row is recognised by the missing field, so new rows need no version and cost nothing. The sentences below are the
 * old ones and must never change.
 */

type OldMessage = Omit<EventOf<'user_message'>, 'content' | 'attachments'> & {
  /** Attachments first, then the text. */
  readonly content: readonly (TextBlock | ImageBlock)[];
  /** Number of attachment blocks at the start of `content`. */
  readonly attached?: number;
};
type OldCall = Omit<EventOf<'tool_call'>, 'calledBy'>;
type OldDecision = Omit<EventOf<'decision'>, 'reason'> & { readonly reason: string };
type OldResult = Omit<EventOf<'tool_result'>, 'calledBy' | 'outcome' | 'exitCode' | 'parts'>;

/** An event in the form of any version. */
export type WrittenEvent = ConversationEvent | OldMessage | OldCall | OldDecision | OldResult;

/** Ids of calls that the person made. */
const OWN_CALL = 'user_';

/** For the rows of one conversation, in order: the meaning of an old result may depend on the decision before it. */
export class Upcaster {
  readonly #denials = new Map<string, CallOutcome>();
  /** Calls of a model that chose an id like those of the person's own. */
  readonly #modelsOwn = new Set<string>();
  #saidStopped = false;

  upcast(event: WrittenEvent): ConversationEvent {
    switch (event.type) {
      case 'block':
        if (event.block.type === 'tool_use' && event.block.id.startsWith(OWN_CALL)) this.#modelsOwn.add(event.block.id);
        return event;
      case 'user_message':
        return withCalls(isNewMessage(event) ? event : message(event));
      case 'tool_call':
        return 'calledBy' in event ? event : { ...event, calledBy: this.#caller(event.id) };
      case 'decision':
        return isOldDecision(event) ? this.#decision(event) : event;
      case 'tool_result':
        return 'outcome' in event ? event : this.#result(event);
      case 'notice':
        if (event.code === 'stopped') this.#saidStopped = true;
        return event;
      case 'turn_end':
        return this.#end(event);
      default:
        return event;
    }
  }

  /** Only a notice recorded that the person stopped it. */
  #end(event: EventOf<'turn_end'>): ConversationEvent {
    const wasStopped = this.#saidStopped && event.stopReason === 'interrupted';
    this.#saidStopped = false;
    return wasStopped ? { ...event, wasStopped } : event;
  }

  #caller(id: string): CalledBy {
    return id.startsWith(OWN_CALL) && !this.#modelsOwn.has(id) ? 'person' : 'model';
  }

  #decision(old: OldDecision): ConversationEvent {
    const reason = reasonOf(old.reason);
    if (old.answer === 'deny') this.#denials.set(old.id, outcomeOfDenial(old.by, reason));
    return { ...old, reason };
  }

  #result(old: OldResult): ConversationEvent {
    const { card, ...rest } = old;
    const exitCode = exitCodeOf(old);
    return {
      ...rest,
      calledBy: this.#caller(old.id),
      outcome: this.#denials.get(old.id) ?? outcomeOf(old),
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(card === undefined ? {} : { card: cardOf(card, old) }),
    };
  }
}

function isOldDecision(event: EventOf<'decision'> | OldDecision): event is OldDecision {
  return typeof event.reason === 'string';
}

function isNewMessage(event: EventOf<'user_message'> | OldMessage): event is EventOf<'user_message'> {
  if ('attached' in event || event.content.some(({ type }) => type !== 'text')) return false;
  return 'attachments' in event || countAttached(event.content) === 0;
}

/** The first versions did not count them; at most the last block was written by the person. */
function countAttached(content: OldMessage['content']): number {
  const firstWritten = content.findIndex(
    (block, index) => block.type === 'text' && (index === content.length - 1 || !ATTACHED_TEXT.test(block.text)),
  );
  return firstWritten === -1 ? content.length : firstWritten;
}

function message({ content, attached = countAttached(content), ...rest }: OldMessage): EventOf<'user_message'> {
  const attachments = content.flatMap((block, index) => {
    if (index >= attached && block.type === 'text') return [];
    return [attachment(block, nameIn(rest.marks?.[index]?.source ?? ''))];
  });
  const written = content.slice(attached).filter((block) => block.type === 'text');
  return { ...rest, content: written, ...(attachments.length === 0 ? {} : { attachments }) };
}

const TOOL_LINE = /^\/[a-z]\w*(?:\s*\{|\s*$)/i;

/** Messages that call tools are marked now; in all earlier versions they begin like this and have no attachments. */
function withCalls(event: EventOf<'user_message'>): EventOf<'user_message'> {
  if (event.callsTools === true || event.isCommand === true || event.attachments !== undefined) return event;
  const isToolLine = TOOL_LINE.test(event.content.map(({ text }) => text).join('\n'));
  return isToolLine ? { ...event, callsTools: true } : event;
}

/** For an image, only the mark contained the name. */
function nameIn(source: string): string | undefined {
  return /^attached file ([\s\S]*)$/.exec(source)?.[1];
}

const ATTACHED_TEXT = /^Attached file: ([^\n]*)\n(`{3,})\n([\s\S]*)\2$/;

function attachment(block: TextBlock | ImageBlock, nameInMark: string | undefined): MessageAttachment {
  if (block.type === 'image') {
    const { mediaType, data } = block;
    return { kind: 'image', ...(nameInMark === undefined ? {} : { name: nameInMark }), mediaType, data };
  }
  const [, name = nameInMark ?? '', , fenced = block.text] = ATTACHED_TEXT.exec(block.text) ?? [];
  // It was not recorded whether the line end before the fence belongs to the file; the model is given the same either way.
  const text = fenced.replace(/\n$/, '');
  const isSame = attachedText({ name, text }) === block.text;
  return { kind: 'text', name, text: isSame ? text : fenced };
}

const NEVER_A_CALL: ReadonlySet<DecisionReason['code']> = new Set([
  'unknown_tool',
  'tool_unavailable',
  'tool_disabled',
  'invalid_json',
  'invalid_input',
  'impossible',
]);

function outcomeOfDenial(by: OldDecision['by'], { code }: DecisionReason): CallOutcome {
  if (by === 'default' && code === 'stopped') return 'stopped';
  return by === 'default' && NEVER_A_CALL.has(code) ? 'failed' : 'declined';
}

/** The process died, or a tool did not react to Stop in time; in the second case the running time is known. */
const INTERRUPTED = 'Error: The call was interrupted before it returned; it may have run in part.';
const NEVER_RAN = 'Error: The call was interrupted before it began; nothing ran.';
/** A text with the tool's own prefix; if it continues, or contains more, someone else wrote it. */
const STOPPED =
  /^Error(?: [^:\n]*)?: (?:[Ss]topped by the user|Process was stopped by the user|The output cannot be written any more|(?:The|This) operation was aborted|Interrupted)$/;
const STOPPED_LINE = '[stopped by the user]';
/** For a further access (a redirect), which has no separate decision. */
const DECLINED = [
  /^Error: The user declined to run [^\n]+?\.(?: The user says: [\s\S]*)?$/,
  /^Error: What [^\n]+ would touch kept changing while the user was being asked\. Nothing was run\.$/,
  /^Error: Reaching your own machine or network is switched off \(tools\.allowPrivateNetwork in config\.json is "never"\)\.$/,
];

/** For a call that was allowed, or never decided. */
function outcomeOf({ text, isError, elapsedMs, card }: OldResult): CallOutcome {
  if (!isError) return 'completed';
  if (text === NEVER_RAN || (text === INTERRUPTED && elapsedMs === undefined)) return 'interrupted';
  const wasEnded = card?.kind === 'terminal' && card.ending === 'stopped';
  if (wasEnded || text === INTERRUPTED || text === STOPPED_LINE || STOPPED.test(text)) return 'stopped';
  return DECLINED.some((pattern) => pattern.test(text)) ? 'declined' : 'failed';
}

function exitCodeOf({ text, isError, card }: OldResult): number | undefined {
  if (card?.kind !== 'terminal') return undefined;
  if (card.exitCode !== undefined || card.ending !== 'stopped' || isError) return card.exitCode;
  // A shell that was killed in the background.
  const code = /^\[exit code (\d+)\]$/.exec(lastLine(text))?.[1];
  return code === undefined ? undefined : Number(code);
}

function cardOf(card: ToolCard, { text, isError }: OldResult): ToolCard {
  // A damaged card may lack them.
  if (card.kind === 'jobs' && Array.isArray(card.jobs))
    return { ...card, jobs: card.jobs.map((job) => (job.salary === 'Not listed' ? { ...job, salary: '' } : job)) };
  if (card.kind !== 'terminal') return card;
  const addedByTool = text.length - printedLength(text, isError, card);
  return addedByTool === 0 ? card : { ...card, addedByTool };
}

/** How much of a result's text, from its start, was printed. */
function printedLength(text: string, isError: boolean, card: TerminalCard): number {
  const { exitCode, shellId } = card;
  const nothingPrinted = [
    'Command completed successfully (no output)',
    `Command failed (exit code ${exitCode})`,
    'Error: Process timed out',
    'Error: Process was stopped by the user',
    `Started background shell: ${shellId}`,
    `Killed shell: ${shellId}`,
  ];
  if (nothingPrinted.includes(text)) return 0;
  const line = lastLine(text);
  if (!isStatus(line, isError, card)) return text.length;
  const printed = Math.max(0, text.length - line.length - 1);
  return shellId !== undefined && text.slice(0, printed) === '(no output yet)' ? 0 : printed;
}

/** Whether a line was added by the tool. A command can print it too; if it succeeded, only background shells report the code. */
function isStatus(line: string, isError: boolean, { ending, exitCode, shellId }: TerminalCard): boolean {
  switch (ending) {
    case 'exited':
      return (exitCode !== 0 || shellId !== undefined) && line === `[exit code ${exitCode}]`;
    case 'timed-out':
      return /^\[timed out after [\d.]+s\]$/.test(line);
    case 'stopped':
      return isError ? line === STOPPED_LINE : /^\[exit code \d+\]$/.test(line);
    case 'background':
      return line === '[running]';
  }
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1);
}

/** A sentence whose meaning has changed since, such as that of commands, stays text. */
const SENTENCES: ReadonlyMap<string, DecisionReason> = new Map<string, DecisionReason>([
  ['Sending in your name always asks.', { code: 'send' }],
  ['Changing files asks first, unless a rule of yours allows edits in that folder.', { code: 'write' }],
  [
    'Reaching your own machine or network asks first, unless a rule of yours allows that host.',
    { code: 'private_network' },
  ],
  ['This variable looks like it holds a secret, so reading it asks every time.', { code: 'secret_variable' }],
  [
    'Private text and text from outside are both in this conversation, so writing to memory asks.',
    { code: 'memory_marked' },
  ],
  [
    'Private text and text from outside are both in this conversation, so handing text to another model asks.',
    { code: 'other_model_marked' },
  ],
  ['This tool does not say what the call would touch, so it asks.', { code: 'effects_unstated' }],
  ['You allowed it this once.', { code: 'allowed_once' }],
  ['You declined it.', { code: 'declined' }],
  ['The input of the terminal ended before there was an answer.', { code: 'terminal_ended' }],
  ['Nothing is changed outside the workspace and the folders that you granted.', { code: 'write_outside' }],
  ['Outside the workspace and the folders that you granted', { code: 'outside_roots' }],
  [
    'Reaching your own machine or network is switched off (tools.allowPrivateNetwork in config.json is "never").',
    { code: 'private_network_off' },
  ],
  ['What the call would touch kept changing while you were being asked.', { code: 'kept_changing' }],
  ['The answer would have kept a rule that was not offered, so nothing was allowed.', { code: 'rule_not_offered' }],
  ['Stopped before it was decided', { code: 'stopped' }],
  ['There is no such tool.', { code: 'unknown_tool' }],
  ['The tool is disabled.', { code: 'tool_disabled' }],
  ['The input is not valid JSON.', { code: 'invalid_json' }],
  ['The call is not valid.', { code: 'invalid_input' }],
  ['The call cannot be made as it is', { code: 'impossible' }],
]);

/** One for each allowed access, in order. */
const ALLOWED: readonly (readonly [sentence: string, reason: DecisionReason])[] = [
  ['It only looks, and changes nothing.', { code: 'read_only' }],
  ['Asking a model that you configured is allowed.', { code: 'own_model' }],
  ['It stays inside Steward.', { code: 'inside_app' }],
  ['Reading in the workspace and the folders that you granted is allowed.', { code: 'read_inside' }],
  ['Reading public addresses is allowed.', { code: 'public_address' }],
];

/** Sentences with parameters: which one is `first` and which `second`. */
const PATTERNS: readonly (readonly [pattern: RegExp, reason: (first: string, second: string) => DecisionReason])[] = [
  [/^--approve (none|reads|all) allows it\.$/, (flag) => ({ code: 'flag_allows', flag: flagOf(flag) })],
  [
    /^--approve (none|reads|all) (?:denies everything that asks|does not answer for this)\. ([\s\S]*)$/,
    (flag, asked) => ({ code: 'flag_denies', flag: flagOf(flag), asked: reasonOf(asked) }),
  ],
  [
    /^Nobody could be asked: there is no terminal, and --approve was not given\. ([\s\S]*)$/,
    (asked) => ({ code: 'nobody_asked', asked: reasonOf(asked) }),
  ],
  [
    /^What this would touch changed while you were being asked, so you are asked again\. ([\s\S]*)$/,
    (asked) => ({ code: 'changed_while_asked', asked: reasonOf(asked) }),
  ],
  [/^A rule of yours allows it: ([\s\S]*)\.$/, (rules) => ({ code: 'rules', rules: [rules] })],
  [
    /^You allowed it, and for this conversation: ([\s\S]*)\.$/,
    (rule) => ({ code: 'allowed_and_kept', scope: 'conversation', rule }),
  ],
  [/^You allowed it, and always: ([\s\S]*)\.$/, (rule) => ({ code: 'allowed_and_kept', scope: 'always', rule })],
  [/^The tool is not available: it needs ([\s\S]*)\.$/, (needs) => ({ code: 'tool_unavailable', needs })],
  [
    /^([\s\S]*) is outside the workspace and the folders that you granted, so reading it asks\.$/,
    (path) => ({ code: 'read_outside', path }),
  ],
  [
    /^Private text and text from outside are both in this conversation, and you have not named or allowed ([\s\S]*)\.$/,
    (address) => ({ code: 'address_not_named', address }),
  ],
];

function reasonOf(text: string): DecisionReason {
  const plain = SENTENCES.get(text);
  if (plain !== undefined) return plain;
  for (const [pattern, reason] of PATTERNS) {
    const [found, first = '', second = ''] = pattern.exec(text) ?? [];
    if (found !== undefined) return reason(first, second);
  }
  return allowedReason(text) ?? { code: 'text', text };
}

function allowedReason(text: string): DecisionReason | undefined {
  const reasons: DecisionReason[] = [];
  for (let rest = text; rest !== ''; ) {
    const next = ALLOWED.find(([sentence]) => rest === sentence || rest.startsWith(`${sentence} `));
    if (next === undefined) return undefined;
    reasons.push(next[1]);
    rest = rest.slice(next[0].length + 1);
  }
  const [only] = reasons;
  return reasons.length === 1 ? only : reasons.length === 0 ? undefined : { code: 'all_of', reasons };
}

function flagOf(flag: string): ApproveFlag {
  return flag === 'none' || flag === 'reads' ? flag : 'all';
}
