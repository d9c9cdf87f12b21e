import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type {
  ConnectionTest,
  FoundServers,
  ProgramCheck,
  ServerForm,
  ServerPage,
  ServerRow,
} from '../../../src-preload/contract/servers.ts';
import type { SettingsView } from '../../../src-preload/contract/settings.ts';
import { isAlive, STDIO_SERVER } from '../../fixtures/mcp/connections.ts';
import { programForm } from '../../fixtures/mcp/program-form.ts';
import { SOON, WindowRig } from '../../fixtures/window-rig.ts';

/** The settings screen's requests, with a server that is a real process and a config.json that is a real file. */

const yes = { answer: 'once' };
const no = { answer: 'deny' };
// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how config.json names a keychain entry
const KEYCHAIN_TOKEN = '${keychain:API_TOKEN}';
const TOKEN = 'a-token-that-nobody-else-has';

function form(more: Partial<ServerForm> = {}): ServerForm {
  return programForm({ name: 'fixture', command: process.execPath, args: [STDIO_SERVER, 'claims'], ...more });
}

const secret = (name: string, value: string | null) => ({ name, value, isSecret: true, before: '', after: '' });
/** The rows without the server that comes with Steward. */
const rows = async (rig: WindowRig) =>
  (await rig.request<readonly ServerRow[]>('servers.list')).filter(({ transport }) => transport !== 'bundled');
const row = async (rig: WindowRig) => (await rows(rig)).find(({ name }) => name === 'fixture');
const page = (rig: WindowRig) => rig.request<ServerPage>('servers.page', { name: 'fixture' });
const text = (rig: WindowRig) => readFileSync(join(rig.profile, 'config.json'), 'utf8');
const inState = (rig: WindowRig, name: string) =>
  vi.waitFor(async () => {
    const found = await row(rig);
    expect(found?.state).toMatchObject({ name });
    return found as ServerRow;
  }, SOON);

/** Adds a server as a user does, and accepts what it lists. */
async function added(rig: WindowRig, given: ServerForm = form()): Promise<ServerRow> {
  const adding = rig.request('servers.add', { form: given });
  await rig.answer(yes);
  await adding;
  await rig.answer(yes);
  await inState(rig, 'ready');
  return vi.waitFor(async () => {
    const found = await row(rig);
    expect(found?.unreviewed).toBe(0);
    return found as ServerRow;
  }, SOON);
}

const COMMENTED = `{
  // Kept by hand.
  "model": "guide",
  "mcpServers": {
    // The one that came first.
    "other": { "command": "nothing-there", "enabled": false, "mine": 1 }
  },
  "unknown": { "stays": true }
}
`;

test('a server is added with one question and one review, and nothing else in config.json changes', async () => {
  const rig = new WindowRig();
  writeFileSync(join(rig.profile, 'config.json'), COMMENTED);
  const given = form({ env: [secret('API_TOKEN', TOKEN), { ...secret('MODE', 'quiet'), isSecret: false }] });
  const adding = rig.request<readonly ServerRow[]>('servers.add', { form: given });
  const card = await rig.card();
  expect(card).toMatchObject({ kind: 'grant', offers: [] });
  const [consequences, value, next, kept] = card.parts;
  expect([consequences, value, next].map((part) => part?.kind)).toEqual(['consequences', 'value', 'note']);
  const shown = JSON.stringify(card);
  for (const each of [process.execPath, STDIO_SERVER, 'API_TOKEN', 'MODE = quiet']) expect(shown).toContain(each);
  expect(kept).toMatchObject({ kind: 'text', text: expect.stringContaining(TOKEN.slice(-4)) });
  expect(shown).not.toContain(TOKEN);
  expect(text(rig)).toBe(COMMENTED);
  await rig.answer(yes, card);
  await adding;
  const review = await rig.card();
  expect(review.parts).toHaveLength(6);
  await rig.answer(yes, review);

  const ready = await inState(rig, 'ready');
  expect(ready).toMatchObject({ transport: 'stdio', tools: 5, isEnabled: true, pid: expect.any(Number) });
  expect(text(rig)).not.toContain(TOKEN);
  expect(text(rig)).toContain(`"API_TOKEN": "${KEYCHAIN_TOKEN}"`);
  const entry = JSON.parse(text(rig).replaceAll(/^\s*\/\/.*$/gm, '')).mcpServers.fixture;
  expect(Object.keys(entry)).toEqual(['command', 'args', 'env']);
  const without = text(rig).replace(/,\s*"fixture": \{[\s\S]*?\n {4}\}/, '');
  expect(without).toBe(COMMENTED);
  const environ = readFileSync(`/proc/${ready.pid}/environ`, 'utf8');
  expect(environ).toContain(`API_TOKEN=${TOKEN}`);
  expect(JSON.stringify(await page(rig))).not.toContain(TOKEN);
});

test('declining changes nothing', async () => {
  const rig = new WindowRig();
  const adding = rig.code('servers.add', { form: form({ env: [secret('API_TOKEN', TOKEN)] }) });
  await rig.answer(no);
  expect(await adding).toBe('not_confirmed');
  expect(existsSync(join(rig.profile, 'config.json'))).toBe(false);
  expect(await rows(rig)).toEqual([]);
  // Nothing of it went to the keychain either: a server that asks for it misses it.
  await added(rig, form({ env: [{ ...secret('MODE', 'quiet'), isSecret: false }] }));
  rig.writeConfig({ mcpServers: { fixture: { command: 'x', env: { T: KEYCHAIN_TOKEN } } } });
  await inState(rig, 'unconfirmed');
  const confirming = rig.request('servers.confirm', { name: 'fixture' });
  await rig.answer(yes);
  await confirming;
  expect((await inState(rig, 'failed')).state).toMatchObject({
    problem: { code: 'secret_missing', advice: [{ code: 'set_secret', name: 'API_TOKEN' }] },
  });
});

test('what cannot work is refused before anybody is asked, and names the key', async () => {
  const rig = new WindowRig();
  await added(rig);
  expect(await rig.code('servers.add', { form: form() })).toBe('name_taken');
  for (const wrong of [
    form({ name: '' }),
    form({ name: 'x', command: ' ' }),
    form({ name: 'x', transport: 'http', url: 'file:///etc/passwd' }),
    form({ name: 'x', env: [{ ...secret('A=B', 'c'), isSecret: false }] }),
    form({ name: 'x', args: ['a\0b'] }),
  ])
    expect(await rig.code('servers.add', { form: wrong }), JSON.stringify(wrong)).toBe('bad_server');
  expect(await rig.code('servers.add', { form: form({ name: 'x', env: [secret('T', 'two\nlines')] }) })).toBe(
    'bad_value',
  );
  expect((await rows(rig)).map(({ name }) => name)).toEqual(['fixture']);
});

test('changing how it is reached asks once with both values; changing when it starts asks nobody', async () => {
  const rig = new WindowRig();
  const before = await added(rig);
  const lazy = await rig.request<readonly ServerRow[]>('servers.change', {
    form: form({ start: 'lazy', timeoutSeconds: 90 }),
  });
  expect(lazy[0]?.pid).toBe(before.pid);
  const changing = rig.request('servers.change', { form: form({ args: [STDIO_SERVER, 'claims', 'more'] }) });
  const card = await rig.answer(yes);
  // The values come after what the server does and the review that ends with the change.
  expect(card.parts).toMatchObject([
    { kind: 'consequences' },
    { kind: 'text' },
    { kind: 'value', standing: { text: expect.not.stringContaining('more') } },
    { kind: 'note' },
    { kind: 'arguments' },
  ]);
  await changing;
  await vi.waitFor(() => expect(isAlive(before.pid ?? 0)).toBe(false), SOON);
  expect((await inState(rig, 'ready')).pid).not.toBe(before.pid);
});

test('a secret that is replaced is asked about, and the server gets it', async () => {
  const rig = new WindowRig();
  await added(rig, form({ env: [secret('API_TOKEN', TOKEN)] }));
  const [shown] = (await page(rig)).server?.env ?? [];
  expect(shown).toMatchObject({ name: 'API_TOKEN', value: null, isSecret: true });
  const unchanged = await rig.code('servers.change', { form: form({ env: [secret('API_TOKEN', null)] }) });
  expect(unchanged).toBe('ok');
  const changing = rig.request('servers.change', { form: form({ env: [secret('API_TOKEN', 'another-token')] }) });
  await rig.answer(yes);
  await changing;
  await vi.waitFor(async () => {
    const pid = (await inState(rig, 'ready')).pid;
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toContain('API_TOKEN=another-token');
  }, SOON);
});

test('a server is switched off at once, and on again without a question as it was confirmed', async () => {
  const rig = new WindowRig();
  const { pid } = await added(rig);
  await rig.request('servers.setEnabled', { name: 'fixture', isEnabled: false });
  expect(await row(rig)).toMatchObject({ isEnabled: false });
  await vi.waitFor(() => expect(isAlive(pid ?? 0)).toBe(false), SOON);
  rig.hasGesture = false;
  expect(await rig.code('servers.setEnabled', { name: 'fixture', isEnabled: true })).toBe('no_gesture');
  rig.hasGesture = true;
  await rig.request('servers.setEnabled', { name: 'fixture', isEnabled: true });
  expect((await inState(rig, 'ready')).unreviewed).toBe(0);
});

test('a removed server can be restored as it was, until the time for that is over', async () => {
  const rig = new WindowRig();
  writeFileSync(join(rig.profile, 'config.json'), COMMENTED);
  await added(rig, form({ env: [secret('API_TOKEN', TOKEN)] }));
  const classing = rig.request('servers.setClass', { name: 'fixture', tool: 'echo', class: 'read' });
  await rig.answer(yes);
  await classing;
  const before = text(rig);
  const { undoId } = await rig.request<{ undoId: string }>('servers.remove', { name: 'fixture' });
  expect(text(rig)).toBe(COMMENTED);
  expect(await row(rig)).toBeUndefined();
  await rig.request('servers.undoRemoval', { undoId });
  expect(text(rig)).toBe(before);
  const back = await inState(rig, 'ready');
  expect(back.unreviewed).toBe(0);
  expect(readFileSync(`/proc/${back.pid}/environ`, 'utf8')).toContain(TOKEN);
  expect((await page(rig)).tools.find(({ name }) => name === 'echo')).toMatchObject({
    class: 'read',
    classFrom: 'user',
  });

  expect(await rig.code('servers.undoRemoval', { undoId })).toBe('undo_expired');
  await rig.request('servers.remove', { name: 'fixture' });
  // Another one of its name ends the time in which it can be undone.
  const adding = rig.request('servers.add', { form: form({ env: [secret('API_TOKEN', null)] }) });
  await rig.answer(yes);
  await adding;
  expect((await inState(rig, 'failed')).state).toMatchObject({ problem: { code: 'secret_missing' } });
});

test('the review takes the class of each tool, and keeps it without another question', async () => {
  const rig = new WindowRig();
  const adding = rig.request('servers.add', { form: form() });
  await rig.answer(yes);
  await adding;
  const card = await rig.card();
  const choices = card.parts.flatMap((part) =>
    part.kind === 'definition' && part.choice !== undefined ? [{ name: part.name, ...part.choice }] : [],
  );
  expect(choices).toMatchObject([
    ...['echo', 'parts', 'note', 'mail', 'redescribe'].map((name) => ({ name, given: null })),
  ]);
  const [echo, , note, mail] = choices.map(({ part }) => part);
  const refused = (classes: unknown) =>
    vi.waitFor(async () => {
      const code = await rig.code('consent.answer', { id: card.id, answer: 'once', classes }, 'consent');
      if (code === 'too_early') throw new Error(code);
      return code;
    }, SOON);
  const instructions = card.parts.findIndex((part) => part.kind === 'definition' && part.choice === undefined);
  expect(await refused([{ part: instructions, class: 'read' }])).toBe('bad_input');
  expect(await refused([{ part: 99, class: 'read' }])).toBe('bad_input');
  expect(
    await refused([
      { part: echo, class: 'read' },
      { part: echo, class: 'send' },
    ]),
  ).toBe('bad_input');
  expect(await refused([{ part: echo, class: 'anything' }])).toBe('bad_input');
  const classes = [
    { part: echo, class: 'read' },
    { part: note, class: 'write' },
    { part: mail, class: 'send' },
  ];
  await rig.answer({ answer: 'once', classes }, card);
  await vi.waitFor(async () => {
    expect(JSON.parse(text(rig)).mcpServers.fixture.classes).toEqual({ echo: 'read', note: 'write', mail: 'send' });
    const { tools, unconfirmed } = await page(rig);
    expect(unconfirmed).toEqual([]);
    expect(tools.map(({ class: taken, classFrom }) => `${taken} ${classFrom}`)).toEqual([
      'read user',
      'read claim',
      'write user',
      'send user',
      'write none',
    ]);
  }, SOON);
});

test('a class that runs without asking is asked about; a narrower one is not', async () => {
  const rig = new WindowRig();
  await added(rig);
  const classOf = async () => (await page(rig)).tools.find(({ name }) => name === 'note')?.class;
  const widening = rig.code('servers.setClass', { name: 'fixture', tool: 'note', class: 'read' });
  await rig.answer(no);
  expect(await widening).toBe('not_confirmed');
  expect(await classOf()).toBe('write');
  const again = rig.request('servers.setClass', { name: 'fixture', tool: 'note', class: 'read' });
  await rig.answer(yes);
  await again;
  expect(await classOf()).toBe('read');
  await rig.request('servers.setClass', { name: 'fixture', tool: 'note', class: 'send' });
  expect(await classOf()).toBe('send');
  const back = rig.request('servers.setClass', { name: 'fixture', tool: 'note', class: null });
  await rig.answer(yes);
  await back;
  expect(await classOf()).toBe('write');
});

test('an entry with a mistake is shown with it, and nothing that was confirmed of it is lost', async () => {
  const rig = new WindowRig();
  await added(rig, form({ env: [secret('API_TOKEN', TOKEN)] }));
  const good = text(rig);
  writeFileSync(join(rig.profile, 'config.json'), good.replace('"args":', '"args": 7, "arguments":'));
  const invalid = await inState(rig, 'invalid');
  expect(invalid.state).toMatchObject({ messages: [expect.stringContaining('mcpServers.fixture.args')] });
  writeFileSync(join(rig.profile, 'config.json'), good);
  const back = await inState(rig, 'ready');
  expect(back.unreviewed).toBe(0);
  expect(readFileSync(`/proc/${back.pid}/environ`, 'utf8')).toContain(TOKEN);
});

test('an entry with a mistake is corrected in the form, and keeps what the form does not show', async () => {
  const entry = { command: process.execPath, args: 7, env: { API_TOKEN: TOKEN }, classes: { note: 'send' }, mine: 1 };
  const rig = new WindowRig({ config: { mcpServers: { fixture: entry } } });
  const shown = (await page(rig)).server?.env;
  expect(shown).toEqual([{ name: 'API_TOKEN', value: null, isSecret: false, before: '', after: '' }]);
  const changing = rig.request('servers.change', { form: form({ env: [...(shown ?? [])] }) });
  await rig.answer(yes);
  await changing;
  const { pid } = await inState(rig, 'ready');
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toContain(TOKEN);
  const args = [STDIO_SERVER, 'claims'];
  expect(JSON.parse(text(rig)).mcpServers.fixture).toEqual({ ...entry, args });
});

test('saving the form keeps what was changed in the file since it was opened', async () => {
  const rig = new WindowRig();
  const env = [
    { ...secret('KEPT', '1'), isSecret: false },
    { ...secret('EDITED', '1'), isSecret: false },
  ];
  const opened = form({ env });
  await added(rig, opened);
  const written = JSON.parse(text(rig));
  const meanwhile = { timeoutSeconds: 99, start: 'lazy', env: { KEPT: '2', EDITED: '1', ADDED: '3' } };
  Object.assign(written.mcpServers.fixture, meanwhile);
  writeFileSync(join(rig.profile, 'config.json'), JSON.stringify(written));
  await inState(rig, 'unconfirmed');
  const args = [STDIO_SERVER, 'claims', 'from-the-form'];
  const edited = env.map((each) => (each.name === 'EDITED' ? { ...each, value: '4' } : each));
  const changing = rig.request('servers.change', { form: form({ args, env: edited }), opened });
  const card = await rig.answer(yes);
  expect(JSON.stringify(card.parts)).toContain('from-the-form');
  await changing;
  expect(JSON.parse(text(rig)).mcpServers.fixture).toMatchObject({
    ...meanwhile,
    args,
    env: { KEPT: '2', EDITED: '4', ADDED: '3' },
  });

  written.mcpServers.fixture = { url: 'http://127.0.0.1:9/mcp' };
  writeFileSync(join(rig.profile, 'config.json'), JSON.stringify(written));
  await inState(rig, 'unconfirmed');
  expect(await rig.code('servers.change', { form: form({ args: ['other'] }), opened })).toBe('changed_meanwhile');
});

test('what is changed in the file shows at once and does nothing until it is confirmed', async () => {
  const rig = new WindowRig();
  const { pid } = await added(rig);
  writeFileSync(join(rig.profile, 'config.json'), text(rig).replace('"claims"', '"claims", "from-the-file"'));
  await inState(rig, 'unconfirmed');
  await vi.waitFor(() => expect(isAlive(pid ?? 0)).toBe(false), SOON);
  expect((await page(rig)).unconfirmed).toMatchObject([{ key: 'mcpServers.fixture' }]);
  await vi.waitFor(() => {
    const told = rig.events.findLast(({ name }) => name === 'servers')?.data as { rows: readonly ServerRow[] };
    expect(told.rows[0]?.state).toEqual({ name: 'unconfirmed' });
  }, SOON);
  const confirming = rig.request('servers.confirm', { name: 'fixture' });
  const card = await rig.answer(yes);
  expect(JSON.stringify(card.parts)).toContain('from-the-file');
  await confirming;
  await inState(rig, 'ready');
});

test('a test asks once, connects, and leaves nothing running and nothing stored', async () => {
  const rig = new WindowRig();
  const testing = rig.request<ConnectionTest>('servers.test', { form: form(), isSaved: false });
  expect(JSON.stringify(await rig.answer(yes))).toContain(STDIO_SERVER);
  const { tools, problem } = await testing;
  expect(problem).toBeNull();
  expect(tools).toContainEqual({ name: 'mail', claim: 'read' });
  expect(await rows(rig)).toEqual([]);
  expect(existsSync(join(rig.profile, 'config.json'))).toBe(false);

  const failing = rig.request<ConnectionTest>('servers.test', {
    form: form({ command: 'there-is-no-such-program', env: [secret('T', TOKEN)] }),
    isSaved: false,
  });
  await rig.answer(yes);
  expect((await failing).problem).toMatchObject({
    code: 'command_not_found',
    advice: [{ code: 'full_path', command: 'there-is-no-such-program' }],
  });
  const declined = rig.code('servers.test', { form: form(), isSaved: false });
  await rig.answer(no);
  expect(await declined).toBe('not_confirmed');
  rig.hasGesture = false;
  expect(await rig.code('servers.test', { form: form(), isSaved: false })).toBe('no_gesture');
});

test('what another program configured is read after a click, and its secrets stay in main', async () => {
  const rig = new WindowRig();
  mkdirSync(join(rig.folder, '.cursor'));
  const entry = {
    command: process.execPath,
    args: [STDIO_SERVER, 'claims'],
    alwaysAllow: ['echo'],
    env: { API_TOKEN: TOKEN, MODE: 'quiet' },
  };
  writeFileSync(join(rig.folder, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { fixture: entry } }));
  rig.hasGesture = false;
  expect(await rig.code('servers.findOthers')).toBe('no_gesture');
  rig.hasGesture = true;
  const found = await rig.request<readonly FoundServers[]>('servers.findOthers');
  expect(found).toMatchObject([
    { program: 'Cursor', isProject: false, result: { servers: [{ remarks: [{ code: 'approval' }] }] } },
  ]);
  expect(JSON.stringify(found)).not.toContain(TOKEN);
  expect(await rows(rig)).toEqual([]);
  const [{ result }] = found as [FoundServers];
  const [server] = 'servers' in result ? result.servers : [];
  const { remarks: _remarks, parts: _parts, ...given } = server as NonNullable<typeof server>;
  const { pid } = await added(rig, given as ServerForm);
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toContain(`API_TOKEN=${TOKEN}`);
  expect(text(rig)).not.toContain(TOKEN);
  expect((await page(rig)).tools.every(({ rules, classFrom }) => rules.length === 0 && classFrom !== 'user')).toBe(
    true,
  );
});

test('while somebody looks, main tells what servers use, and not otherwise', async () => {
  const rig = new WindowRig();
  await added(rig);
  expect((await row(rig))?.usage).toBeNull();
  await rig.request('servers.watch', { isWatched: true });
  await vi.waitFor(async () => expect((await row(rig))?.usage?.memoryBytes).toBeGreaterThan(1_000_000), SOON);
  await vi.waitFor(async () => expect((await row(rig))?.usage?.cpuPercent).toEqual(expect.any(Number)), SOON);
  await rig.request('servers.watch', { isWatched: false });
  expect((await row(rig))?.usage).toBeNull();
});

test('removing a server removes the rules for its tools', async () => {
  const rig = new WindowRig();
  await added(rig);
  const sent = await rig.request<{ id: string }>('conversations.send', { id: null, text: '/fixture__note {}' });
  const card = await rig.card();
  const offer = card.offers.findIndex(({ keepFor }) => keepFor.includes('always'));
  await rig.answer({ answer: 'always', offer }, card);
  await rig.turnEnded(sent.id);
  expect((await page(rig)).tools.find(({ name }) => name === 'note')?.rules).toHaveLength(1);
  rig.writeConfig({});
  await vi.waitFor(async () => expect(await rig.request('settings.rules')).toEqual([]), SOON);
  expect((await rig.request<SettingsView>('settings.get')).unconfirmed).toEqual([]);
});

// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how config.json names a keychain entry
const KEY_ARGUMENT = '--api-key=${keychain:API_KEY}';

test('a key of an argument is asked about, kept in the keychain, and replaced when the server starts', async () => {
  const rig = new WindowRig();
  const args = [STDIO_SERVER, 'claims', KEY_ARGUMENT];
  const adding = rig.request('servers.add', { form: form({ args, keys: [{ name: 'API_KEY', value: TOKEN }] }) });
  const card = await rig.answer(yes);
  const shown = JSON.stringify(card);
  expect(shown).toContain(KEY_ARGUMENT);
  expect(shown).toContain(TOKEN.slice(-4));
  expect(shown).not.toContain(TOKEN);
  await adding;
  await rig.answer(yes);
  const { pid } = await inState(rig, 'ready');
  const commandLine = () => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  expect(commandLine()).toContain(`--api-key=${TOKEN}`);
  expect(text(rig)).toContain(KEY_ARGUMENT);
  const seen = [text(rig), await page(rig), await rig.request('servers.list')];
  expect(JSON.stringify(seen)).not.toContain(TOKEN);

  const { server } = await page(rig);
  const [key] = server?.parts ?? [];
  expect(key).toMatchObject({ place: 'args', index: 2, name: 'API_KEY', value: null, before: '--api-key=' });
  // Another key for the same argument: the same server, so what it was allowed stays.
  const changing = rig.request('servers.change', {
    form: form({ args, keys: [{ name: 'API_KEY', value: `${TOKEN}-2` }] }),
  });
  await rig.answer(yes);
  await changing;
  await vi.waitFor(async () => {
    const found = await row(rig);
    expect(found?.pid).not.toBe(pid);
    expect(readFileSync(`/proc/${found?.pid}/cmdline`, 'utf8')).toContain(`--api-key=${TOKEN}-2`);
  }, SOON);
  expect((await row(rig))?.unreviewed).toBe(0);
});

test('a program that hides behind a reference is shown in the question', async () => {
  const rig = new WindowRig();
  const hidden = form({
    command: 'npx',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how config.json names a keychain entry
    args: ['-y', '${keychain:PACKAGE}'],
    keys: [{ name: 'PACKAGE', value: 'evil-server' }],
    env: [secret('NODE_OPTIONS', '--require=/tmp/evil.js')],
  });
  const adding = rig.code('servers.add', { form: hidden });
  const shown = JSON.stringify(await rig.answer(no));
  expect(shown).toContain('evil-server');
  expect(shown).toContain('--require=/tmp/evil.js');
  expect(await adding).toBe('not_confirmed');
});

test('whether a program is there is said without starting it', async () => {
  const rig = new WindowRig();
  const check = (command: string, path: string | null = null) =>
    rig.request<ProgramCheck>('servers.checkProgram', { command, path });
  expect(await check(process.execPath)).toEqual({ path: process.execPath, missing: [], advice: [] });
  expect(await check('npx', join(rig.folder, 'nothing'))).toMatchObject({
    path: null,
    missing: ['npx', 'node'],
    advice: [{ code: 'install', program: 'node' }, { code: 'full_path' }],
  });
  expect(await check('no-such-program-here')).toMatchObject({ missing: ['no-such-program-here'] });
  expect(await check('')).toMatchObject({ path: null });
});

test('servers of a project are found only after a click, and say where they come from', async () => {
  const rig = new WindowRig();
  const { workspace } = rig;
  writeFileSync(
    join(workspace, '.mcp.json'),
    JSON.stringify({ mcpServers: { mine: { command: 'npx', args: ['x'] } } }),
  );
  const found = await rig.request<readonly FoundServers[]>('servers.findOthers');
  expect(found).toMatchObject([{ program: 'Claude Code', isProject: true, path: join(workspace, '.mcp.json') }]);
  expect(await rows(rig)).toEqual([]);
});
