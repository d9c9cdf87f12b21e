import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { webSearchGate } from '../../../src-main/tools/web/search/web-search.ts';
import type { EventOf } from '../../../src-preload/contract/events.ts';
import type { ProviderList } from '../../../src-preload/contract/providers.ts';
import type { KeptForUndo, SettingsView } from '../../../src-preload/contract/settings.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { sha256 } from '../../fixtures/scripted-service.ts';
import { SOON, WindowRig } from '../../fixtures/window-rig.ts';

type Bag = Record<string, unknown>;

const KEY = 'sk-ant-api03-typed-by-a-person';
const view = (rig: WindowRig) => rig.request<SettingsView>('settings.get');
const configOf = (rig: WindowRig) => JSON.parse(readFileSync(join(rig.profile, 'config.json'), 'utf8'));

/** A folder beside the workspace, with a file in it. */
function folderIn(rig: WindowRig, name: string): string {
  const folder = join(rig.folder, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'inside.txt'), `text of ${name}`);
  return folder;
}

/** What reading a file by its absolute path gives, or the code of why it was denied. */
async function reading(rig: WindowRig, file: string): Promise<unknown> {
  const { events } = await rig.turn(`/read_file ${JSON.stringify({ path: file })}`);
  const decision = events.find(({ type }) => type === 'decision') as EventOf<'decision'> | undefined;
  if (decision?.answer === 'deny') return decision.reason.code;
  return events.find(({ type }) => type === 'tool_result')?.text;
}

async function api(options: Parameters<typeof startMessagesApi>[0] = {}) {
  const server = await startMessagesApi(options);
  onTestFinished(() => server.close());
  return server;
}

test('a folder is granted once the user confirmed exactly it, at once, and taken back at once', async () => {
  const rig = new WindowRig();
  const folder = folderIn(rig, 'reports');
  const file = join(folder, 'inside.txt');
  expect(await reading(rig, file)).toBe('outside_roots');

  const granting = rig.request<SettingsView>('settings.addFolder', { path: folder });
  expect(await rig.card()).toMatchObject({
    kind: 'grant',
    title: 'Grant this folder?',
    parts: [
      { kind: 'consequences' },
      { kind: 'value', text: folder },
      { kind: 'arguments', derived: [{ text: `folders[${folder}]` }] },
    ],
    offers: [],
  });
  expect(await reading(rig, file)).toBe('outside_roots');
  await rig.answer({ answer: 'once' });
  expect((await granting).folders).toEqual([{ path: folder, isConfirmed: true, flaw: null }]);
  expect(await reading(rig, file)).toBe('text of reports');

  expect((await rig.request<SettingsView>('settings.removeFolder', { path: folder })).folders).toEqual([]);
  expect(await reading(rig, file)).toBe('outside_roots');
});

test('a turn that runs loses a folder as soon as it is taken back', async () => {
  const rig = new WindowRig();
  const folder = folderIn(rig, 'reports');
  const granting = rig.request('settings.addFolder', { path: folder });
  await rig.answer({ answer: 'once' });
  await granting;
  await rig.close();

  const file = join(folder, 'inside.txt');
  const call = (name: string, input: Bag) => ({ blocks: [{ type: 'tool_use' as const, name, input }] });
  const read = call('read_file', { path: file });
  const { url } = await api({ turns: [read, call('bash', { command: 'true' }), read, { text: 'done' }] });
  const again = new WindowRig({ like: rig, env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY } });
  const { id } = await again.request<{ id: string }>('conversations.send', { id: null, text: 'go' });
  await again.card();
  await again.request('settings.removeFolder', { path: folder });
  await again.answer({ answer: 'once' });
  await again.turnEnded(id);
  const results = again.turnEvents(id).filter(({ type }) => type === 'tool_result');
  expect(results).toMatchObject([
    { outcome: 'completed', text: 'text of reports' },
    { outcome: 'completed' },
    { outcome: 'declined' },
  ]);
  const decisions = again.turnEvents(id).filter(({ type }) => type === 'decision');
  expect(decisions.at(-1)).toMatchObject({ answer: 'deny', reason: { code: 'outside_roots' } });
});

test('what is declined is not kept, and a link is granted as the folder that it leads to', async () => {
  const rig = new WindowRig();
  const folder = folderIn(rig, 'reports');
  const link = join(rig.folder, 'link');
  symlinkSync(folder, link);
  const declined = rig.code('settings.addFolder', { path: link });
  expect((await rig.card()).parts).toMatchObject([
    { kind: 'consequences' },
    { kind: 'value', text: folder },
    { kind: 'arguments' },
  ]);
  await rig.answer({ answer: 'deny' });
  expect(await declined).toBe('not_confirmed');
  expect((await view(rig)).folders).toEqual([]);
  for (const path of ['relative', rig.profile, join(rig.profile, 'new'), `${folder}\0`])
    expect(await rig.code('settings.addFolder', { path }), path).toBe('unusable_folder');
});

test('a page cannot have the whole home folder asked about; a user can choose it', async () => {
  const rig = new WindowRig();
  for (const path of ['/', dirname(rig.folder), rig.folder])
    expect(await rig.code('settings.addFolder', { path }), path).toBe('unusable_folder');
  rig.chosen.push(rig.folder);
  const granting = rig.request<SettingsView>('settings.addFolder', {});
  await rig.answer({ answer: 'once' });
  expect((await granting).folders).toEqual([{ path: rig.folder, isConfirmed: true, flaw: null }]);
});

test('a call that was refused for want of a folder is made again once the folder is granted, and asks like any other', async () => {
  const rig = new WindowRig();
  const folder = join(rig.folder, 'elsewhere/new');
  const file = join(folder, 'plan.txt');
  const { id, events } = await rig.turn(`/write_file ${JSON.stringify({ path: file, content: 'x' })}`);
  const decision = events.find(({ type }) => type === 'decision');
  expect(decision).toMatchObject({ answer: 'deny', grantableFolder: folder });
  const callId = decision?.id;
  expect(await rig.code('conversations.tryCallAgain', { id, callId })).toBe('not_granted');

  const granting = rig.request<SettingsView>('settings.addFolder', { path: folder });
  await rig.answer({ answer: 'once' });
  expect((await granting).folders).toEqual([{ path: folder, isConfirmed: true, flaw: 'missing' }]);
  expect(await rig.code('conversations.tryCallAgain', { id, callId: 'none' })).toBe('unknown_call');
  rig.hasGesture = false;
  expect(await rig.code('conversations.tryCallAgain', { id, callId })).toBe('no_gesture');
  rig.hasGesture = true;
  await rig.request('conversations.tryCallAgain', { id, callId });
  expect(await rig.card()).toMatchObject({ kind: 'tool', tool: 'write_file' });
  expect(existsSync(file)).toBe(false);
  await rig.answer({ answer: 'once' });
  await rig.turnEnded(id, events.length);
  expect(readFileSync(file, 'utf8')).toBe('x');
});

test('a page can have one change asked about at a time', async () => {
  const rig = new WindowRig();
  const first = rig.code('settings.addFolder', { path: folderIn(rig, 'one') });
  const second = folderIn(rig, 'two');
  await rig.card();
  expect(await rig.code('settings.addFolder', { path: second })).toBe('already_asking');
  await rig.answer({ answer: 'deny' });
  expect(await first).toBe('not_confirmed');
});

test('the workspace changes after a dialogue and a card, for new turns, and for good', async () => {
  const rig = new WindowRig({ files: { 'old.txt': 'old' } });
  const folder = folderIn(rig, 'project');
  expect(await rig.request('settings.chooseWorkspace')).toMatchObject({ workspace: rig.workspace });

  rig.chosen.push(folder);
  const choosing = rig.request<SettingsView>('settings.chooseWorkspace');
  expect((await rig.card()).parts).toMatchObject([
    { kind: 'value', text: folder, standing: { text: rig.workspace } },
    { kind: 'arguments', derived: [{ text: 'workingDirectory' }] },
  ]);
  await rig.answer({ answer: 'once' });
  expect((await choosing).workspace).toBe(folder);
  expect(await reading(rig, 'inside.txt')).toBe('text of project');
  expect(await reading(rig, join(rig.workspace, 'old.txt'))).toBe('outside_roots');
  await rig.close();

  const again = new WindowRig({ like: rig, withoutWorkspace: true });
  expect((await view(again)).workspace).toBe(folder);
});

test('what config.json names has no effect until it is confirmed, at start and while running', async () => {
  const rig = new WindowRig({ config: { folders: ['/usr/share'] } });
  const before = await view(rig);
  expect(before.folders).toEqual([{ path: '/usr/share', isConfirmed: false, flaw: null }]);
  expect(before.unconfirmed).toEqual([
    { key: 'folders[/usr/share]', reason: expect.objectContaining({ state: 'new' }) },
  ]);
  expect(rig.isConsentShown).toBe(false);

  const folder = folderIn(rig, 'added-by-somebody');
  rig.writeConfig({ folders: [folder], endpoints: { anthropic: 'https://evil.example' } });
  await vi.waitFor(async () => {
    expect((await view(rig)).unconfirmed.map(({ key }) => key)).toEqual([`folders[${folder}]`, 'endpoints.anthropic']);
  }, SOON);
  expect(await reading(rig, join(folder, 'inside.txt'))).toBe('outside_roots');
  const notices = rig.events.flatMap(({ name, data }) => (name === 'notice' ? [data] : []));
  expect(notices).toContainEqual({
    code: 'not_confirmed',
    message: expect.stringMatching(/^endpoints[.]anthropic in config[.]json /),
  });
  expect(rig.events.some(({ name }) => name === 'settingsChanged')).toBe(true);

  const confirming = rig.request<SettingsView>('settings.confirmPending');
  await rig.answer({ answer: 'once' });
  await rig.answer({ answer: 'deny' });
  expect((await confirming).unconfirmed.map(({ key }) => key)).toEqual(['endpoints.anthropic']);
  expect(await reading(rig, join(folder, 'inside.txt'))).toBe('text of added-by-somebody');
});

test('a tool is switched off at once and on again only with the user', async () => {
  const rig = new WindowRig();
  const off = await rig.request<SettingsView>('settings.setToolEnabled', { name: 'bash', isEnabled: false });
  expect(off.tools.find(({ name }) => name === 'bash')).toMatchObject({ isEnabled: false, access: 'execute' });
  const { events } = await rig.turn('/bash {"command": "true"}');
  expect(events.find(({ type }) => type === 'decision')).toMatchObject({ reason: { code: 'tool_disabled' } });
  expect(events.find(({ type }) => type === 'tool_result')).toMatchObject({ outcome: 'failed' });
  for (const [answer, code] of [
    ['deny', 'not_confirmed'],
    ['once', 'ok'],
  ] as const) {
    const switching = rig.code('settings.setToolEnabled', { name: 'bash', isEnabled: true });
    await rig.answer({ answer });
    expect(await switching).toBe(code);
  }
  expect((await view(rig)).tools.find(({ name }) => name === 'bash')).toMatchObject({ isEnabled: true });
  expect(await rig.code('settings.setToolEnabled', { name: 'no_such_tool', isEnabled: true })).toBe('unknown_tool');
});

test('tools without what they need are listed with it, and the lean profile cannot be switched around', async () => {
  const rig = new WindowRig({ config: { tools: { profile: 'lean' } } });
  const { tools } = await view(rig);
  expect(tools.find(({ name }) => name === 'web_search')).toMatchObject({
    isEnabled: false,
    needs: webSearchGate.needs,
  });
  expect(tools.find(({ name }) => name === 'bash')).not.toHaveProperty('needs');
  expect(await rig.code('settings.setToolEnabled', { name: 'web_search', isEnabled: true })).toBe('unknown_tool');
  expect(await rig.code('settings.setToolEnabled', { name: 'run_command', isEnabled: true })).toBe(
    'left_out_by_profile',
  );
  const withKey = await rig.setKey('brave-api-key', 'BSAsomething');
  const search = withKey.tools.find(({ name }) => name === 'web_search');
  expect(search).toMatchObject({ isEnabled: true });
  expect(search).not.toHaveProperty('needs');
});

test('a key is tested without being kept, kept without coming back, and taken away', async () => {
  const { url, requests, seenKeys } = await api();
  const rig = new WindowRig({ env: { ANTHROPIC_BASE_URL: url } });
  expect(await rig.request('settings.testKey', { name: 'anthropic-api-key', value: KEY })).toMatchObject({
    works: true,
  });
  expect(seenKeys).toHaveLength(1);
  expect((await view(rig)).secrets.find(({ name }) => name === 'anthropic-api-key')).toMatchObject({ isSet: false });

  const kept = await rig.request<SettingsView>('settings.setKey', { name: 'anthropic-api-key', value: KEY });
  expect(kept.secrets.find(({ name }) => name === 'anthropic-api-key')).toMatchObject({
    isSet: true,
    source: 'memory',
  });
  expect(kept.keychain).toBe('memory');
  expect(kept.models.find(({ isChosen }) => isChosen)?.specification).toBe('anthropic:claude-sonnet-5-5');
  const { events } = await rig.turn('hello');
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'block', block: { type: 'text', text: 'Hello from the fixture.' } }),
  );
  expect(requests).toHaveLength(1);

  const removed = await rig.request<SettingsView>('settings.removeKey', { name: 'anthropic-api-key' });
  expect(removed.models.find(({ isChosen }) => isChosen)?.specification).toBe('guide');
  expect(JSON.stringify(rig.events)).not.toContain(KEY);
  // What runs makes and removes files.
  await rig.close();
  for (const file of readdirSync(rig.profile, { recursive: true, withFileTypes: true }))
    if (file.isFile()) expect(readFileSync(join(file.parentPath, file.name)).includes(KEY), file.name).toBe(false);
});

test('a key is stored only with the user, who sees its end and whether there was another', async () => {
  const { url } = await api();
  const rig = new WindowRig({ env: { ANTHROPIC_BASE_URL: url } });
  const offering = rig.code('settings.setKey', { name: 'brave-api-key', value: 'BSA-of-somebody-else' });
  const card = await rig.answer({ answer: 'deny' });
  expect(await offering).toBe('not_confirmed');
  expect(JSON.stringify(card)).toContain('else');
  expect(JSON.stringify(card)).not.toContain('somebody');
  expect((await view(rig)).tools.find(({ name }) => name === 'web_search')).toMatchObject({ isEnabled: false });
  await rig.setKey('anthropic-api-key', KEY);
  const { secrets } = await rig.setKey('anthropic-api-key', `${KEY}2`);
  expect(secrets.find(({ name }) => name === 'anthropic-api-key')).toMatchObject({ isSet: true });
});

test('a key that the user was seen to enter is stored without a question; any other is asked about', async () => {
  const { url } = await api();
  const rig = new WindowRig({ env: { ANTHROPIC_BASE_URL: url } });
  const written = rig.writing;
  const name = 'anthropic-api-key';
  const storing = async (tested: string, stored: string, storedAs = name) => {
    await rig.request('settings.testKey', { name, value: tested });
    const request = rig.code('settings.setKey', { name: storedAs, value: stored });
    const isAsked = await Promise.race([request.then(() => false), rig.card().then(() => true)]);
    if (isAsked) await rig.answer({ answer: 'deny' });
    return [isAsked, await request];
  };
  const asked = [true, 'not_confirmed'];

  expect(await storing(KEY, `${KEY}2`)).toEqual(asked);
  expect(await storing(KEY, KEY, 'brave-api-key')).toEqual(asked);
  rig.hasGesture = false;
  // The key is not even sent to the service.
  expect(await rig.code('settings.testKey', { name, value: KEY })).toBe('no_gesture');
  rig.hasGesture = true;
  rig.writing = { ...written, holdsLines: (lines) => lines !== KEY };
  expect(await storing(KEY, KEY)).toEqual(asked);
  rig.writing = written;
  expect(await storing(KEY, KEY)).toEqual([false, 'ok']);
  // No service knows this name, so any word that was ever typed would pass.
  await rig.request('settings.testKey', { name: 'google-client-id', value: '1-a.apps.googleusercontent.com' });
  const untested = rig.code('settings.setKey', { name: 'google-client-id', value: '1-a.apps.googleusercontent.com' });
  await rig.answer({ answer: 'deny' });
  expect(await untested).toBe('not_confirmed');
  // What was entered counts once.
  const again = rig.code('settings.setKey', { name, value: KEY });
  await rig.answer({ answer: 'deny' });
  expect(await again).toBe('not_confirmed');
});

test('a key that does not work is told from a service that cannot be reached', async () => {
  const { url, seenKeys } = await api({ validKeys: ['sk-ant-api03-another'] });
  const rig = new WindowRig({ env: { ANTHROPIC_BASE_URL: url } });
  const tested = await rig.request<Bag>('settings.testKey', { name: 'anthropic-api-key', value: KEY });
  expect(tested).toMatchObject({ works: false, message: expect.stringContaining('HTTP 401') });
  const typo = await rig.request<Bag>('settings.testKey', { name: 'anthropic-api-key', value: 'two\nlines' });
  expect(typo).toMatchObject({ works: false });
  expect(seenKeys).toEqual([sha256(KEY)]);
  expect(await rig.code('settings.setKey', { name: 'anthropic-api-key', value: 'two\nlines' })).toBe('bad_value');

  const closed = await startMessagesApi();
  await closed.close();
  const offline = new WindowRig({ env: { ANTHROPIC_BASE_URL: closed.url } });
  const unreachable = await offline.request<Bag>('settings.testKey', { name: 'anthropic-api-key', value: KEY });
  expect(unreachable).toMatchObject({
    works: false,
    message: expect.stringMatching(`^${new URL(closed.url).host} .*ECONNREFUSED`),
  });
  expect(JSON.stringify([tested, unreachable])).not.toContain(KEY);
});

test('the model is chosen from what there is, and answers from the next message on', async () => {
  const { url } = await api();
  const rig = new WindowRig({ env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY } });
  const { models } = await view(rig);
  expect(models.find(({ isChosen }) => isChosen)).toMatchObject({
    specification: 'anthropic:claude-sonnet-5-5',
    label: 'Claude Sonnet 5.5',
    note: '$2 in, $10 out per million tokens',
  });
  const { id } = await rig.turn('hello');
  const chosen = await rig.request<SettingsView>('settings.chooseModel', { specification: 'guide' });
  expect(chosen.models.filter(({ isChosen }) => isChosen).map(({ label }) => label)).toEqual(['Guide']);
  await rig.turn('what time is it', id);
  expect(await rig.request<Bag[]>('conversations.list')).toMatchObject([{ id, model: 'guide' }]);
  expect(await rig.code('settings.chooseModel', { specification: 'nobody:nothing' })).toBe('model_choice');
  expect(configOf(rig)).toEqual({ model: 'guide' });
});

test('the data page says where everything is, makes a copy, and shows the folder', async () => {
  const rig = new WindowRig();
  await rig.turn('what time is it');
  const made = await rig.request<{ profileDirectory: string; backups: Bag[] }>('settings.makeBackup');
  expect(made).toMatchObject({ profileDirectory: rig.profile, backups: [{ reason: { code: 'daily' } }] });
  await rig.request('settings.showProfileFolder');
  expect(rig.opened).toEqual([rig.profile]);
});

test('what is kept for undo is counted, limited and cleared', async () => {
  const rig = new WindowRig();
  const kept = () => rig.request<KeptForUndo>('settings.keptForUndo');
  writeFileSync(join(rig.workspace, 'notes.txt'), 'as it was');
  const text = '/append_file {"path":"notes.txt","content":" and more"}';
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text });
  await rig.answer({ answer: 'once' });
  await rig.turnEnded(id);
  expect(await kept()).toMatchObject({ commands: 0, edits: 1 });

  const limits = { maxGigabytes: 1, maxDays: 7 };
  expect(await rig.request('settings.setUndoLimits', limits)).toMatchObject({ undoLimits: limits });
  expect(configOf(rig)).toMatchObject({ undo: limits });
  expect(await rig.code('settings.setUndoLimits', { maxGigabytes: 0, maxDays: 7 })).toBe('bad_input');

  expect(await rig.request('settings.clearKeptForUndo')).toEqual({ bytes: 0, commands: 0, edits: 0 });
  expect(await kept()).toEqual({ bytes: 0, commands: 0, edits: 0 });
});

test('a link opens in the browser when a user clicked, and only if it leads to the web or to mail', async () => {
  const rig = new WindowRig();
  const { id } = await rig.turn('I mean https://example.com/a?b#c, or write to ada@example.com');
  const open = (url: string) => rig.code('conversations.openLink', { id, url });
  expect(await open('https://example.com/a?b#c')).toBe('ok');
  expect(await open('mailto:ada@example.com')).toBe('ok');
  expect(rig.opened).toEqual(['https://example.com/a?b#c', 'mailto:ada@example.com']);
  const refused = [
    'file:///etc/passwd',
    'javascript:alert(1)',
    'steward://consent/',
    'smb://host/x',
    'ms-msdt:/id',
    'x',
  ];
  for (const url of [...refused, 'https://user@example.com', 'https://exa\nmple.com', 'https://a\u202eb.com'])
    expect(await open(url), url).toBe('refused_url');
  expect(rig.opened).toHaveLength(2);
});

test('nothing shows up outside the window unless a user clicked', async () => {
  const rig = new WindowRig();
  const { id } = await rig.turn('what time is it');
  rig.hasGesture = false;
  rig.chosen.push(join(rig.folder, 'saved.md'));
  expect(await rig.code('conversations.openLink', { id, url: 'https://example.com' })).toBe('no_gesture');
  expect(await rig.code('app.openKeyPage', { name: 'brave-api-key' })).toBe('no_gesture');
  expect(await rig.code('settings.showProfileFolder')).toBe('no_gesture');
  expect(await rig.code('settings.chooseWorkspace')).toBe('no_gesture');
  expect(await rig.code('settings.addFolder')).toBe('no_gesture');
  expect(await rig.code('conversations.export', { id, format: 'json' })).toBe('no_gesture');
  expect(rig.opened).toEqual([]);
  expect(rig.chosen).toHaveLength(1);
});

test('appearance and first run are the desktop’s', async () => {
  const rig = new WindowRig();
  expect(await rig.request('app.info')).toMatchObject({ isFirstRun: true, isElectronOutdated: false });
  await rig.request('app.finishFirstRun');
  expect(await rig.request('app.info')).toMatchObject({ isFirstRun: false });
  await rig.request('app.setTheme', { theme: 'dark' });
  expect(await rig.request('app.theme')).toBe('dark');
  expect(await rig.request('app.setZoom', { factor: 1.25 })).toBe(1.25);
  expect(await rig.code('app.setZoom', { factor: 40 })).toBe('bad_input');
});

test('a page chooses no model and hides no tools by itself; Claude is chosen once after its key is stored', async () => {
  const rig = new WindowRig();
  rig.hasGesture = false;
  const choose = (specification: string) => rig.code('settings.chooseModel', { specification });
  const claude = 'anthropic:claude-sonnet-5-5';
  expect(await choose(claude)).toBe('no_gesture');
  expect(await rig.code('settings.collapseTools', { group: 'files', isCollapsed: true })).toBe('no_gesture');

  await rig.setKey('anthropic-api-key', 'sk-ant-api03-of-the-person');
  expect(await choose('guide')).toBe('no_gesture');
  expect(await choose(claude)).toBe('ok');
  expect(await choose(claude)).toBe('no_gesture');
});

test('a key that was tested and stored counts as tested where it is used, until it is replaced or removed', async () => {
  const key = 'sk-ant-api03-the-right-one';
  const api = await startMessagesApi({ validKeys: [key], turns: [] });
  onTestFinished(() => api.close());
  const rig = new WindowRig({ env: { ANTHROPIC_BASE_URL: api.url } });
  const claude = async () => (await rig.request<ProviderList>('providers.list')).rows[0]?.test ?? null;
  expect(await claude()).toBeNull();
  await rig.request('settings.testKey', { name: 'anthropic-api-key', value: key });
  expect(await claude()).toBeNull();
  await rig.request('settings.setKey', { name: 'anthropic-api-key', value: key });
  expect(await claude()).toMatchObject({ works: true });
  await rig.request('settings.removeKey', { name: 'anthropic-api-key' });
  expect(await claude()).toBeNull();
});
