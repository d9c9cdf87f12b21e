import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConversationSummary } from '../../../src-preload/contract/conversations.ts';
import type {
  CallOutcome,
  ConversationEvent,
  DecisionBy,
  EventOf,
  LogEvent,
} from '../../../src-preload/contract/events.ts';
import type { TodosCard } from '../../../src-preload/contract/tool-card.ts';
import { sentTexts } from '../../../src-renderer/chat/composer/sent-texts.ts';
import { markdownBlocksOf } from '../../../src-renderer/chat/markdown/text-blocks.ts';
import { rowsOf, runSummary } from '../../../src-renderer/chat/thread/call-runs.ts';
import { requestName, usageLines } from '../../../src-renderer/chat/thread/usage-text.ts';
import { ConversationStore } from '../../../src-renderer/conversation/conversation.svelte.ts';
import type { Item } from '../../../src-renderer/conversation/items.svelte.ts';
import {
  allowed,
  textBlock as block,
  userMessage as say,
  toolCall,
  toolResult,
  toolUse,
} from '../../fixtures/events.ts';
import { changed, changesOf } from '../../fixtures/file-changes.ts';

const ID = '0b7f5f0e-2f6f-4c1b-9d53-0a5d0c1e7a01';

const summary: ConversationSummary = {
  id: ID,
  title: 'A title',
  workspace: '/w',
  model: 'm',
  createdAt: '2031-01-01T00:00:00.000Z',
  updatedAt: '2031-01-01T00:00:00.000Z',
  isAnswering: false,
};

/** Numbers events as storage would. */
function numbered(...events: readonly (readonly [turnId: string, event: ConversationEvent])[]): LogEvent[] {
  return events.map(([turnId, event], index) => ({
    ...event,
    seq: index + 1,
    turnId,
    at: '2031-01-01T00:00:00.000Z',
  }));
}

function opened(events: readonly LogEvent[], isAnswering = false): ConversationStore {
  const store = new ConversationStore(ID);
  store.load({ ...summary, isAnswering }, events);
  return store;
}

function watched(events: readonly LogEvent[]): ConversationStore {
  const store = opened([]);
  for (const event of events) store.apply(event);
  return store;
}

/** What storage keeps: deltas go when the block that repeats them is committed. */
function asStored(events: readonly LogEvent[]): LogEvent[] {
  const kept: LogEvent[] = [];
  for (const event of events) {
    if (event.type === 'block' && event.block.type === 'text') while (kept.at(-1)?.type === 'text_delta') kept.pop();
    kept.push(event);
  }
  return kept;
}

function viewOf(item: Item): unknown {
  if (item.kind === 'tool') {
    const { kind, id, name, input, decision, result, state, canBeUndone, canBeRedone, changes, undonePaths } = item;
    return { kind, id, name, input, decision, result, state, canBeUndone, canBeRedone, changes, undonePaths };
  }
  if (item.kind === 'text') {
    const blocks = markdownBlocksOf(item).map(({ token }) => token.raw);
    return { kind: item.kind, text: item.text, isLive: item.isLive, blocks };
  }
  if (item.kind === 'thinking') return { kind: item.kind, text: item.text, isLive: item.isLive };
  return { ...item, key: undefined };
}

/** All that a reader sees. */
const view = (store: ConversationStore) => ({
  isAnswering: store.isAnswering,
  todos: store.todos,
  turns: store.turns.map(({ id, message, items, usage, stopReason, isSuperseded, wasCutOff }) => ({
    id,
    message,
    usage,
    stopReason,
    isSuperseded,
    wasCutOff,
    items: items.map(viewOf),
  })),
});

const usage = { type: 'usage', model: 'm', input: 10, output: 5, cacheRead: 1, cacheWrite: 0, costUsd: 0.01 } as const;

const FULL = numbered(
  ['t1', say('hello')],
  ['t1', { type: 'round_start', model: 'm' }],
  ['t1', { type: 'block', block: { type: 'thinking', thinking: 'hm', signature: 's' } }],
  ['t1', { type: 'text_delta', text: 'I will ' }],
  ['t1', { type: 'text_delta', text: 'look.' }],
  ['t1', block('I will look.')],
  ['t1', toolUse('c1', 'read_file', { path: 'a' })],
  ['t1', usage],
  ['t1', { type: 'round_end', stopReason: 'tool_use' }],
  ['t1', toolCall('c1', 'read_file', { path: 'a' })],
  ['t1', allowed('c1')],
  ['t1', { ...toolResult('c1', 'content'), elapsedMs: 3 }],
  ['t1', { type: 'notice', code: 'retrying', message: 'Again.' }],
  ['t1', { type: 'round_start', model: 'm' }],
  ['t1', { type: 'text_delta', text: 'Half of' }],
  ['t1', block('Half of')],
  ['t1', { type: 'error', code: 'stream_broken', message: 'Broke off.' }],
  ['t1', { type: 'turn_end', stopReason: 'error' }],
  ['t2', { type: 'retry', afterSeq: 1 }],
  ['t2', { type: 'round_start', model: 'm' }],
  ['t2', { type: 'text_delta', text: 'Done.' }],
  ['t2', block('Done.')],
  ['t2', usage],
  ['t2', { type: 'turn_end', stopReason: 'end_turn' }],
  ['t3', say('more')],
  ['t3', { type: 'compaction', summary: 'all of it', throughSeq: 20, marks: [] }],
  ['t3', { type: 'text_delta', text: 'Mo' }],
);

describe('a conversation', () => {
  test('looks the same whether it was watched or opened afterwards', () => {
    expect(view(watched(FULL.slice(0, -1)))).toEqual(view(opened(asStored(FULL.slice(0, -1)), true)));
    expect(view(watched(FULL.slice(0, 24)))).toEqual(view(opened(asStored(FULL.slice(0, 24)))));
  });

  test('looks the same wherever one comes in, with events that come twice', () => {
    fc.assert(
      fc.property(fc.nat(FULL.length), fc.nat(FULL.length), (until, readUntil) => {
        const live = FULL.slice(0, until);
        const store = new ConversationStore(ID);
        // Asked for early, answered late: what happens meanwhile comes before the answer.
        for (const event of live) store.apply(event);
        const read = asStored(live.slice(0, readUntil));
        const isAnswering = read.length > 0 && read.at(-1)?.type !== 'turn_end';
        store.load({ ...summary, isAnswering }, read);
        expect(view(store)).toEqual(view(watched(live)));
      }),
    );
  });

  test('shows retries of a request as one notice, and only until one succeeds', () => {
    const until = '2026-11-28T10:00:20.000Z';
    const retrying = (attempt: number) =>
      ['t1', { type: 'notice', code: 'retrying', message: `attempt ${attempt}`, until }] as const;
    const begun = numbered(['t1', say('x')], ['t1', { type: 'round_start', model: 'm' }], retrying(1), retrying(2));
    for (const store of [watched(begun), opened(begun, true)])
      expect(store.turns[0]?.items).toMatchObject([
        { code: 'retrying', message: 'attempt 2', until: Date.parse(until) },
      ]);
    const store = watched(begun);
    store.apply({ type: 'thinking', text: 'hm' });
    expect(store.turns[0]?.items).toMatchObject([{ kind: 'thinking' }]);
    const ends: ConversationEvent[] = [
      { type: 'text_delta', text: 'Yes.' },
      { type: 'error', code: 'overloaded', message: 'Later.' },
      { type: 'turn_end', stopReason: 'interrupted', wasStopped: true },
    ];
    for (const end of ends) {
      const events = [...begun, { ...end, seq: 5, turnId: 't1', at: '2031-01-01T00:00:00.000Z' }];
      const codes = (one: ConversationStore) =>
        one.turns[0]?.items.map((item) => ('code' in item ? item.code : item.kind));
      expect(codes(watched(events))).not.toContain('retrying');
      expect(codes(opened(events))).toEqual(codes(watched(events)));
    }
  });

  test('shows what was answered before as superseded', () => {
    const { turns } = opened(FULL.slice(0, 24));
    expect(turns.map(({ isSuperseded }) => isSuperseded)).toEqual([true, false]);
    expect(turns[1]?.message).toBeNull();
  });

  test('adds up what a turn cost', () => {
    const events = numbered(
      ['t1', say('x')],
      ['t1', usage],
      ['t1', usage],
      ['t1', { type: 'turn_end', stopReason: 'end_turn' }],
    );
    const [turn] = opened(events).turns;
    expect(turn?.usage).toMatchObject({
      input: 20,
      output: 10,
      cacheRead: 2,
      cacheWrite: 0,
      costUsd: 0.02,
    });
    expect(turn?.usage?.requests).toHaveLength(2);
    expect(turn?.usage && usageLines(turn.usage)).toEqual(['m · 22 in, 9% cached · 10 out · $0.020']);
  });

  test('what other models took stands under their own names, beside the model that answered', () => {
    const { costUsd: _, ...unpriced } = usage;
    const events = numbered(
      ['t1', say('x')],
      ['t1', usage],
      ['t1', { ...unpriced, model: 'asked', provider: 'local', inside: 'c1' }],
      ['t1', { ...usage, model: 'asked', server: 'tracker' }],
      ['t1', usage],
      ['t1', { type: 'turn_end', stopReason: 'end_turn' }],
    );
    const taken = opened(events).turns[0]?.usage;
    expect(taken).toMatchObject({ input: 40 });
    expect(taken && usageLines(taken)).toEqual([
      'm · 22 in, 9% cached · 10 out · $0.020',
      'local: asked, asked by the model · 11 in, 9% cached · 5 out',
      'asked, for the MCP server tracker · 11 in, 9% cached · 5 out · $0.010',
    ]);
    expect(taken?.requests.map(requestName)).toEqual([
      'm',
      'local: asked, asked by the model',
      'asked, for the MCP server tracker',
      'm',
    ]);
  });

  test('that the end of the process cut off says so, and so do its calls', () => {
    const cut = FULL.slice(0, 11);
    const store = opened(asStored(cut));
    expect(store.turns[0]?.wasCutOff).toBe(true);
    expect(store.turns[0]?.items.at(-1)).toMatchObject({ state: 'interrupted' });
    const closed = [
      ...asStored(cut),
      ...numbered(
        ['t1', { ...toolResult('c1', ''), outcome: 'interrupted', isError: true }],
        ['t1', { type: 'turn_end', stopReason: 'interrupted' }],
      ).map((event, index) => ({ ...event, seq: 12 + index })),
    ];
    expect(opened(closed).turns[0]?.items.at(-1)).toMatchObject({ state: 'interrupted' });
    expect(opened(closed).turns[0]?.wasCutOff).toBe(true);
  });

  test('that was stopped does not', () => {
    const events = numbered(
      ['t1', say('x')],
      ['t1', { type: 'notice', code: 'stopped', message: 'Stopped.' }],
      ['t1', { type: 'turn_end', stopReason: 'interrupted', wasStopped: true }],
    );
    expect(opened(events).turns[0]?.wasCutOff).toBe(false);
  });

  test('is tried again only where a model answered', () => {
    const end = { type: 'turn_end', stopReason: 'end_turn' } as const;
    const canBeRetried = (...events: ConversationEvent[]) =>
      opened(numbered(...events.map((event) => ['t1', event] as const))).turns[0]?.canBeRetried;
    expect(canBeRetried(say('x'), toolCall('user_c1', 'get_time'), block('It is noon.'), end)).toBe(true);
    expect(canBeRetried(say('/get_time {}'), { ...toolCall('c1', 'get_time'), calledBy: 'person' }, end)).toBe(false);
    expect(canBeRetried({ ...say('/tools'), isCommand: true }, block('34 tools'), end)).toBe(false);
  });

  test('continues after a turn that never reported its end', () => {
    const store = opened(asStored(FULL.slice(0, 11)));
    store.apply({ seq: 50, turnId: 'later', at: '2031-01-01T00:00:00.000Z', ...say('again') });
    expect(store.turns.map(({ stopReason }) => stopReason)).toEqual(['interrupted', null]);
    expect(store.isAnswering).toBe(true);
  });

  test('is answered until the turn ends', () => {
    const store = watched(FULL.slice(0, 5));
    expect(store.isAnswering).toBe(true);
    store.apply({ seq: 99, turnId: 't1', at: '2031-01-01T00:00:00.000Z', type: 'turn_end', stopReason: 'end_turn' });
    expect(store.isAnswering).toBe(false);
  });

  test('shows reasoning and output while they come, and does not keep what the log does not', () => {
    const store = watched(FULL.slice(0, 2));
    store.apply({ type: 'thinking', text: 'let me ' });
    store.apply({ type: 'thinking', text: 'see' });
    expect(store.turns[0]?.items).toMatchObject([{ kind: 'thinking', text: 'let me see', isLive: true }]);
    store.apply({ seq: 60, turnId: 't1', at: '2031-01-01T00:00:00.000Z', type: 'turn_end', stopReason: 'error' });
    expect(store.turns[0]?.items).toEqual([]);
  });
});

test.each([
  ['preparing', 7],
  ['asking', 10],
  ['running', 11],
  ['done', 12],
])('a call is %s after %i events', (state, count) => {
  const call = watched(FULL.slice(0, count)).turns[0]?.items.find(({ kind }) => kind === 'tool');
  expect(call).toMatchObject({ state });
});

const failedWith = (outcome: CallOutcome, text = '') => ({ ...toolResult('c', text), outcome, isError: true }) as const;

test.each<[string, DecisionBy, CallOutcome]>([
  ['denied', 'user', 'declined'],
  ['denied', 'flag', 'declined'],
  ['refused', 'default', 'declined'],
  ['refused', 'default', 'failed'],
  ['refused', 'default', 'stopped'],
])('a call that did not run is %s when that was decided by %s and it is %s', (state, by, outcome) => {
  const events = numbered(
    ['t1', say('x')],
    ['t1', toolCall('c')],
    ['t1', { type: 'decision', id: 'c', answer: 'deny', by, reason: { code: 'declined' } }],
    ['t1', failedWith(outcome)],
  );
  expect(watched(events).turns[0]?.items[0]).toMatchObject({ state });
});

test.each<[string, CallOutcome]>([
  ['interrupted', 'stopped'],
  ['interrupted', 'interrupted'],
  ['failed', 'failed'],
  ['denied', 'declined'],
])('a call that was allowed is %s if it was %s, whatever its text says', (state, outcome) => {
  const text = 'Error: Stopped by the user';
  const events = numbered(
    ['t1', say('x')],
    ['t1', toolCall('c')],
    ['t1', allowed('c')],
    ['t1', failedWith(outcome, text)],
  );
  expect(watched(events).turns[0]?.items[0]).toMatchObject({ state });
});

test('a call shows what it prints until its result is there', () => {
  const store = watched(FULL.slice(0, 11));
  store.apply({ type: 'tool_output', id: 'c1', chunk: 'one\n' });
  store.apply({ type: 'tool_output', id: 'c1', chunk: 'two\n' });
  const call = store.turns[0]?.items.find(({ kind }) => kind === 'tool');
  expect(call).toMatchObject({ output: 'one\ntwo\n' });
  for (const event of FULL.slice(11, 12)) store.apply(event);
  expect(call).toMatchObject({ output: '', state: 'done' });
});

test('sent texts come without attachments', () => {
  const typed = 'Attached file: a.md\n```\nhi\n```';
  const attachments = [{ kind: 'text', name: 'a.md', text: 'hi' }] as const;
  const events = numbered(
    ['t1', { ...say('what is it?'), attachments }],
    ['t2', say('what is it?')],
    ['t3', { type: 'user_message', content: [], attachments }],
    ['t4', say(typed)],
  );
  expect(sentTexts(opened(events).turns)).toEqual(['what is it?', typed]);
});

const call = (id: string, name: string, result: Partial<EventOf<'tool_result'>> = {}): ConversationEvent[] => [
  { ...toolCall(id, name), words: { title: TITLES[name] ?? name, done: 'Did it', about: '', icon: 'wrench' } },
  allowed(id),
  { ...toolResult(id, 'OK'), ...result },
];
/** Main gives a call's words with it. */
const TITLES: Readonly<Record<string, string>> = { grep: 'Search files', read_file: 'Read file' };
const inTurn = (turnId: string, ...events: readonly ConversationEvent[]) =>
  events.map((event) => [turnId, event] as const);

describe('changes of files', () => {
  const events = numbered(
    ...inTurn('t1', say('write'), ...call('w1', 'write_file', { changed: ['a'] }), ...call('r1', 'read_file')),
    ...inTurn('t1', ...call('w2', 'edit', { changed: ['b'] }), { type: 'turn_end', stopReason: 'end_turn' }),
    ...inTurn('t2', say('more'), ...call('w3', 'edit', { changed: ['a'] }), {
      type: 'turn_end',
      stopReason: 'end_turn',
    }),
    ...inTurn('a later undo', { type: 'undo', calls: ['w3', 'w1'], paths: ['/w/a'] }),
  );
  const states = (store: ConversationStore) =>
    store.turns.map(({ items, undoable }) => [
      items.map((item) => (item.kind === 'tool' ? item.state : item.kind)),
      undoable.map(({ id }) => id),
    ]);

  test('can be undone, call by call', () => {
    expect(states(opened(events.slice(0, -1)))).toEqual([
      [
        ['done', 'done', 'done'],
        ['w1', 'w2'],
      ],
      [['done'], ['w3']],
    ]);
  });

  test('are marked undone in their turn, and an undo is not a separate turn', () => {
    const undone = [
      [['undone', 'done', 'done'], ['w2']],
      [['undone'], []],
    ];
    const live = watched(events);
    expect(states(live)).toEqual(undone);
    expect([live.isAnswering, live.arrived]).toEqual([false, events.length - 1]);
    expect(view(live)).toEqual(view(opened(events)));
  });

  test('can be made again once they were undone', () => {
    const redo = inTurn('a redo', { type: 'redo', calls: ['w1'], paths: ['/w/a'] });
    const again = [...events, ...numbered(...redo).map((event) => ({ ...event, seq: events.length + 1 }))];
    expect(states(watched(again))[0]).toEqual([
      ['done', 'done', 'done'],
      ['w1', 'w2'],
    ]);
    expect(view(watched(again))).toEqual(view(opened(again)));
  });
});

describe('what a command changed', () => {
  const files = changed({ '/w/a': 'changed', '/w/b': 'deleted' });
  const turn = [say('clean up'), ...call('c1', 'bash', {}), { type: 'turn_end', stopReason: 'end_turn' }] as const;
  const withLater = (...events: readonly ConversationEvent[]) => {
    const all = numbered(...inTurn('t1', ...turn), ...inTurn('later', ...events));
    const store = watched(all);
    expect(view(store)).toEqual(view(opened(all)));
    const [item] = store.turns.flatMap(({ calls }) => calls);
    if (item === undefined) throw new Error('There is no call.');
    return { store, item };
  };

  test('belongs to its call, the newest list of it, and adds nothing at the end of the page', () => {
    const { store, item } = withLater(changesOf('c1', files.slice(0, 1), { isRunning: true }), changesOf('c1', files));
    expect(item.changes).toMatchObject({ files });
    expect(item.changes?.isRunning).toBeUndefined();
    expect([store.turns.length, store.isAnswering, store.arrived]).toEqual([1, false, turn.length]);
  });

  test('can be undone, unless all of it is lost', () => {
    expect(withLater(changesOf('c1', files)).item.canBeUndone).toBe(true);
    expect(withLater(changesOf('c1', [])).item.canBeUndone).toBe(false);
    const lost = files.map((file) => ({ ...file, isLost: true }) as const);
    expect(withLater(changesOf('c1', lost)).item.canBeUndone).toBe(false);
    expect(withLater(changesOf('c1', [...files.slice(0, 1), ...lost.slice(1)])).item.canBeUndone).toBe(true);
  });

  test('is named by its paths in the workspace, as far as it can be restored', () => {
    const list = changesOf('c1', [...files, { path: '/w/c', change: 'deleted', size: 1, isLost: true }]);
    const part = { type: 'undo', calls: ['c1'], paths: ['/w/a'], partly: ['c1'] } as const;
    expect(withLater(list, part).item.changedPaths('/w')).toEqual(['b']);
  });

  test('a file that has its old name again is undone under the name that its list gives it', () => {
    const moved = { path: '/w/new', from: '/w/old', change: 'renamed', size: 1 } as const;
    const part = { type: 'undo', calls: ['c1'], paths: ['/w/old'], partly: ['c1'] } as const;
    const { item } = withLater(changesOf('c1', [...files, moved]), part);
    expect(item.undonePaths.has('/w/new')).toBe(true);
    expect(item.changedPaths('/w')).toEqual(['a', 'b']);
  });

  test('can be undone in part, further, and made again', () => {
    const part = { type: 'undo', calls: ['c1'], paths: ['/w/a'], partly: ['c1'] } as const;
    const rest = { type: 'undo', calls: ['c1'], paths: ['/w/b'] } as const;
    const redo = { type: 'redo', calls: ['c1'], paths: ['/w/a', '/w/b'] } as const;
    const list = changesOf('c1', files);
    expect(withLater(list, part).item).toMatchObject({ state: 'done', canBeUndone: true, canBeRedone: true });
    expect([...withLater(list, part).item.undonePaths]).toEqual(['/w/a']);
    expect(withLater(list, part, rest).item).toMatchObject({ state: 'undone', canBeUndone: false, canBeRedone: true });
    expect(withLater(list, part, redo).item).toMatchObject({ state: 'done', canBeUndone: true, canBeRedone: false });
    expect(withLater(list, part, rest, redo).item).toMatchObject({ canBeUndone: true, canBeRedone: false });
  });
});

describe('the to-do list', () => {
  const todos = (...statuses: readonly TodosCard['todos'][number]['status'][]) =>
    statuses.map((status, index) => ({ content: `Step ${index + 1}`, status, activeForm: '' }));
  const write = (id: string, list: ReturnType<typeof todos>) =>
    call(id, 'todo_write', { card: { kind: 'todos', todos: list } });
  const going = inTurn('t1', say('do it'), ...write('a', todos('in_progress', 'pending')));
  const end = inTurn('t1', { type: 'turn_end', stopReason: 'end_turn' });
  const shown = (events: readonly (readonly [string, ConversationEvent])[]) => {
    const stored = numbered(...events);
    expect(view(watched(stored)).todos).toEqual(view(opened(stored, true)).todos);
    return watched(stored).todos.map(({ status }) => status);
  };

  test('is the last that was written, and stays over turns while something is left to do', () => {
    expect(shown(going)).toEqual(['in_progress', 'pending']);
    expect(shown([...going, ...inTurn('t1', ...write('b', todos('completed', 'in_progress'))), ...end])).toEqual([
      'completed',
      'in_progress',
    ]);
    expect(shown([...going, ...end, ...inTurn('t2', say('and now?'))])).toEqual(['in_progress', 'pending']);
  });

  test('is seen done, and goes with the next message', () => {
    const done = [...going, ...inTurn('t1', ...write('b', todos('completed', 'completed'))), ...end];
    expect(shown(done)).toEqual(['completed', 'completed']);
    expect(shown([...done, ...inTurn('t2', say('thanks'))])).toEqual([]);
  });

  test('goes when it is cleared', () => {
    expect(shown([...going, ...inTurn('t1', ...write('b', []))])).toEqual([]);
  });
});

describe('rows of a turn', () => {
  const rows = (...fields: readonly ConversationEvent[]) =>
    rowsOf(opened(numbered(...inTurn('t1', say('look'), ...fields))).turns[0]?.items ?? []);
  const reads = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => call(`r${from + index}`, index % 2 ? 'read_file' : 'grep')).flat();
  const thought: ConversationEvent = { type: 'block', block: { type: 'thinking', thinking: 'hm', signature: '' } };

  test('fold read-only calls, from the fourth on', () => {
    expect(rows(...reads(3)).map(({ kind }) => kind)).toEqual(['tool', 'tool', 'tool']);
    const [run, ...rest] = rows(...reads(5), block('Done.'));
    expect(rest.map(({ kind }) => kind)).toEqual(['text']);
    expect(run?.kind === 'calls' && runSummary(run.items)).toBe('Search files ×3, Read file ×2');
  });

  test('fold the reasoning between them, not what comes after', () => {
    expect(rows(...reads(2), thought, ...reads(2, 2), thought).map(({ kind }) => kind)).toEqual(['calls', 'thinking']);
  });

  test.each<[string, Partial<EventOf<'tool_result'>>]>([
    ['failed', { outcome: 'failed', isError: true }],
    ['was stopped', { outcome: 'stopped', isError: true }],
    ['changed a file', { changed: ['a'] }],
    ['brought a picture', { parts: [{ type: 'image', mediaType: 'image/png', data: 'QUJD' }] }],
    ['offers a sign-in', { remedies: [{ kind: 'settings', section: 'servers', server: 'notes' }] }],
    ['shows something unopened', { card: { kind: 'terminal', line: 'ls', ending: 'exited', exitCode: 0 } }],
  ])('leave a call that %s where it is', (_, result) => {
    const kinds = rows(...reads(4), ...call('x', 'some_tool', result), ...reads(4, 4)).map(({ kind }) => kind);
    expect(kinds).toEqual(['calls', 'tool', 'calls']);
  });

  test.each<[string, readonly string[], Partial<EventOf<'decision'>>]>([
    ['a read that nobody was asked about', ['calls'], { by: 'default', classes: ['read'] }],
    ['a page that a rule allows', ['calls'], { by: 'rule', classes: ['network', 'read'] }],
    ['a call of an older version', ['calls'], { by: 'default' }],
    ['an older call that a rule allowed: it may have changed something', ['calls', 'tool', 'calls'], { by: 'rule' }],
    ['a read that the person allowed', ['calls', 'tool', 'calls'], { by: 'user', classes: ['read'] }],
    ['a write that a rule allows', ['calls', 'tool', 'calls'], { by: 'rule', classes: ['read', 'write'] }],
    ['a write inside the app', ['calls', 'tool', 'calls'], { by: 'default', classes: ['write'] }],
    ['a send that a flag allows', ['calls', 'tool', 'calls'], { by: 'flag', classes: ['send'] }],
    ['a command', ['calls', 'tool', 'calls'], { by: 'rule', classes: ['execute'] }],
    ['a request to the own network', ['calls', 'tool', 'calls'], { by: 'rule', classes: ['network-private'] }],
    ['text for another model', ['calls', 'tool', 'calls'], { classes: ['network'], reason: { code: 'own_model' } }],
    [
      'a call that was denied',
      ['calls', 'tool', 'calls'],
      { answer: 'deny', by: 'user', reason: { code: 'declined' } },
    ],
  ])('fold by what a call did, whatever its name: %s', (_, kinds, decision) => {
    const [announced, , result] = call('x', 'read_file');
    if (announced === undefined || result === undefined) throw new Error('the call has three events');
    const middle = [announced, { ...allowed('x'), ...decision }, result];
    expect(rows(...reads(4), ...middle, ...reads(4, 4)).map(({ kind }) => kind)).toEqual(kinds);
  });

  test('fold the to-do list, which is shown elsewhere', () => {
    const [announced, , result] = call('x', 'todo_write', { card: { kind: 'todos', todos: [] } });
    if (announced === undefined || result === undefined) throw new Error('the call has three events');
    const middle = [announced, { ...allowed('x'), classes: ['write'] } as const, result];
    expect(rows(...reads(2), ...middle, ...reads(2, 4)).map(({ kind }) => kind)).toEqual(['calls']);
  });

  test('leave a call that the reader was at', () => {
    const [turn] = opened(numbered(...inTurn('t1', say('look'), ...reads(4)))).turns;
    const [first] = turn?.items ?? [];
    if (first?.kind === 'tool') first.isTouched = true;
    expect(rowsOf(turn?.items ?? []).map(({ kind }) => kind)).toEqual(['tool', 'tool', 'tool', 'tool']);
  });

  test('keep every item, in its order', () => {
    const some = fc.constantFrom(
      reads(1),
      [thought],
      [block('text')],
      call('x', 'n', { outcome: 'failed', isError: true }),
    );
    fc.assert(
      fc.property(fc.array(some, { maxLength: 30 }), (parts) => {
        const named = parts.flatMap((part, index) =>
          part.map((one) => ('id' in one ? { ...one, id: `c${index}` } : one)),
        );
        const items = opened(numbered(...inTurn('t1', say('look'), ...named))).turns[0]?.items ?? [];
        const flat = rowsOf(items).flatMap((row): readonly Item[] => (row.kind === 'calls' ? row.items : [row]));
        expect(flat.map(({ key }) => key)).toEqual(items.map(({ key }) => key));
      }),
    );
  });
});

test('what was read from outside is listed once each, newest first, and stays through a retry', () => {
  const store = new ConversationStore(ID);
  const outside = (source: string) => ({ kind: 'untrusted', source }) as const;
  const first = numbered(
    ['t1', say('read my mail')],
    ['t1', { ...toolResult('1', 'a'), marks: [outside('mail from a'), { kind: 'private', source: 'mail' }] }],
    ['t1', { ...toolResult('2', 'b'), marks: [outside('mail from b')] }],
    ['t1', { ...toolResult('3', 'c'), marks: [outside('mail from a')] }],
    ['t1', { type: 'turn_end', stopReason: 'end_turn' }],
    ['t2', { type: 'retry', afterSeq: 0 }],
  );
  store.load(summary, first);
  expect(store.outside).toEqual(['mail from a', 'mail from b']);
});
