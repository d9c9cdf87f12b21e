import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Writing } from '../../../src-main/ipc/desktop-port.ts';
import { anthropicUsageGate } from '../../../src-main/tools/anthropic/anthropic-usage.ts';
import { webSearchGate } from '../../../src-main/tools/web/search/web-search.ts';
import type { ConversationSummary } from '../../../src-preload/contract/conversations.ts';
import { documentXml, docxWith, packedDocx, paragraph } from '../../fixtures/docx.ts';
import { processTree, stillRunning } from '../../fixtures/process-table.ts';
import { requestsAnsweredDuring } from '../../fixtures/requests-answered.ts';
import { switched } from '../../fixtures/tool-texts.ts';
import { startWebSite } from '../../fixtures/web/site.ts';
import { SOON, WindowRig } from '../../fixtures/window-rig.ts';

type Bag = Record<string, unknown>;
const ofType = (events: readonly Bag[], type: string) => events.filter((event) => event.type === type);

test('a message begins a conversation, whose events reach the page one by one and can be opened again', async () => {
  const rig = new WindowRig({ files: { 'notes.md': 'Buy oranges.\n' } });
  const { id, events } = await rig.turn('read notes.md\nplease');
  expect(events[0]).toMatchObject({ type: 'user_message', content: [{ type: 'text', text: 'read notes.md\nplease' }] });
  expect(ofType(events, 'tool_result')[0]).toMatchObject({ text: 'Buy oranges.\n', isError: false });
  expect(events.at(-1)).toMatchObject({ type: 'turn_end', stopReason: 'end_turn' });

  const [listed] = await rig.request<ConversationSummary[]>('conversations.list');
  expect(listed).toMatchObject({ id, title: 'read notes.md', model: 'guide', isAnswering: false });
  const opened = await rig.request<{ events: Bag[] }>('conversations.open', { id });
  const kept = (list: readonly Bag[]) => list.filter((event) => event.type !== 'text_delta' && 'seq' in event);
  expect(kept(opened.events)).toEqual(kept(events));
});

test('a conversation is renamed, removed, taken back and found', async () => {
  const rig = new WindowRig();
  const { id } = await rig.turn('what time is it');
  await rig.request('conversations.rename', { id, title: '  Clock questions ' });
  expect(await rig.request<ConversationSummary[]>('conversations.list')).toMatchObject([{ title: 'Clock questions' }]);

  const hits = await rig.request<Bag[]>('conversations.search', { query: 'clock' });
  expect(hits).toMatchObject([
    { conversationId: id, title: 'Clock questions', titleMatches: [[0, 5]], message: null, messages: 0 },
  ]);

  await rig.request('conversations.remove', { id });
  expect(await rig.request('conversations.list')).toEqual([]);
  expect(await rig.code('conversations.open', { id })).toBe('conversation_unknown');
  expect(await rig.code('conversations.send', { id, text: 'again' })).toBe('conversation_unknown');
  await rig.request('conversations.restore', { id });
  expect(await rig.request<ConversationSummary[]>('conversations.list')).toMatchObject([{ id }]);
  expect(
    ofType(
      rig.events.map(({ name }) => ({ type: name })),
      'conversationsChanged',
    ).length,
  ).toBeGreaterThan(3);
});

/** What main saw: nothing, unless the test says so. */
const NOTHING_WRITTEN: Writing = {
  isWritten: false,
  isRecalled: false,
  holdsLines: () => false,
  holdsChosenTool: () => false,
  originsOf: () => ({ typed: '', pasted: '' }),
  holdsBeginning: () => false,
  messageSent: () => undefined,
};

/** A message that waits on a card; `sent`: the code of the request. */
async function asked(rig: WindowRig, text: string, attachments: readonly Bag[] = []) {
  const sent = rig.envelope('conversations.send', { id: null, text, attachments });
  return { card: await rig.card(), sent };
}

test('a message that main did not see written is sent by the user’s word on a card that shows it whole', async () => {
  const rig = new WindowRig();
  rig.writing = NOTHING_WRITTEN;
  const attachments = [{ kind: 'text', name: 'a.md', text: 'attached text' }];
  const declined = await asked(rig, 'delete\nthe files', attachments);
  expect(declined.card).toMatchObject({ kind: 'message', offers: [], takesWord: false, mayStopAsking: true });
  expect(declined.card.parts).toMatchObject([{ text: 'delete\nthe files' }, { text: 'attached text' }]);
  await rig.answer({ answer: 'deny' }, declined.card);
  expect(await declined.sent).toMatchObject({ ok: false, error: { code: 'not_sent' } });
  expect(await rig.request('conversations.list')).toEqual([]);

  const confirmed = await asked(rig, 'tell me the time');
  await rig.answer({ answer: 'once' }, confirmed.card);
  const { id } = ((await confirmed.sent) as { data: { id: string } }).data;
  await rig.turnEnded(id);
  expect(rig.turnEvents(id)[0]).not.toHaveProperty('isUnattended');
  expect(rig.turnEvents(id)[0]).not.toHaveProperty('marks');
});

test('without Enter or a click it is asked about too, and a page cannot ask twice at once', async () => {
  const rig = new WindowRig();
  rig.hasGesture = false;
  const { card, sent } = await asked(rig, 'what time is it');
  expect(await rig.code('conversations.send', { id: null, text: 'again' })).toBe('already_asking');
  await rig.answer({ answer: 'deny' }, card);
  expect(await sent).toMatchObject({ ok: false, error: { code: 'not_sent' } });
});

test('a line that runs a tool is asked about unless main saw it typed exactly so', async () => {
  const rig = new WindowRig();
  const typed = '/get_time {}';
  rig.writing = { ...NOTHING_WRITTEN, isWritten: true, holdsLines: (line) => line === typed };
  await rig.turn(typed);
  await rig.turn('any other message under a real Enter');
  for (const line of ['/bash {"command":"touch x"}', '/tools enable bash', `${typed}\n/bash {"command":"touch x"}`]) {
    const { card, sent } = await asked(rig, line);
    expect(card.kind, line).toBe('message');
    await rig.answer({ answer: 'deny' }, card);
    expect(await sent).toMatchObject({ error: { code: 'not_sent' } });
  }
});

test('a message names the hosts that main saw typed, the addresses that it saw pasted, and nothing that the page put in', async () => {
  const rig = new WindowRig();
  const text = 'see typed.example.org and https://pasted.example.org/page and evil.example.org';
  const named = async (writing: Partial<Writing>) => {
    rig.writing = { ...NOTHING_WRITTEN, isWritten: true, ...writing };
    const attachments = [{ kind: 'text', name: 'a.md', text: 'https://attached.example.org/?stolen' }];
    const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text, attachments });
    await rig.turnEnded(id);
    return rig.turnEvents(id)[0]?.named;
  };
  const record = { typed: 'see typed.example.org and', pasted: 'https://pasted.example.org/page' };
  expect(await named({ originsOf: () => record })).toEqual({
    hosts: ['typed.example.org'],
    urls: expect.arrayContaining(['https://typed.example.org/', 'https://pasted.example.org/page']),
  });
  expect(await named({})).toEqual({ hosts: [], urls: [] });
  // The control: a record that holds it all would have named it.
  expect(await named({ originsOf: () => ({ typed: text, pasted: '' }) })).toMatchObject({
    hosts: expect.arrayContaining(['evil.example.org']),
  });
});

test('what main offered itself needs no typing: suggestions, and with the arrow key what was sent before', async () => {
  const rig = new WindowRig();
  const { id } = await rig.turn('/get_time {}');
  rig.writing = NOTHING_WRITTEN;
  await rig.turn('what time is it');
  rig.writing = { ...NOTHING_WRITTEN, isRecalled: true };
  await rig.turn('/get_time {}', id);
  const { card } = await asked(rig, '/get_time {}');
  expect(card.kind).toBe('message');
});

test('after "do not ask", messages of a page go out marked, and no rule answers for what they ask', async () => {
  const rig = new WindowRig();
  const run = '/run_command {"command":"echo","arguments":"hi"}';
  const first = await rig.request<{ id: string }>('conversations.send', { id: null, text: run });
  await rig.answer({ answer: 'always', offer: 0 });
  await rig.turnEnded(first.id);
  const own = await rig.turn(run);
  expect(ofType(own.events, 'decision')).toMatchObject([{ answer: 'allow', by: 'rule' }]);

  rig.hasGesture = false;
  const { card, sent } = await asked(rig, 'what time is it');
  await rig.answer({ answer: 'window' }, card);
  const confirmed = (await sent) as { data: { id: string } };
  await rig.turnEnded(confirmed.data.id);
  expect(rig.turnEvents(confirmed.data.id)[0]).not.toHaveProperty('isUnattended');

  const unattended = await rig.request<{ id: string }>('conversations.send', { id: null, text: run });
  expect((await rig.answer({ answer: 'deny' })).kind).toBe('tool');
  await rig.turnEnded(unattended.id);
  const events = rig.turnEvents(unattended.id);
  expect(events[0]).toMatchObject({ isUnattended: true, marks: [{ kind: 'untrusted' }, { kind: 'private' }] });
  expect(ofType(events, 'decision')).toMatchObject([{ answer: 'deny', by: 'user' }]);
});

test('the last message is not answered again without a click or a key', async () => {
  const rig = new WindowRig();
  const { id } = await rig.turn('what time is it');
  rig.hasGesture = false;
  expect(await rig.code('conversations.retry', { id })).toBe('no_gesture');
  rig.hasGesture = true;
  expect(await rig.code('conversations.retry', { id })).toBe('ok');
});

test('an image only by its name is refused before anything is kept', async () => {
  const rig = new WindowRig();
  const data = Buffer.from('not a png').toString('base64');
  const attachments = [{ kind: 'image', name: 'fake.png', mediaType: 'image/png', data }];
  expect(await rig.code('conversations.send', { id: null, text: 'look', attachments })).toBe('bad_attachment');
});

test('texts, documents and images are part of the message', async () => {
  const rig = new WindowRig();
  const docx = docxWith(paragraph('First paragraph') + paragraph('Second')).toString('base64');
  const attachments = [
    { kind: 'text', name: 'a`\n.md', text: '```\ncode\n```' },
    { kind: 'docx', name: 'letter.docx', data: docx },
    { kind: 'image', name: 'dot.png', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
    { kind: 'text', name: '.env', text: 'A=1' },
  ];
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'look', attachments });
  await rig.turnEnded(id);
  expect(rig.turnEvents(id)[0]).toMatchObject({
    content: [{ type: 'text', text: 'look' }],
    attachments: [
      { kind: 'text', name: 'a  .md', text: '```\ncode\n```' },
      { kind: 'text', name: 'letter.docx', text: 'First paragraph\nSecond' },
      { kind: 'image', name: 'dot.png', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
      { kind: 'text', name: '.env', text: 'A=1' },
    ],
    marks: [
      { kind: 'private', source: 'attached file a  .md' },
      { kind: 'private', source: 'attached file letter.docx' },
      { kind: 'private', source: 'attached file dot.png' },
      // The user attached it, so it counts as a secret and nobody asks.
      { kind: 'private', source: 'attached file .env' },
      { kind: 'secret', source: 'attached file .env' },
    ],
  });
  expect(await rig.code('conversations.send', { id: null, text: '  ' })).toBe('bad_input');
  const broken = [{ kind: 'docx', name: 'broken.docx', data: 'AAAA' }];
  expect(await rig.code('conversations.send', { id: null, text: '', attachments: broken })).toBe('bad_attachment');
  expect(await rig.request<Bag[]>('conversations.list')).toHaveLength(1);
});

test('an attached text of 20 MB is kept whole and searched for its beginning; a larger one is refused', async () => {
  const rig = new WindowRig();
  const text = `${'x'.repeat(99)}\n`.repeat(200_000);
  const attachments = [{ kind: 'text', name: 'Pasted text', text }];
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'look', attachments });
  await rig.turnEnded(id);
  const opened = await rig.request<{ events: readonly Bag[] }>('conversations.open', { id });
  expect(ofType(opened.events, 'user_message')).toMatchObject([
    {
      attachments: [{ length: 20_000_000, given: expect.any(Number) }],
      marks: [{ kind: 'private', source: 'attached file Pasted text' }],
      named: { hosts: [], urls: [] },
    },
  ]);
  const more = [{ kind: 'text', name: 'Pasted text', text: `${text.slice(0, -1)}üü` }];
  expect(await rig.code('conversations.send', { id: null, text: 'look', attachments: more })).toBe('bad_input');
  const bytes = [{ kind: 'text', name: 'Pasted text', text: 'ü'.repeat(10_000_001) }];
  expect(await rig.code('conversations.send', { id: null, text: 'look', attachments: bytes })).toBe('bad_attachment');
});

test('the window is answered while a document is read that was made to hold it up, and is told why it was not attached', async () => {
  const rig = new WindowRig();
  await rig.request('conversations.list');
  const slow = packedDocx(documentXml('<w:p/>'.repeat(900_000))).toString('base64');
  const attachments = [{ kind: 'docx', name: 'slow.docx', data: slow }];
  let sending = {};
  const answered = await requestsAnsweredDuring(async () => {
    const sent = rig.envelope('conversations.send', { id: null, text: 'look', attachments });
    expect(await rig.request('conversations.list')).toEqual([]);
    sending = await sent;
  });
  expect(sending).toMatchObject({ ok: false, error: { code: 'bad_attachment' } });
  expect(answered).toBeGreaterThan(50);
});

test('a long result arrives as its beginning, and whole when asked for', async () => {
  const whole = `${'line of text\n'.repeat(30_000)}the end`;
  const rig = new WindowRig({ files: { 'long.txt': whole } });
  const { id, events } = await rig.turn('/read_file {"path": "long.txt"}');
  const [result] = ofType(events, 'tool_result');
  expect(result).toMatchObject({ cut: { length: whole.length }, text: whole.slice(0, 200_000) });
  const opened = await rig.request<{ events: Bag[] }>('conversations.open', { id });
  expect(ofType(opened.events, 'tool_result')).toEqual([result]);
  const callId = result?.id;
  expect(await rig.request('conversations.wholeResult', { id, callId })).toEqual({ text: whole });
  expect(await rig.code('conversations.wholeResult', { id, callId: 'no such call' })).toBe('unknown_call');
});

test('a command that prints without end costs a message per frame, in the order in which it printed', async () => {
  const rig = new WindowRig();
  const sent = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'run: seq 1 40000' });
  await rig.answer({ answer: 'once' });
  await rig.turnEnded(sent.id);
  const chunks = ofType(rig.turnEvents(sent.id), 'tool_output');
  expect(chunks.map(({ chunk }) => chunk).join('')).toBe(
    Array.from({ length: 40_000 }, (_, i) => `${i + 1}\n`).join(''),
  );
  const [result] = ofType(rig.turnEvents(sent.id), 'tool_result');
  const before = rig.turnEvents(sent.id).slice(0, rig.turnEvents(sent.id).indexOf(result ?? {}));
  expect(before.filter(({ type }) => type === 'tool_output')).toHaveLength(chunks.length);
});

test('/tools is answered in the chat; a tool is switched on only with the user, and no model hears of it', async () => {
  const rig = new WindowRig();
  const { id, events } = await rig.turn('/tools');
  expect(events).toMatchObject([
    { type: 'user_message', isCommand: true, content: [{ text: '/tools' }] },
    {
      type: 'block',
      block: { type: 'text', text: expect.stringMatching(/^```text\n\d+ tools, \d+ enabled\n[\s\S]*\n```$/) },
    },
    { type: 'turn_end', stopReason: 'end_turn' },
  ]);
  const answerTo = async (line: string, answer?: Bag) => {
    const seen = rig.turnEvents(id).length;
    await rig.request('conversations.send', { id, text: line });
    if (answer !== undefined) expect(await rig.answer(answer)).toMatchObject({ kind: 'grant' });
    await rig.turnEnded(id, seen);
    const block = ofType(rig.turnEvents(id).slice(seen), 'block')[0]?.block as { text: string };
    return block.text.split('\n').slice(1, -1);
  };
  expect(await answerTo('/tools disable bash get_* nope')).toEqual([
    switched.disabled('bash'),
    switched.disabled('get_environment_variable'),
    switched.disabled('get_time'),
    switched.disabled('get_date'),
    switched.disabled('get_fact'),
    // This is one of the window's own tools.
    switched.disabled('get_selection'),
    switched.disabled('get_clipboard'),
    switched.notFound('nope'),
  ]);
  expect(await answerTo('/tools enable bash', { answer: 'deny' })).toEqual([switched.notEnabled('bash')]);
  expect(await answerTo('/tools enable bash get_time', { answer: 'once' })).toEqual([
    switched.enabled('bash'),
    switched.enabled('get_time'),
  ]);
  expect(JSON.parse(readFileSync(join(rig.profile, 'config.json'), 'utf8'))).toEqual({
    tools: { disabled: ['get_clipboard', 'get_date', 'get_environment_variable', 'get_fact', 'get_selection'] },
  });
  // The last message of the conversation is none that a model could answer again.
  expect(await rig.code('conversations.retry', { id })).toBe('bad_input');
  expect(await rig.code('conversations.send', { id, text: '/rules' })).toBe('unusable_command');
});

test('Stop while /tools asks takes the question away and changes nothing', async () => {
  const rig = new WindowRig({ config: { tools: { disabled: ['bash'] } } });
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: '/tools enable *' });
  expect(await rig.card()).toMatchObject({ kind: 'grant' });
  await rig.request('conversations.stop', { id });
  await rig.turnEnded(id);
  expect(rig.turnEvents(id).at(-1)).toMatchObject({ type: 'turn_end', stopReason: 'interrupted' });
  expect(JSON.parse(readFileSync(join(rig.profile, 'config.json'), 'utf8'))).toEqual({ tools: { disabled: ['bash'] } });
});

test('a file that is not text is not sent as text, whatever the page says', async () => {
  const rig = new WindowRig();
  const send = (name: string, text: string) =>
    rig.code('conversations.send', { id: null, text: 'look', attachments: [{ kind: 'text', name, text }] });
  expect(await send('report.pdf', '%PDF-1.7\n1 0 obj')).toBe('bad_attachment');
  expect(await send('table.xlsx', 'PK\u0003\u0004\0\0')).toBe('bad_attachment');
  expect(await send('notes.md', 'text')).toBe('ok');
});

test('one turn at a time in a conversation, several beside each other', async () => {
  const rig = new WindowRig();
  const first = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'run: sleep 60' });
  expect(await rig.code('conversations.send', { id: first.id, text: 'and?' })).toBe('already_answering');
  const second = await rig.turn('what time is it');
  const list = await rig.request<ConversationSummary[]>('conversations.list');
  expect(Object.fromEntries(list.map(({ id, isAnswering }) => [id, isAnswering]))).toEqual({
    [first.id]: true,
    [second.id]: false,
  });
  await rig.request('conversations.stop', { id: first.id });
});

test('Stop ends a running command with everything it started, and the conversation goes on', async () => {
  const rig = new WindowRig();
  const line = 'run: sh -c "sleep 60; touch late" & echo $! > pid; wait';
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: line });
  await rig.answer({ answer: 'once' });
  const started = await vi.waitFor(() => {
    // Empty for a moment: there is a file before there is a number in it.
    const [pid = ''] = /^\d+(?=\n)/.exec(readFileSync(join(rig.workspace, 'pid'), 'utf8')) ?? [];
    expect(pid).not.toBe('');
    const tree = processTree(Number(pid));
    expect(tree).not.toEqual([]);
    return tree;
  }, SOON);
  await rig.request('conversations.stop', { id });
  expect(stillRunning(started)).toEqual([]);
  expect(rig.turnEvents(id).at(-1)).toMatchObject({ type: 'turn_end', stopReason: 'interrupted', wasStopped: true });
  expect((await rig.turn('what time is it', id)).events.at(-1)).toMatchObject({ stopReason: 'end_turn' });
  expect(existsSync(join(rig.workspace, 'late'))).toBe(false);
});

test('Stop of a tool that the user called says who stopped it', async () => {
  const rig = new WindowRig();
  const { id } = await rig.request<{ id: string }>('conversations.send', {
    id: null,
    text: '/bash {"command":"touch began; sleep 60"}',
  });
  await rig.answer({ answer: 'once' });
  await vi.waitFor(() => expect(existsSync(join(rig.workspace, 'began'))).toBe(true), SOON);
  await rig.request('conversations.stop', { id });
  expect(rig.turnEvents(id).slice(-2)).toMatchObject([
    { type: 'notice', code: 'stopped' },
    { type: 'turn_end', stopReason: 'interrupted', wasStopped: true },
  ]);
});

test('stopping a page that does not load says who stopped it', async () => {
  const site = await startWebSite({ '/slow': () => undefined });
  const rig = new WindowRig();
  const text = `/web_fetch {"url":"${site.url}/slow"}`;
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text });
  await rig.answer({ answer: 'once' });
  await vi.waitFor(() => expect(site.requests).toHaveLength(1), SOON);
  await rig.request('conversations.stop', { id });
  expect(ofType(rig.turnEvents(id), 'tool_result')).toMatchObject([
    { text: expect.stringContaining('stopped by the user'), outcome: 'stopped', calledBy: 'person' },
  ]);
});

test('Stop while a question is asked takes the question away', async () => {
  const rig = new WindowRig();
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'run: touch never' });
  const card = await rig.card();
  await vi.waitFor(() => expect(rig.isConsentShown).toBe(true), SOON);
  await rig.request('conversations.stop', { id });
  expect(rig.isConsentShown).toBe(false);
  expect(await rig.code('consent.answer', { id: card.id, answer: 'once' }, 'consent')).toBe('not_shown');
  expect(existsSync(join(rig.workspace, 'never'))).toBe(false);
});

test('the last message is answered once more', async () => {
  const rig = new WindowRig();
  const { id } = await rig.turn('what time is it');
  const before = rig.turnEvents(id).length;
  await rig.request('conversations.retry', { id });
  await rig.turnEnded(id, before);
  expect(ofType(rig.turnEvents(id), 'user_message')).toHaveLength(1);
  expect(ofType(rig.turnEvents(id), 'turn_end')).toHaveLength(2);
});

test('a conversation is saved where the user says, or not at all', async () => {
  const rig = new WindowRig();
  const { id } = await rig.turn('what time is it');
  expect(await rig.request('conversations.export', { id, format: 'markdown' })).toBe(null);
  const file = join(rig.folder, 'saved.md');
  rig.chosen.push(file);
  expect(await rig.request('conversations.export', { id, format: 'markdown' })).toEqual({ path: file });
  expect(readFileSync(file, 'utf8')).toContain('what time is it');
  const folder = join(rig.folder, 'folder');
  mkdirSync(folder);
  rig.chosen.push(folder);
  expect(await rig.code('conversations.export', { id, format: 'json' })).toBe('not_saved');
});

test('calling an unavailable tool by its line says what is missing and where to enter it', async () => {
  const rig = new WindowRig();
  const decisions: unknown[] = [];
  const notice = async (text: string) => {
    const { events } = await rig.turn(text);
    expect(ofType(events, 'tool_result')).toHaveLength(1);
    decisions.push(...ofType(events, 'decision').map(({ reason }) => reason));
    return ofType(events, 'notice').map(({ code, message }) => `${code}: ${message}`);
  };
  const needsKey = (name: string) => [
    `tool_needs_key: ${name} needs ${anthropicUsageGate.needs}. Add keys in Settings, under Models and keys.`,
  ];
  expect(await notice('/anthropic_usage {}')).toEqual(needsKey('anthropic_usage'));
  expect(await notice('/ANTHROPIC_usage')).toEqual(needsKey('anthropic_usage'));
  expect(await notice('/websearch {"query": "x"}')).toEqual([
    expect.stringContaining(`tool_needs_key: web_search needs ${webSearchGate.needs}`),
  ]);
  await rig.request('settings.setToolEnabled', { name: 'get_time', isEnabled: false });
  expect(await notice('/get_time')).toEqual([
    'tool_switched_off: get_time is switched off. You can switch it on in Settings, under Tools.',
  ]);
  expect(await notice('/get_date')).toEqual([]);
  expect(decisions.at(0)).toEqual({ code: 'tool_unavailable', needs: anthropicUsageGate.needs });
});

test('an unknown slash command is not sent, and the one that was probably meant is named', async () => {
  const rig = new WindowRig();
  for (const [text, meant] of [
    ['/get_tmie', '/get_time'],
    ['/read_fil {"path": "a"}', '/read_file'],
    ['/tols', '/tools'],
  ] as const)
    expect(await rig.envelope('conversations.send', { id: null, text })).toMatchObject({
      error: { code: 'unknown_command', message: expect.stringContaining(meant) },
    });
  expect(await rig.code('conversations.send', { id: null, text: '/nothing like it' })).toBe('unknown_command');
  expect(await rig.request('conversations.list', {})).toEqual([]);
});

test('a message that begins with a path is a message, pasted or typed', async () => {
  const rig = new WindowRig();
  for (const text of ['/etc/hosts what is this?', '/etc/hosts\n/etc/passwd']) {
    const { events } = await rig.turn(text);
    expect(ofType(events, 'user_message')).toMatchObject([{ content: [{ text }] }]);
    expect(ofType(events, 'user_message')[0]).not.toHaveProperty('callsTools');
    expect(ofType(events, 'round_start')).toHaveLength(1);
  }
});

test('for a tool that the lean profile leaves out, the error does not point to Settings', async () => {
  const rig = new WindowRig({ config: { tools: { profile: 'lean' } } });
  const { events } = await rig.turn('/grep {"pattern": "x"}');
  expect(ofType(events, 'notice').map(({ code, message }) => [code, message])).toEqual([
    ['tool_left_out', 'grep is left out by the "lean" tool profile in config.json.'],
  ]);
});

test('a slash line runs one tool without a model; commands of the terminal are refused in words', async () => {
  const rig = new WindowRig({ files: { 'a.txt': 'hello' } });
  const { events } = await rig.turn('/read_file {"path": "a.txt"}');
  expect(ofType(events, 'tool_result')).toMatchObject([{ text: 'hello' }]);
  expect(ofType(events, 'round_start')).toEqual([]);
  for (const text of ['/tools explode', '/data restore x', '/rules revoke x'])
    expect(await rig.code('conversations.send', { id: null, text }), text).toBe('unusable_command');
  expect(await rig.envelope('conversations.send', { id: null, text: '/help' })).toMatchObject({
    error: { code: 'unusable_command', message: expect.stringMatching(/^Type \/ to see/) },
  });
});
