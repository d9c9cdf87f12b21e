import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ProgramsView } from '../../../src-preload/contract/programs.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { RawProgram } from '../../fixtures/program.ts';
import { SOON, WindowRig, type WindowRigOptions } from '../../fixtures/window-rig.ts';

const HELLO = { type: 'hello', name: 'Editor', version: '1' };

async function switchedOn(options: WindowRigOptions = {}) {
  const rig = new WindowRig(options);
  const switching = rig.request<ProgramsView>('programs.setOn', { isOn: true });
  await rig.answer({ answer: 'once' });
  const { socket } = await switching;
  if (socket.name !== 'listening') throw new Error(JSON.stringify(socket));
  return { rig, path: socket.path };
}

async function withModel(turns: readonly ScriptedTurn[]) {
  const api = await startMessagesApi({ turns });
  onTestFinished(() => api.close());
  const env = { ANTHROPIC_API_KEY: 'sk-ant-api03-fixture', ANTHROPIC_BASE_URL: api.url };
  return { ...(await switchedOn({ env })), api };
}

test('no program can connect until a user confirmed it in the other surface, and none after it was switched off', async () => {
  const rig = new WindowRig();
  expect(await rig.request('programs.list')).toMatchObject({ socket: { name: 'off' }, programs: [] });
  expect(existsSync(join(rig.profile, 'client.sock'))).toBe(false);
  const declined = rig.code('programs.setOn', { isOn: true });
  const card = await rig.answer({ answer: 'deny' });
  expect(card).toMatchObject({ kind: 'grant' });
  expect(await declined).toBe('not_confirmed');
  expect(existsSync(join(rig.profile, 'client.sock'))).toBe(false);

  const switching = rig.request<ProgramsView>('programs.setOn', { isOn: true });
  await rig.answer({ answer: 'once' });
  expect(await switching).toMatchObject({ socket: { name: 'listening', path: join(rig.profile, 'client.sock') } });
  expect(statSync(join(rig.profile, 'client.sock')).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(join(rig.profile, 'config.json'), 'utf8'))).toEqual({ clientTools: { socket: true } });

  const program = await RawProgram.connect(join(rig.profile, 'client.sock'));
  expect(await rig.request('programs.setOn', { isOn: false })).toMatchObject({ socket: { name: 'off' } });
  await program.closed;
  expect(existsSync(join(rig.profile, 'client.sock'))).toBe(false);
});

test('config.json alone does not switch it on', async () => {
  const rig = new WindowRig({ config: { clientTools: { socket: true } } });
  const view = await rig.request<{ unconfirmed: { key: string }[] }>('settings.get');
  expect(view.unconfirmed.map(({ key }) => key)).toEqual(['clientTools.socket']);
  expect(await rig.request('programs.list')).toMatchObject({ socket: { name: 'off' } });
  expect(existsSync(join(rig.profile, 'client.sock'))).toBe(false);
});

test('the card says what a program calls itself and what runs; only the other surface answers it', async () => {
  const { rig, path } = await switchedOn();
  const running = rig.request<{ id: string }>('conversations.send', {
    id: null,
    text: '/bash {"command":"touch started; sleep 600"}',
  });
  await rig.answer({ answer: 'once' });
  const { id } = await running;
  // What is there is kept before it runs.
  await vi.waitFor(() => expect(existsSync(join(rig.workspace, 'started'))).toBe(true), SOON);

  const program = await RawProgram.connect(path);
  program.send(HELLO);
  const card = await vi.waitFor(async () => {
    const shown = await rig.card();
    expect(shown.kind).toBe('pairing');
    return shown;
  }, SOON);
  const texts = card.parts.map((part) => ('text' in part ? part.text : ''));
  expect(card).toMatchObject({ offers: [], title: expect.stringContaining('Editor') });
  expect(texts).toContain('Editor, version 1');
  expect(texts.some((text) => text.includes('sleep 600'))).toBe(true);
  expect(await rig.code('consent.answer', { id: card.id, answer: 'once' })).toBe('wrong_surface');
  await rig.answer({ answer: 'deny' }, card);
  expect(await program.receives('refused')).toMatchObject({ code: 'declined' });
  expect(await rig.request<ProgramsView>('programs.list')).toMatchObject({ programs: [], pausedSeconds: 30 });

  // Until the user wants to be asked again, nothing is asked.
  const next = await RawProgram.connect(path);
  next.send({ ...HELLO, token: 'A'.repeat(43) });
  expect(await next.receives('refused')).toMatchObject({ code: 'paused' });
  rig.hasGesture = false;
  expect(await rig.code('programs.endPause')).toBe('no_gesture');
  rig.hasGesture = true;
  expect(await rig.request('programs.endPause')).toMatchObject({ pausedSeconds: 0 });
  await rig.request('conversations.stop', { id });
});

test('a removed program leaves nothing behind, also where it is not attached any more, and the next of its name inherits nothing', async () => {
  const { rig, path, api } = await withModel([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }]);
  const { id } = await rig.turn('hello');
  const group = { name: 'IDE', description: 'x', tools: [{ name: 'OpenFile', description: 'x' }] };
  const first = await RawProgram.connect(path);
  first.send(HELLO);
  await rig.answer({ answer: 'once' });
  const { token } = await first.receives('welcome');
  const context = [{ description: 'Secret', value: 'left behind' }];
  first.send({ type: 'run_input', conversation: id, clientToolGroups: [group], context });
  await first.receives('run_accepted');
  const attached = () => rig.request('programs.inConversation', { conversationId: id });
  expect(await attached()).toEqual([{ name: 'Editor', groups: ['IDE'], isConnected: true }]);
  expect(await rig.request('programs.list')).toMatchObject({
    programs: [{ connections: 1, attachments: [{ conversationId: id, groups: ['IDE'] }] }],
  });
  await first.leave();
  await vi.waitFor(async () => expect(await attached()).toMatchObject([{ isConnected: false }]), SOON);
  await rig.turn('and now?', id);
  // As long as it is paired, it may come back.
  expect(JSON.stringify(api.requests.at(-1)?.body)).toContain('left behind');

  const { programs } = await rig.request<ProgramsView>('programs.list');
  expect(programs).toMatchObject([{ name: 'Editor', version: '1', connections: 0 }]);
  expect(JSON.stringify(programs)).not.toContain(token);
  const [{ id: program } = { id: '' }] = programs;
  rig.hasGesture = false;
  expect(await rig.code('programs.revoke', { id: program })).toBe('no_gesture');
  rig.hasGesture = true;
  expect(await rig.request('programs.revoke', { id: program })).toMatchObject({ programs: [] });
  expect(await attached()).toEqual([]);
  const next = await RawProgram.connect(path);
  next.send(HELLO);
  await rig.answer({ answer: 'once' });
  await next.receives('welcome');
  next.send({ type: 'run_input', conversation: id });
  await next.receives('run_accepted');
  await rig.turn('and now?', id);
  const sent = JSON.stringify(api.requests.at(-1)?.body);
  expect(sent).not.toContain('left behind');
  expect(sent).not.toContain('"IDE"');
});

test('the first message of a conversation already has the tools of the programs that are attached', async () => {
  const { rig, path, api } = await withModel([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }]);
  const program = await RawProgram.connect(path);
  program.send(HELLO);
  await rig.answer({ answer: 'once' });
  await program.receives('welcome');
  const tools = [{ name: 'OpenFile', description: 'Opens a file' }];
  const group = { name: 'IDE', description: 'x', startCollapsed: false, tools };
  program.send({ type: 'run_input', conversation: 'current', clientToolGroups: [group] });
  const hasTool = (index: number) => JSON.stringify(api.requests[index]?.body).includes('"OpenFile"');

  // The window shows no conversation yet. Lines are read in their order, so what was sent before this answer waits for
  // one now.
  program.send({ type: 'run_input', conversation: 'none' });
  await program.receives('client_error', ({ code }) => code === 'no_conversation');
  const first = await rig.turn('hello');
  expect(hasTool(0)).toBe(true);
  expect(await program.receives('run_accepted')).toMatchObject({ conversationId: first.id, groups: ['IDE'] });

  // It shows one, and the user begins another.
  await rig.shows(null);
  const second = await rig.turn('hello again');
  expect(hasTool(1)).toBe(true);
  expect(
    await program.receives('current_conversation', ({ conversationId }) => conversationId === second.id),
  ).toBeDefined();

  await rig.shows(first.id);
  expect(
    await program.receives('current_conversation', ({ conversationId }) => conversationId === first.id),
  ).toBeDefined();
  program.send({ type: 'run_input', conversation: 'current', hiddenTools: ['OpenFile'] });
  await program.receives('run_accepted', ({ conversationId }) => conversationId === first.id);
  await rig.turn('and now', first.id);
  expect(hasTool(2)).toBe(false);
});

test('the next window listens again, and knows what was confirmed and paired', async () => {
  const { rig, path } = await switchedOn();
  const program = await RawProgram.connect(path);
  program.send(HELLO);
  await rig.answer({ answer: 'once' });
  const { token } = await program.receives('welcome');
  await rig.close();
  expect(existsSync(path)).toBe(false);
  const next = new WindowRig({ like: rig });
  await vi.waitFor(async () => {
    expect(await next.request('programs.list')).toMatchObject({ socket: { name: 'listening', path } });
  }, SOON);
  const again = await RawProgram.connect(path);
  again.send({ ...HELLO, token });
  await again.receives('welcome');
});
