import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ConversationLog, marksIn } from '../../../src-main/assistant/conversation-log.ts';
import { foldHistory } from '../../../src-main/assistant/history.ts';
import { isRecord } from '../../../src-main/base/json.ts';
import { openSqlite } from '../../../src-main/base/sqlite.ts';
import { shownEvent } from '../../../src-main/ipc/conversations/shown-event.ts';
import { ruleRows, settingsView } from '../../../src-main/ipc/settings/settings-view.ts';
import type { ConsentPort } from '../../../src-main/policy/consent.ts';
import { type Services, startServices } from '../../../src-main/services.ts';
import type { DecisionReason } from '../../../src-preload/contract/decision-reason.ts';
import { type CallOutcome, type EventOf, NO_OUTPUT } from '../../../src-preload/contract/events.ts';
import { sentTexts } from '../../../src-renderer/chat/composer/sent-texts.ts';
import { ConversationStore } from '../../../src-renderer/conversation/conversation.svelte.ts';
import type { Item, ToolItem } from '../../../src-renderer/conversation/items.svelte.ts';
import type { TurnView } from '../../../src-renderer/conversation/turn.svelte.ts';
import { stateLabel } from '../../../src-renderer/tool-cards/call-state.ts';
import { cardFacts } from '../../../src-renderer/tool-cards/card-facts.ts';
import {
  copyOldProfile,
  type ExpectedCall,
  type ExpectedConversation,
  type ExpectedItem,
  type ExpectedTurn,
  type OldProfile,
} from '../../fixtures/old-profile.ts';

const yes: ConsentPort = { ask: async () => ({ answer: 'allow', scope: 'once', by: 'user' }) };

async function opened({ profile, workspace, folder }: OldProfile): Promise<Services> {
  const services = await startServices({
    profileDirectory: profile,
    launchDirectory: folder,
    workspace,
    env: { HOME: folder, PATH: process.env.PATH },
    consent: yes,
    isLongLived: true,
    signal: new AbortController().signal,
  });
  onTestFinished(() => services.close());
  return services;
}

/** What commit 5f658ec showed of these calls was wrong, because it read texts: what is shown instead. */
const CORRECTED: Readonly<Record<string, Pick<ExpectedCall, 'state' | 'label'>>> = {
  toolu_stopped_bash_output_filter: { state: 'interrupted', label: 'Interrupted' },
  toolu_stopped_reader_gone_fetch: { state: 'interrupted', label: 'Interrupted' },
  toolu_failed_fetch_says_stopped: { state: 'failed', label: 'Failed' },
  toolu_failed_before_stop_says_stopped: { state: 'failed', label: 'Failed' },
  toolu_declined_redirect_with_word: { state: 'denied', label: 'Denied' },
};

const OUTCOMES: Readonly<Record<ExpectedCall['actual']['ending'], CallOutcome>> = {
  completed: 'completed',
  failed: 'failed',
  declined: 'declined',
  denied: 'declined',
  stopped: 'stopped',
  neverrun: 'stopped',
  interrupted: 'interrupted',
  notcalled: 'failed',
};

/** How the sentences began that 5f658ec wrote for these reasons. */
const REASON_CODES: readonly (readonly [beginning: string, code: DecisionReason['code']])[] = [
  ['--approve all allows it.', 'flag_allows'],
  ['--approve none denies everything that asks. ', 'flag_denies'],
  ['--approve reads does not answer for this. ', 'flag_denies'],
  ['A rule of yours allows it: ', 'rules'],
  ['It only looks, and changes nothing.', 'read_only'],
  ['It stays inside Steward.', 'inside_app'],
  ['Nobody could be asked: ', 'nobody_asked'],
  ['Outside the workspace', 'outside_roots'],
  ['Reaching your own machine or network is switched off ', 'private_network_off'],
  ['Reading in the workspace ', 'read_inside'],
  ['Reading public addresses is allowed.', 'public_address'],
  ['Stopped before it was decided', 'stopped'],
  ['The call cannot be made as it is', 'impossible'],
  ['The call is not valid.', 'invalid_input'],
  ['The input is not valid JSON.', 'invalid_json'],
  ['The input of the terminal ended ', 'terminal_ended'],
  ['The tool is disabled.', 'tool_disabled'],
  ['The tool is not available: ', 'tool_unavailable'],
  ['There is no such tool.', 'unknown_tool'],
  ['What the call would touch kept changing ', 'kept_changing'],
  ['You allowed it this once.', 'allowed_once'],
  ['You allowed it, and ', 'allowed_and_kept'],
  ['You declined it.', 'declined'],
];

function codeOf(sentence: string | undefined): string | undefined {
  return REASON_CODES.find(([beginning]) => sentence?.startsWith(beginning))?.[1];
}

/** Markdown names who decided, then gives the reason as a sentence. */
function withoutReasons(markdown: string): string {
  return markdown.replace(/^(\*(?:Allowed|Denied) by [^:\n]*): .*\*$/gm, '$1*');
}

function shownDecision(decision: EventOf<'decision'> | null): unknown {
  if (decision === null) return null;
  const { answer, by, reason, ruleId, grantableFolder } = decision;
  return {
    answer,
    by,
    reason: reason.code,
    ...(ruleId === undefined ? {} : { ruleId }),
    ...(grantableFolder === undefined ? {} : { grantableFolder }),
  };
}

function shownCall(item: ToolItem): unknown {
  const { kind, id, name, state, card, canBeUndone, isOwnCall, decision, result } = item;
  return {
    kind,
    id,
    name,
    state,
    label: stateLabel(item, false),
    card: card?.kind ?? null,
    facts: card === null ? [] : cardFacts(card).map(({ text }) => text),
    canBeUndone,
    isOwnCall,
    decision: shownDecision(decision),
    isError: result?.isError ?? null,
  };
}

function shownItem(item: Item): unknown {
  switch (item.kind) {
    case 'tool':
      return shownCall(item);
    case 'notice':
    case 'error':
      return { kind: item.kind, code: item.code, message: item.message };
    default:
      return { kind: item.kind, text: item.text };
  }
}

function expectedItem(item: ExpectedItem): unknown {
  if (item.kind !== 'tool') return item;
  const { actual, ...call } = item;
  const decision = call.decision === null ? null : { ...call.decision, reason: codeOf(call.decision.reason) };
  return { ...call, ...CORRECTED[call.id], decision, isOwnCall: actual.calledBy === 'person' };
}

function shownMessage(message: EventOf<'user_message'> | null): unknown {
  if (message === null) return null;
  const attachments = message.attachments ?? [];
  return {
    attached: attachments.map(({ kind, name }) => ({ kind, name })),
    files: attachments.flatMap((each) => (each.kind === 'text' ? [{ file: each.name, text: each.text }] : [])),
    images: attachments.flatMap((each) =>
      each.kind === 'image' ? [{ mediaType: each.mediaType, bytes: Buffer.byteLength(each.data, 'base64') }] : [],
    ),
    written: message.content.map(({ text }) => text).join('\n'),
    isUnattended: message.isUnattended === true,
  };
}

/** Of the chips that 5f658ec showed, those of texts that were attached, and not typed so. */
function expectedMessage(message: ExpectedTurn['message']): unknown {
  if (message === null) return null;
  const { images, parts, actual } = message;
  const count = actual.attached.filter(({ kind }) => kind === 'text').length;
  const files = parts.filter(({ file }) => file !== undefined).slice(0, count);
  // Of two line ends and nothing else it showed one.
  const corrected = files.map((each) => (each.file === 'only line ends.txt' ? { ...each, text: '\n\n' } : each));
  return { ...actual, images, files: corrected };
}

function shownTurn(turn: TurnView): unknown {
  const { id, isCommand, message, items, stopReason, isSuperseded, wasCutOff, canBeRetried } = turn;
  return {
    id,
    isCommand,
    stopReason,
    isSuperseded,
    wasCutOff,
    canBeRetried,
    message: shownMessage(message),
    items: items.map(shownItem),
  };
}

function expectedTurn(turn: ExpectedTurn): unknown {
  const { items, message } = turn;
  // A call of the model was taken for one of the user's own.
  const isCorrected = items.some((item) => item.kind === 'tool' && item.isOwnCall && item.actual.calledBy === 'model');
  const canBeRetried = isCorrected || turn.canBeRetried;
  // A notice of a retry goes when the request worked; that of a summary is said by the summary itself.
  const isGone = (item: ExpectedItem) => 'code' in item && (item.code === 'retrying' || item.code === 'compacted');
  const kept = items.filter((item) => !isGone(item));
  return { ...turn, canBeRetried, message: expectedMessage(message), items: kept.map(expectedItem) };
}

function writtenTexts(turns: readonly ExpectedTurn[]): string[] {
  const texts = turns.flatMap(({ message }) => (message === null ? [] : [message.actual.written]));
  return texts.filter((text) => text !== '').filter((text, index, all) => text !== all[index - 1]);
}

/** That a call returned nothing stands in a field since. */
/** A note about an undo is worded differently today. */
function expectedHistory({ history }: ExpectedConversation): unknown {
  return JSON.parse(JSON.stringify(history), (_key, value: unknown) => {
    if (typeof value === 'string' && value.startsWith('[The user undid '))
      return value.replace('is again as it was before.]', 'has been restored to its earlier state.]');
    const isEmpty = isRecord(value) && value.type === 'tool_result' && value.content === NO_OUTPUT;
    return isEmpty ? { ...value, isEmpty } : value;
  });
}

test('every conversation shows what it showed, and gives a model and an export what it gave', async () => {
  const copy = copyOldProfile();
  const services = await opened(copy);
  const { storage } = services;
  expect(copy.expected.conversations.length).toBeGreaterThan(35);
  for (const conversation of copy.expected.conversations) {
    const { id, scene, turns } = conversation;
    const events = storage.events.read(id);
    const store = new ConversationStore(id);
    store.load(
      { ...conversation, isAnswering: false },
      events.map((event) => shownEvent(event, services.registry)),
    );
    expect(store.turns.map(shownTurn), scene).toEqual(turns.map(expectedTurn));
    expect(store.todos, scene).toEqual(conversation.todos);
    expect(sentTexts(store.turns), scene).toEqual(writtenTexts(turns));
    const model = events.findLast((event) => event.type === 'round_start')?.model ?? '';
    const { messages } = foldHistory(events, { provider: 'anthropic', model });
    expect(JSON.parse(JSON.stringify(messages)), scene).toEqual(expectedHistory(conversation));
    expect(marksIn(events), scene).toEqual(conversation.marks);
    expect(withoutReasons(storage.exportMarkdown(id)), scene).toBe(withoutReasons(conversation.markdown));
    expect(JSON.parse(storage.exportJson(id))).toMatchObject({
      version: 2,
      events: JSON.parse(JSON.stringify(events)),
    });
  }
  const removed = copy.expected.conversations.filter(({ isRemoved }) => isRemoved).map(({ id }) => id);
  expect([...storage.conversations.list().map(({ id }) => id), ...removed]).toEqual(
    copy.expected.conversations.map(({ id }) => id),
  );
});

/** Exit code of a shell that was killed in the background: it stood in the text alone. */
const KILLED: Readonly<Record<string, number>> = { toolu_completed_output_killed: 143 };

test('every call is read with its real outcome', async () => {
  const copy = copyOldProfile();
  const { storage } = await opened(copy);
  const callsOf = ({ turns }: ExpectedConversation) =>
    turns.flatMap(({ items }) => items.filter((item): item is ExpectedCall => item.kind === 'tool'));
  const seen = new Set<CallOutcome>();
  for (const conversation of copy.expected.conversations) {
    const events = storage.events.read(conversation.id);
    for (const { id, actual } of callsOf(conversation)) {
      const call = events.find((event) => event.type === 'tool_call' && event.id === id);
      const result = events.find((event) => event.type === 'tool_result' && event.id === id);
      const { ending, calledBy, exitCode } = actual;
      if (call !== undefined) expect(call, id).toMatchObject({ calledBy });
      if (result?.type !== 'tool_result') continue;
      seen.add(result.outcome);
      expect([id, result.outcome, result.calledBy]).toEqual([id, OUTCOMES[ending], calledBy]);
      expect(result.exitCode, id).toBe(KILLED[id] ?? exitCode);
    }
    expect(
      events.flatMap((event) => (event.type === 'decision' && event.reason.code === 'text' ? [event] : [])),
    ).toEqual([]);
  }
  expect([...seen].sort()).toEqual(['completed', 'declined', 'failed', 'interrupted', 'stopped']);
});

test('an interrupted turn continues, and stored rows stay unchanged', async () => {
  const copy = copyOldProfile();
  const { storage } = await opened(copy);
  const before = rowsOf(copy);
  const cutOff = copy.expected.conversations.filter(({ scene }) => scene === 'killedOpen' || scene === 'killedPerson');
  const known = new Set(cutOff.flatMap(({ id }) => storage.events.read(id).map(({ seq }) => seq)));
  for (const { id } of cutOff) new ConversationLog(storage.events, id, 'next', () => undefined).closeInterruptedTurn();
  expect(rowsOf(copy).slice(0, before.length)).toEqual(before);
  const added = cutOff.flatMap(({ id }) => storage.events.read(id)).filter(({ seq }) => !known.has(seq));
  const results = added.flatMap((event) => (event.type === 'tool_result' ? [event] : []));
  expect(results.map(({ outcome, calledBy }) => `${outcome} ${calledBy}`).sort()).toEqual([
    'interrupted model',
    'interrupted model',
    'interrupted model',
    'interrupted person',
  ]);
});

function rowsOf({ profile }: OldProfile): string[] {
  const database = openSqlite(join(profile, 'steward.db'), { readOnly: true });
  try {
    const rows = database.prepare('SELECT body FROM events ORDER BY seq').all();
    return rows.map(({ body }) => String(body));
  } finally {
    database.close();
  }
}

test('rules, folders, memory and search are there', async () => {
  const copy = copyOldProfile();
  const services = await opened(copy);
  const settings = await settingsView(services);
  const { expected } = copy;
  // A rule for all commands that begin alike answers nothing any more, and can be removed.
  const beginningAlike = (label: unknown) => String(label).startsWith('run commands that begin with');
  expect(ruleRows(services)).toEqual(expected.rules.map((row) => ({ ...row, hasEffect: !beginningAlike(row.label) })));
  expect(expected.rules.filter(({ label }) => beginningAlike(label))).not.toEqual([]);
  expect(settings.folders).toEqual(expected.folders.map((folder) => ({ ...folder, flaw: null })));
  expect(settings.unconfirmed.map(({ key }) => key)).toEqual(expected.unconfirmed);
  expect(services.storage.confirmations.keys()).toEqual(expected.confirmed);
  for (const { key, value, marks } of expected.facts)
    expect(services.storage.memory.getFact(String(key))).toEqual({ value, marks });
  for (const { query, hits } of expected.searches) {
    const found = await services.storage.search(query, { limit: 50 });
    const shown = found.map(({ conversationId, seq, snippet }) => ({ conversationId, seq, snippet: snippet.text }));
    expect(shown, query).toEqual(hits);
  }
});

test('changes that could be undone can still be undone', async () => {
  const copy = copyOldProfile();
  const { undo } = await opened(copy);
  const signal = new AbortController().signal;
  const outcomes: [string, { readonly undone: readonly string[] }][] = [];
  for (const { id, isRemoved, undoable } of copy.expected.conversations) {
    expect(undo.open(id)).toEqual(undoable);
    for (const { callId } of isRemoved ? [] : undoable) {
      const choice = { conversationId: id, turnId: null, callId };
      const outcome = await undo.run(choice, { signal, listener: () => undefined });
      outcomes.push([callId, outcome.kind === 'settled' ? outcome : { undone: [] }]);
    }
  }
  expect(outcomes.filter(([, { undone }]) => undone.length === 0).map(([callId]) => callId)).toEqual([
    // Its state before was too large to be kept.
    'toolu_completed_too_large_to_undo',
  ]);
  expect(existsSync(join(copy.workspace, 'made'))).toBe(false);
  expect(existsSync(join(copy.reports, 'summer.md'))).toBe(false);
  expect(readFileSync(join(copy.workspace, 'plan.md'), 'utf8')).toBe('One\nTwo\nThree\n');
  expect(readFileSync(join(copy.workspace, 'notes.md'), 'utf8')).toContain('oranges');
  expect(readFileSync(join(copy.workspace, 'src/app.ts'), 'utf8')).toContain('41');
});
