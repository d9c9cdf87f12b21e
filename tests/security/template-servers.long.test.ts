import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ConsentCard } from '../../src-preload/contract/consent.ts';
import type { ServerPage, ServerRow, TemplateCheck, TemplateId } from '../../src-preload/contract/servers.ts';
import { installTemplate, TEMPLATE_SERVER } from '../fixtures/mcp/template-servers.ts';
import type { ScriptedTurn } from '../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../fixtures/messages-api/server.ts';
import { SOON, WindowRig, type WindowRigOptions } from '../fixtures/window-rig.ts';

/**
 * WhatsApp and Interview Assist, set up from their templates and reviewed: what runs, what asks, and what never
 * arrives.
 */

type Bag = Record<string, unknown>;
const yes = { answer: 'once' };
const no = { answer: 'deny' };
/** Nothing in it is read: the call is declined before that. */
const OUTSIDE = '/etc/hostname';

/** Goes from the template to reviewed tools, as a user does. */
async function setUp(id: TemplateId, options: WindowRigOptions = {}, timeoutSeconds: number | null = null) {
  const installed = installTemplate(id);
  const rig = new WindowRig({ ...options, env: { ...installed.env, TERM: 'xterm', ...options.env } });
  const { server, prerequisites } = await rig.request<TemplateCheck>('servers.checkTemplate', {
    id,
    folder: installed.folder,
  });
  expect(prerequisites.find((each) => each.id === 'folder')).toMatchObject({ isMet: true });
  const { remarks: _, ...form } = server;
  const filled = form.env.map((each) => (each.isSecret ? { ...each, value: 'a-key-that-nobody-has' } : each));
  const adding = rig.request('servers.add', { form: { ...form, env: filled, timeoutSeconds } });
  expect(await rig.answer(yes)).toMatchObject({ kind: 'grant' });
  await adding;
  await rig.answer(yes);
  await vi.waitFor(async () => {
    const rows = await rig.request<readonly ServerRow[]>('servers.list');
    expect(rows.find(({ name }) => name === id)).toMatchObject({ state: { name: 'ready' }, unreviewed: 0 });
  }, SOON);
  return { rig, installed };
}

/**
 * The call of a user, by its line. Gives the cards that it led to, answered each with `answer`, and what became of it.
 */
async function calls(rig: WindowRig, tool: string, input: Bag, answer: Bag = no, id: string | null = null) {
  return answered(rig, `/${tool} ${JSON.stringify(input)}`, () => answer, id);
}

async function answered(rig: WindowRig, text: string, answerOf: (card: ConsentCard) => Bag, id: string | null = null) {
  const before = id === null ? 0 : rig.turnEvents(id).length;
  const sent = await rig.request<{ id: string }>('conversations.send', { id, text });
  let hasEnded = false;
  const ended = rig.turnEnded(sent.id, before).then(() => {
    hasEnded = true;
  });
  const asked: ConsentCard[] = [];
  while (!hasEnded) {
    const card = await Promise.race([ended.then(() => undefined), rig.card()]);
    if (card === undefined || asked.some((each) => each.id === card.id)) continue;
    asked.push(card);
    await rig.answer(answerOf(card), card);
  }
  const events = rig.turnEvents(sent.id).slice(before);
  const of = (type: string) => events.filter((event) => event.type === type);
  return {
    id: sent.id,
    asked,
    decision: of('decision').at(-1),
    decisions: of('decision'),
    result: of('tool_result').at(-1),
  };
}

async function withModel(turns: readonly ScriptedTurn[]): Promise<WindowRigOptions> {
  const api = await startMessagesApi({ turns });
  onTestFinished(() => api.close());
  return { env: { ANTHROPIC_API_KEY: 'sk-ant-api03-fixture', ANTHROPIC_BASE_URL: api.url } };
}

const use = (name: string, input: Bag): ScriptedTurn => ({ blocks: [{ type: 'tool_use', name, input }] });
const whatsapp = (tool: string) => `whatsapp__${tool}`;
const MESSAGE = { recipient: '4915550100', message: 'Hello' };

test('chats are read without a question, whatever type their list is said to have, and mark the conversation', async () => {
  const { rig, installed } = await setUp('whatsapp');
  const page = await rig.request<ServerPage>('servers.page', { name: 'whatsapp' });
  expect(page.tools).toHaveLength(12);
  const { asked, decision, result } = await calls(rig, whatsapp('list_messages'), { query: 'tea' });
  expect(asked).toEqual([]);
  expect(decision).toMatchObject({ answer: 'allow', by: 'default', reason: { code: 'mcp_read' } });
  const source = 'list_messages of the MCP server whatsapp';
  expect(result).toMatchObject({
    text: expect.stringContaining('Ada'),
    isError: false,
    marks: [
      { kind: 'untrusted', source },
      { kind: 'private', source },
    ],
  });
  for (const [tool, input] of [
    ['search_contacts', { query: 'Ada' }],
    ['list_chats', {}],
    ['get_chat', { chat_jid: 'a' }],
    ['get_direct_chat_by_contact', { sender_phone_number: '49' }],
    ['get_contact_chats', { jid: 'a' }],
    ['get_last_interaction', { jid: 'a' }],
    ['get_message_context', { message_id: 'm' }],
  ] as const)
    expect((await calls(rig, whatsapp(tool), input)).asked, tool).toEqual([]);
  expect(installed.calls()).toHaveLength(8);
});

test('sending always asks, and nothing makes it stop asking', async () => {
  const { rig, installed } = await setUp('whatsapp');
  const first = await calls(rig, whatsapp('send_message'), MESSAGE, yes);
  expect(first.asked).toMatchObject([{ offers: [] }]);
  expect(first.decision).toMatchObject({ answer: 'allow', by: 'user' });
  expect(installed.calls()).toEqual([{ name: 'send_message', arguments: MESSAGE }]);

  // A rule is asked for where none is offered.
  const insisting = rig.request<{ id: string }>('conversations.send', {
    id: null,
    text: `/${whatsapp('send_message')} ${JSON.stringify(MESSAGE)}`,
  });
  const card = await rig.card();
  for (const answer of ['always', 'conversation']) {
    const refusal = () => rig.code('consent.answer', { id: card.id, answer, offer: 0 }, 'consent');
    await expect.poll(refusal, SOON).not.toBe('too_early');
    expect(await refusal()).not.toBe('ok');
  }
  await rig.answer(no, card);
  await rig.turnEnded((await insisting).id);
  expect(await rig.request('settings.rules')).toEqual([]);

  // The table of a known server decides, whatever is said of a class.
  const setting = rig.request<ServerPage>('servers.setClass', {
    name: 'whatsapp',
    tool: 'send_message',
    class: 'read',
  });
  await rig.answer(yes);
  const page = await setting;
  expect(page.tools.find(({ name }) => name === 'send_message')).toMatchObject({ class: 'send', classFrom: 'table' });
  for (const tool of ['send_message', 'send_file', 'send_audio_message']) {
    const input = tool === 'send_message' ? MESSAGE : { recipient: '49', media_path: join(rig.workspace, 'a.png') };
    const again = await calls(rig, whatsapp(tool), input);
    expect(again.asked, tool).toMatchObject([{ offers: [] }]);
    expect(again.decision, tool).toMatchObject({ answer: 'deny', by: 'user' });
  }
  expect(installed.calls()).toHaveLength(1);
});

test('the control: a server that is not known as WhatsApp is given any path, after a yes', async () => {
  const { callsFile, calls: arrived } = installTemplate('whatsapp');
  const entry = { command: process.execPath, args: [TEMPLATE_SERVER, 'whatsapp', callsFile] };
  const rig = new WindowRig({ config: { mcpServers: { other: entry } } });
  const confirming = rig.request('settings.confirmPending');
  for (const _ of [1, 2]) await rig.answer(yes);
  await confirming;
  const input = { recipient: '49', media_path: OUTSIDE };
  await vi.waitFor(async () => expect((await calls(rig, 'other__send_file', input, yes)).asked).toHaveLength(1), SOON);
  expect(arrived()).toEqual([{ name: 'send_file', arguments: input }]);
});

test('a file is sent only from where tools may read, and by the path that was decided on', async () => {
  const { rig, installed } = await setUp('whatsapp', { files: { 'a.png': 'x', '.env': 'KEY=hunter2hunter2' } });
  symlinkSync(OUTSIDE, join(rig.workspace, 'link.png'));
  symlinkSync('/usr/bin', join(rig.workspace, 'programs'));
  for (const tool of ['send_file', 'send_audio_message']) {
    for (const path of [OUTSIDE, `${rig.workspace}/../profile/config.json`, join(rig.workspace, 'link.png')]) {
      const { asked, result } = await calls(rig, whatsapp(tool), { recipient: '49', media_path: path }, yes);
      expect([asked, result?.outcome], `${tool} ${path}`).toEqual([[], 'declined']);
    }
  }
  expect(installed.calls()).toEqual([]);

  const whole = join(rig.workspace, 'a.png');
  // The server would find other files by these: one in its own folder, and `/usr/a.png`.
  for (const path of ['a.png', `${rig.workspace}/programs/../a.png`]) {
    const { asked, result } = await calls(rig, whatsapp('send_file'), { recipient: '49', media_path: path }, yes);
    expect(asked, path).toEqual([]);
    expect(result?.text).toBe(`Error: media_path must be the absolute path of the file, without links: ${whole}`);
  }
  expect(installed.calls()).toEqual([]);
  const { decision } = await calls(rig, whatsapp('send_file'), { recipient: '49', media_path: whole }, yes);
  expect(decision).toMatchObject({ answer: 'allow', by: 'user' });
  expect(installed.calls().at(-1)).toEqual({ name: 'send_file', arguments: { recipient: '49', media_path: whole } });
  const secret = { recipient: '49', media_path: join(rig.workspace, '.env') };
  const refused = await calls(rig, whatsapp('send_file'), secret);
  expect(refused.asked).toMatchObject([{ offers: [] }]);
  expect(installed.calls()).toHaveLength(1);
  const allowed = await calls(rig, whatsapp('send_file'), secret, yes);
  expect(allowed.result?.marks).toContainEqual(expect.objectContaining({ kind: 'secret' }));
});

test('after a chat was read, no rule answers for what the chat may have asked for', async () => {
  const download = { message_id: 'm', chat_jid: 'c' };
  const command = { command: 'touch done' };
  const turns: readonly ScriptedTurn[] = [
    use('bash', command),
    use(whatsapp('download_media'), download),
    { text: 'Both are done.' },
    use('bash', command),
    use(whatsapp('download_media'), download),
    use(whatsapp('list_messages'), {}),
    use(whatsapp('download_media'), download),
    use('bash', command),
    use(whatsapp('send_message'), MESSAGE),
    { text: 'It was refused.' },
  ];
  const { rig, installed } = await setUp('whatsapp', await withModel(turns));
  const always = { answer: 'always', offer: 0 };
  const first = await answered(rig, 'Download it and note that', () => always);
  expect(first.decisions).toMatchObject([
    { answer: 'allow', by: 'user' },
    { answer: 'allow', by: 'user' },
  ]);
  const second = await answered(rig, 'Again, and read my messages', () => no);
  // The control: until the chat is read, both rules answer.
  expect(second.decisions.slice(0, 3)).toMatchObject([
    { answer: 'allow', by: 'rule' },
    { answer: 'allow', by: 'rule' },
    { answer: 'allow', by: 'default' },
  ]);
  expect(second.decisions.slice(3)).toMatchObject([
    { answer: 'deny', by: 'user' },
    { answer: 'deny', by: 'user' },
    { answer: 'deny', by: 'user' },
  ]);
  // Each question names what was read, and offers nothing that would end such questions.
  expect(second.asked).toHaveLength(3);
  const ofCalls = second.asked.map(({ offers }) => offers.filter(({ detail }) => !detail.startsWith('work freely')));
  expect(ofCalls.map((offers) => offers.length)).toEqual([0, 1, 0]);
  for (const card of second.asked) expect(JSON.stringify(card)).toContain('list_messages of the MCP server whatsapp');
  expect(installed.calls().map(({ name }) => name)).toEqual(['download_media', 'download_media', 'list_messages']);
});

test('of the tools of Interview Assist four run without a question and ten ask', async () => {
  const { rig } = await setUp('interview-assist');
  const { tools } = await rig.request<ServerPage>('servers.page', { name: 'interview-assist' });
  const reading = tools.flatMap((tool) => (tool.class === 'read' ? [tool.name] : []));
  expect(reading.toSorted()).toEqual(['ia_healthcheck', 'stt_get_session', 'stt_get_updates', 'stt_list_devices']);
  expect(tools.filter((tool) => tool.class === 'write' && tool.classFrom === 'table')).toHaveLength(10);
  const of = (tool: string, input: Bag) => calls(rig, `interview-assist__${tool}`, input);
  expect((await of('stt_get_updates', { session_id: 'stt-1' })).asked).toEqual([]);
  expect((await of('stt_list_devices', {})).result).toMatchObject({ isError: false });
  expect((await of('stt_start_session', {})).asked).toHaveLength(1);
  expect((await of('ia_create_baseline', { session_file: 's' })).asked).toHaveLength(1);
});

test('a call may take as long as its tool says that it does, and half a minute more', async () => {
  const { rig, installed } = await setUp('interview-assist', {}, 1);
  const of = async (tool: string, input: Bag) => (await calls(rig, `interview-assist__${tool}`, input, yes)).result;
  const LONG = { duration_seconds: 2.5 };
  // The control: for a tool that says nothing, the limit of the server counts.
  expect(await of('ia_regression_test', { baseline: 'b' })).toMatchObject({ isError: true });
  expect(await of('ia_transcribe_once', { ...LONG, timeout_seconds: 1 })).toMatchObject({ isError: false });
  // What is not given is the default of its schema, which the server knows by itself.
  expect(await of('ia_transcribe_once', LONG)).toMatchObject({ isError: false });
  expect(installed.calls().map((each) => each.arguments.timeout_seconds)).toEqual([undefined, 1, undefined]);
});
