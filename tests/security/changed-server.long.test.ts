import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { canonicalHash } from '../../src-main/base/canonical-json.ts';
import { openSqlite } from '../../src-main/base/sqlite.ts';
import type { ConsentCard } from '../../src-preload/contract/consent.ts';
import type { ServerForm, ServerRow } from '../../src-preload/contract/servers.ts';
import type { RuleRow, SettingsView } from '../../src-preload/contract/settings.ts';
import { STDIO_SERVER } from '../fixtures/mcp/connections.ts';
import { programForm } from '../fixtures/mcp/program-form.ts';
import { SOON, WindowRig } from '../fixtures/window-rig.ts';

/**
 * The attack: `mail` in config.json comes to start another program, with the same tools, and the user confirms the
 * change.
 */

type Bag = Record<string, unknown>;
const yes = { answer: 'once' };
const no = { answer: 'deny' };
const ARGS = [STDIO_SERVER, 'claims'];
const ENTRY = {
  command: process.execPath,
  args: ARGS,
  text: 'own',
  classes: { parts: 'read', note: 'write', mail: 'send' },
};

function otherProgram(): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'another-server-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'server.mjs');
  copyFileSync(STDIO_SERVER, path);
  return [path, 'claims'];
}

const configOf = (rig: WindowRig): { mcpServers: Record<string, Bag> } =>
  JSON.parse(readFileSync(join(rig.profile, 'config.json'), 'utf8'));
const isReady = (rig: WindowRig) =>
  vi.waitFor(async () => {
    const rows = await rig.request<readonly ServerRow[]>('servers.list');
    expect(rows.find(({ name }) => name === 'mail')?.state.name).toBe('ready');
    const { tools } = await rig.request<SettingsView>('settings.get');
    expect(tools.map(({ name }) => name)).toContain('mail__parts');
  }, SOON);

/** Whether a call was asked about, and what its result marks. */
async function called(rig: WindowRig, tool: string, answer: (card: ConsentCard) => Bag = () => no) {
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: `/mail__${tool} {}` });
  const ended = rig.turnEnded(id);
  const asked = await Promise.race([ended.then(() => null), rig.card()]);
  if (asked !== null) await rig.answer(answer(asked), asked);
  await ended;
  const result = rig.turnEvents(id).findLast(({ type }) => type === 'tool_result') as { marks?: { kind: string }[] };
  return { isAsked: asked !== null, marks: result.marks?.map(({ kind }) => kind) };
}

/** A server that was allowed all there is: classes, its text, a rule, reviewed definitions. */
async function trusted(): Promise<WindowRig> {
  const rig = new WindowRig({ config: { mcpServers: { mail: ENTRY } } });
  const confirming = rig.request('settings.confirmPending');
  for (const _ of ['server', 'classes', 'text']) await rig.answer(yes);
  await confirming;
  await rig.answer(yes);
  await isReady(rig);
  const always = ({ offers }: ConsentCard) => ({
    answer: 'always',
    offer: offers.findIndex(({ keepFor }) => keepFor.includes('always')),
  });
  expect((await called(rig, 'note', always)).isAsked).toBe(true);
  expect(await called(rig, 'parts')).toEqual({ isAsked: false, marks: ['private'] });
  expect((await called(rig, 'note')).isAsked).toBe(false);
  return rig;
}

const isUnconfirmed = (rig: WindowRig) =>
  vi.waitFor(async () => {
    const { unconfirmed } = await rig.request<SettingsView>('settings.get');
    expect(unconfirmed.map(({ key }) => key)).toContain('mcpServers.mail');
  }, SOON);

/** The user confirms what the file has. */
async function confirmed(rig: WindowRig, route: string): Promise<ConsentCard> {
  const confirming = rig.request(route, route === 'servers.confirm' ? { name: 'mail' } : {});
  const card = await rig.answer(yes);
  await confirming;
  return card;
}

const heldOn = ({ parts }: ConsentCard) => {
  const first = parts.find(({ kind }) => kind !== 'consequences');
  return first?.kind === 'text' ? first.text : '';
};

async function expectNothingHeld(rig: WindowRig): Promise<void> {
  expect(configOf(rig).mcpServers.mail).not.toHaveProperty('text');
  // This class makes the tool ask more, so it stays.
  expect(configOf(rig).mcpServers.mail?.classes).toEqual({ mail: 'send' });
  expect(await rig.request<readonly RuleRow[]>('settings.rules')).toEqual([]);
  // The next question is the review: none about the classes, which a tired user would confirm as well.
  const review = await rig.card();
  expect(review.parts.every(({ kind }) => kind === 'definition')).toBe(true);
  await rig.answer(yes, review);
  await isReady(rig);
  for (const tool of ['parts', 'note']) expect([tool, (await called(rig, tool)).isAsked]).toEqual([tool, true]);
  const { marks } = await called(rig, 'parts', () => yes);
  expect(marks).toContain('untrusted');
}

test('the control: without the remembered identity, another program inherits everything', async () => {
  const rig = await trusted();
  const args = otherProgram();
  // The guard is taken out: the database says that this program is the one that was confirmed.
  const database = openSqlite(join(rig.profile, 'steward.db'));
  const changed = database
    .prepare('UPDATE confirmations SET hash = ? WHERE key = ?')
    .run(canonicalHash({ command: process.execPath, args, env: {} }), 'mcpServers[mail].identity');
  database.close();
  expect(changed.changes).toBe(1);
  rig.writeConfig({ mcpServers: { mail: { ...ENTRY, args } } });
  await isUnconfirmed(rig);
  await confirmed(rig, 'servers.confirm');
  await isReady(rig);
  expect(await called(rig, 'parts')).toEqual({ isAsked: false, marks: ['private'] });
  expect((await called(rig, 'note')).isAsked).toBe(false);
});

test.each(['servers.confirm', 'settings.confirmPending'])(
  'another program in config.json, confirmed by %s, inherits nothing, and the card says what ends',
  async (route) => {
    const rig = await trusted();
    rig.writeConfig({ mcpServers: { mail: { ...ENTRY, args: otherProgram() } } });
    await isUnconfirmed(rig);
    const card = await confirmed(rig, route);
    for (const each of ['parts', 'note']) expect(heldOn(card)).toContain(each);
    await expectNothingHeld(rig);
  },
);

function form(rig: WindowRig, more: Partial<ServerForm>): ServerForm {
  const { command, args } = configOf(rig).mcpServers.mail as { command: string; args: string[] };
  return programForm({ name: 'mail', command, args, ...more });
}

test('nor another program that is entered in the screen', async () => {
  const rig = await trusted();
  const changing = rig.request('servers.change', { form: form(rig, { args: [...otherProgram()] }) });
  const card = await rig.answer(yes);
  await changing;
  expect(heldOn(card)).toContain('parts');
  await expectNothingHeld(rig);
});

test('a variable that loads code makes it another program', async () => {
  const rig = await trusted();
  const env = [{ name: 'NODE_OPTIONS', value: '--no-warnings', isSecret: false, before: '', after: '' }];
  const changing = rig.request('servers.change', { form: form(rig, { env }) });
  await rig.answer(yes);
  await changing;
  await expectNothingHeld(rig);
});

test('a key for the same program ends nothing, and neither does a test or an answer of no', async () => {
  const rig = await trusted();
  const testing = rig.request('servers.test', { form: form(rig, { args: [...otherProgram()] }), isSaved: true });
  expect(heldOn(await rig.answer(yes))).toBe('');
  await testing;
  const declining = rig.code('servers.change', { form: form(rig, { args: [...otherProgram()] }) });
  await rig.answer(no);
  expect(await declining).toBe('not_confirmed');
  const env = [{ name: 'API_TOKEN', value: 'a-key-of-mine', isSecret: true, before: '', after: '' }];
  const changing = rig.request('servers.change', { form: form(rig, { env }) });
  const card = await rig.answer(yes);
  await changing;
  expect(heldOn(card)).not.toContain('parts');
  await isReady(rig);
  expect(configOf(rig).mcpServers.mail).toMatchObject({ classes: ENTRY.classes, text: 'own' });
  expect(await called(rig, 'parts')).toEqual({ isAsked: false, marks: ['private'] });
  expect((await called(rig, 'note')).isAsked).toBe(false);
});
