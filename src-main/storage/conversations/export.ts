import { changeCount, changesText, changeWord } from '../../../src-preload/contract/changes-text.ts';
import type {
  AssistantBlock,
  MediaBlock,
  ResultPart,
  TextBlock,
} from '../../../src-preload/contract/content-blocks.ts';
import { decisionReasonText } from '../../../src-preload/contract/decision-reason.ts';
import type { DecisionBy, EventOf, StoredEvent } from '../../../src-preload/contract/events.ts';
import { exactJson } from '../../../src-preload/contract/exact-json.ts';
import { mailStateText } from '../../../src-preload/contract/mail-state-text.ts';
import { serverRequestText } from '../../../src-preload/contract/server-request.ts';
import { messageBlocks } from './attached-text.ts';
import type { Conversation } from './conversations.ts';
import { codeSpan, fenced, inline, nested, quoted } from './markdown-text.ts';
import { outerCalls } from './nested-calls.ts';

/** A conversation for people to read: who said what, which tools ran, who allowed them, and their results. */
export function exportMarkdown({
  conversation,
  events,
}: {
  conversation: Conversation;
  events: readonly StoredEvent[];
}): string {
  const head = [
    `# ${inline(conversation.title) || 'Untitled'}`,
    [
      `- Begun: ${readableTime(conversation.createdAt)}`,
      `- Model: ${inline(conversation.model)}`,
      `- Workspace: ${codeSpan(conversation.workspace)}`,
    ].join('\n'),
  ];
  return `${[...head, ...sections(events)].join('\n\n')}\n`;
}

function sections(events: readonly StoredEvent[]): string[] {
  const insideOthers = outerCalls(events);
  const newest = new Map(events.flatMap((event) => (event.type === 'changes' ? [[event.id, event.seq]] : [])));
  const understood = new Set(events.flatMap((event) => (event.type === 'tool_call' ? [event.id] : [])));
  const result: string[] = [];
  let speaker: 'You' | 'Assistant' | undefined;
  let streamed = '';

  function say(who: 'You' | 'Assistant', at: string, ...parts: string[]): void {
    // Text that was streamed but never became a block before the next event was cut off.
    if (streamed !== '') {
      const cutOff = streamed;
      streamed = '';
      say('Assistant', at, nested(cutOff), '*(cut off)*');
    }
    const written = parts.filter((part) => part !== '');
    if (written.length === 0) return;
    if (speaker !== who || who === 'You') result.push(`## ${who} · ${readableTime(at)}`);
    speaker = who;
    result.push(...written);
  }

  for (const event of events) {
    if (event.type === 'text_delta') streamed += event.text;
    else if (event.type !== 'changes' || newest.get(event.id) === event.seq) {
      const parts = eventParts(event, understood);
      // What a model did that was asked is indented below the question.
      const shown = 'id' in event && insideOthers.has(event.id) ? [quoted(parts.join('\n\n'))] : parts;
      say(event.type === 'user_message' ? 'You' : 'Assistant', event.at, ...shown);
    }
  }
  say('Assistant', events.at(-1)?.at ?? '');
  return result;
}

function eventParts(event: Exclude<StoredEvent, { type: 'text_delta' }>, understood: ReadonlySet<string>): string[] {
  switch (event.type) {
    case 'user_message':
      return messageBlocks(event).map(blockPart);
    case 'block':
      return blockParts(event.block, understood);
    case 'tool_call':
      return [`**Tool call** ${codeSpan(event.name)}`, fenced(exactJson(event.input, 2), 'json')];
    case 'decision':
      return [decisionPart(event)];
    case 'tool_result':
      return [
        event.isError ? '**Error**' : '**Result**',
        fenced(event.text, 'text'),
        ...(event.parts ?? []).flatMap(mediaPart),
      ];
    case 'server_request':
      return [quoted(inline(serverRequestText(event)))];
    case 'notice':
      return [quoted(`**Notice** (${inline(event.code)}): ${inline(event.message)}`)];
    case 'error':
      return [quoted(`**Error** (${inline(event.code)}): ${inline(event.message)}`)];
    case 'compaction':
      return ['**Earlier messages were summarised for the model:**', quoted(event.summary)];
    case 'mail':
      return event.state === 'waiting' || event.state === 'sending' ? [] : [`*Email: ${mailStateText(event)}.*`];
    case 'undo':
      return [`**Undone** ${firstOf(event.paths.map(codeSpan), event.count)}`];
    case 'redo':
      return [`**Redone** ${firstOf(event.paths.map(codeSpan), event.count)}`];
    case 'changes':
      return changesParts(event);
    case 'retry':
      return ['*The last message was tried again.*'];
    case 'turn_end':
      return event.stopReason === 'end_turn' ? [] : [`*The turn ended: ${inline(event.stopReason)}.*`];
    case 'round_start':
    case 'round_end':
    case 'usage':
      return [];
  }
}

function changesParts(changes: EventOf<'changes'>): string[] {
  const names = changes.files.map(({ path, change }) =>
    change === 'changed' ? codeSpan(path) : `${codeSpan(path)} (${changeWord(change)})`,
  );
  const heading = changes.massDeleted === undefined ? 'Changed' : changesText(changes);
  return names.length === 0 ? [] : [`**${heading}** ${firstOf(names, changeCount(changes))}`];
}

const MAX_NAMED = 10;

/** `count` is how many there are, if they are more than `names`. */
function firstOf(names: readonly string[], count = names.length): string {
  const more = count - Math.min(names.length, MAX_NAMED);
  const shown = names.slice(0, MAX_NAMED).join(', ');
  return more > 0 ? `${shown} and ${more.toLocaleString('en')} more` : shown;
}

function blockPart(block: TextBlock | MediaBlock): string {
  return block.type === 'text' ? quoted(block.text) : mediaText(block);
}

/** The parts of a result that are not in its text. */
function mediaPart(part: ResultPart): string[] {
  return part.type === 'text' ? [] : [mediaText(part)];
}

function mediaText(media: MediaBlock): string {
  const { type, mediaType, data } = media;
  const kilobytes = Math.ceil((data.length * 3) / 4 / 1000);
  const name = type === 'image' || media.name === undefined ? '' : ` ${inline(media.name)}`;
  return `*(${type}${name}, ${inline(mediaType)}, ${kilobytes} kB)*`;
}

function blockParts(block: AssistantBlock, understood: ReadonlySet<string>): string[] {
  switch (block.type) {
    case 'text':
      return [nested(block.text)];
    case 'thinking':
      return block.thinking.trim() === '' ? [] : ['*Thinking*', quoted(block.thinking)];
    case 'redacted_thinking':
      return ['*Thinking (not shown by the provider)*'];
    case 'tool_use': {
      // A valid call follows as a separate event; of an invalid one, this is all there is.
      if (understood.has(block.id)) return [];
      const asked = block.invalidInput?.raw ?? exactJson(block.input, 2);
      return [`**Tool call, not understood** ${codeSpan(block.name)}`, fenced(asked, 'json')];
    }
  }
}

const DECIDERS: Readonly<Record<DecisionBy, string>> = {
  default: 'by default',
  rule: 'by a rule',
  grant: 'because it may work freely in the folder',
  flag: 'by a command-line flag',
  user: 'by you',
};

function decisionPart({ answer, by, reason }: EventOf<'decision'>): string {
  return `*${answer === 'allow' ? 'Allowed' : 'Denied'} ${DECIDERS[by]}: ${inline(decisionReasonText(reason))}*`;
}

/** The time in UTC, so that it is the same wherever it is exported: `2026-11-21 14:03 UTC`. */
function readableTime(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

/** Incremented when the format becomes incompatible. */
const VERSION = 2;

/** A conversation with every event, for machines. */
export function exportJson(whole: {
  conversation: Conversation;
  events: readonly StoredEvent[];
  exportedAt: Date;
}): string {
  const { conversation, events } = whole;
  const exportedAt = whole.exportedAt.toISOString();
  return `${exactJson({ format: 'steward-conversation', version: VERSION, exportedAt, conversation, events }, 2)}\n`;
}
