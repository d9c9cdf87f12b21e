import { expect, test } from 'vitest';
import type { UndoLimits } from '../../../src-preload/contract/settings.ts';
import { Appearance } from '../../../src-renderer/settings/appearance.svelte.ts';
import { DataStore } from '../../../src-renderer/settings/data-store.svelte.ts';
import {
  ageOptions,
  changesOf,
  KeptForUndoStore,
  sizeOptions,
} from '../../../src-renderer/settings/kept-for-undo.svelte.ts';
import { shownKeys } from '../../../src-renderer/settings/key-texts.ts';
import { RulesStore } from '../../../src-renderer/settings/rules-store.svelte.ts';
import { sectionOfKey, sectionOfProblem } from '../../../src-renderer/settings/section-of.ts';
import { SettingsStore } from '../../../src-renderer/settings/settings-store.svelte.ts';
import { matchingTools } from '../../../src-renderer/settings/tool-texts.ts';
import { bridgeOver } from '../../../src-renderer/ui/bridge.ts';
import { type Answers, fakeBridge, Refusal } from '../../fixtures/gallery/fake-bridge.ts';
import { appAnswers, dataView, secrets, settingsView } from '../../fixtures/gallery/scenes/app-answers.ts';

const refuse = (code: string, message: string) => () => {
  throw new Refusal(code, message);
};

function bridgeWith(answers: Answers<'app'> = {}) {
  const fake = fakeBridge<'app'>({ ...appAnswers(), ...answers });
  return { ...fake, bridge: bridgeOver<'app'>(fake.preload) };
}

test('the state from main is shown, not the click', async () => {
  const { bridge } = bridgeWith({ 'settings.setToolEnabled': settingsView });
  const store = new SettingsStore(bridge);
  await store.load();
  await store.change('tool:bash', 'settings.setToolEnabled', { name: 'bash', isEnabled: true });
  expect(store.view?.tools.find(({ name }) => name === 'bash')?.isEnabled).toBe(false);
  expect(store.busy).toBeNull();
});

test('a rejected change shows the reason next to its control, until the next one', async () => {
  const { bridge } = bridgeWith({ 'settings.chooseModel': refuse('model', 'There is no such model.') });
  const store = new SettingsStore(bridge);
  await store.load();
  expect(await store.change('model', 'settings.chooseModel', { specification: 'x' })).toBe(false);
  expect(store.refusalOf('model')).toMatchObject({ message: 'There is no such model.', isOwnChoice: false });
  expect(store.refusalOf('folder')).toBeNull();
  await store.change('folder', 'settings.addFolder', {});
  expect(store.refusalOf('model')).toBeNull();
});

test('a no in the consent surface is not shown as an error', async () => {
  const { bridge } = bridgeWith({ 'settings.addFolder': refuse('not_confirmed', 'You did not confirm it.') });
  const store = new SettingsStore(bridge);
  await store.change('folder', 'settings.addFolder', {});
  expect(store.refusalOf('folder')?.isOwnChoice).toBe(true);
});

test('settings that change elsewhere are read anew', async () => {
  let workspace = '/one';
  const { bridge, emit } = bridgeWith({ 'settings.get': () => ({ ...settingsView, workspace }) });
  const store = new SettingsStore(bridge);
  const stop = store.start();
  await expect.poll(() => store.view?.workspace).toBe('/one');
  workspace = '/two';
  emit('settingsChanged', {});
  await expect.poll(() => store.view?.workspace).toBe('/two');
  stop();
});

test('a revoked rule is gone from the list; one that cannot be revoked stays, with the reason', async () => {
  const { bridge } = bridgeWith();
  const store = new RulesStore(bridge);
  await store.load();
  await store.revoke('rule-1');
  expect(store.rules?.map(({ id }) => id)).toEqual(['rule-2', 'rule-3', 'rule-4', 'rule-5']);
  const failing = new RulesStore(
    bridgeWith({ 'settings.revokeRule': refuse('unknown_rule', 'It is not there.') }).bridge,
  );
  await failing.load();
  await failing.revoke('rule-1');
  expect([failing.rules?.length, failing.failure, failing.revoking.size]).toEqual([5, 'It is not there.', 0]);
});

test('a theme that main rejects is reverted', async () => {
  const appearance = new Appearance(bridgeWith({ 'app.setTheme': refuse('failed', 'Not now.') }).bridge);
  await appearance.load();
  await appearance.chooseTheme('dark');
  expect([appearance.theme, appearance.failure]).toEqual(['system', 'Not now.']);
});

test('the text size is the one that main set, and the nearest of those on offer is marked', async () => {
  const appearance = new Appearance(bridgeWith({ 'app.setZoom': ({ factor }) => Math.min(factor, 1.2) }).bridge);
  await appearance.chooseZoom(1.5);
  expect([appearance.zoom, appearance.nearestSize]).toEqual([1.2, 1.25]);
});

test('a copy that was there already is not called new', async () => {
  const store = new DataStore(bridgeWith().bridge);
  await store.load();
  await store.makeBackup();
  expect(store.done).toContain('already');
  const added = {
    ...dataView,
    backups: [
      { name: 'new.db', reason: { code: 'daily' } as const, date: '2031-03-04', bytes: 1 },
      ...dataView.backups,
    ],
  };
  const other = new DataStore(bridgeWith({ 'settings.makeBackup': added }).bridge);
  await other.load();
  await other.makeBackup();
  expect(other.done).toContain('created');
});

test('an export that was called off in the dialogue says nothing', async () => {
  const store = new DataStore(bridgeWith({ 'conversations.export': null }).bridge);
  await store.exportConversation('id', 'markdown');
  expect([store.done, store.failure]).toEqual([null, null]);
  const saved = new DataStore(bridgeWith({ 'conversations.export': { path: '/a.md' } }).bridge);
  await saved.exportConversation('id', 'json');
  expect(saved.done).toBe('Saved as /a.md');
});

test('limits that only config.json has are among those on offer', () => {
  const offered = (limits: UndoLimits) =>
    [...sizeOptions(limits), ...ageOptions(limits)].map(({ label }) => label).join(', ');
  expect(offered({ maxGigabytes: 5, maxDays: 30 })).toBe('1 GB, 5 GB, 20 GB, 100 GB, 7 days, 30 days, 90 days');
  expect(offered({ maxGigabytes: 0.5, maxDays: 1 })).toBe(
    '0.5 GB, 1 GB, 5 GB, 20 GB, 100 GB, 1 day, 7 days, 30 days, 90 days',
  );
});

test('what could not be cleared stays shown, with the reason', async () => {
  const { bridge } = bridgeWith({ 'settings.clearKeptForUndo': refuse('not_cleared', 'A command is running.') });
  const store = new KeptForUndoStore(bridge);
  await store.load();
  expect(await store.clear()).toBe(false);
  expect(store.view).toEqual({ bytes: 1_240_000_000, commands: 14, edits: 32 });
  expect(store.refusalOf('clear')?.message).toBe('A command is running.');
  expect(store.view && changesOf(store.view)).toBe('14 commands and 32 edits');
});

test('a problem of config.json is shown in the section where its value is set', () => {
  const sectionOf = (key?: string) =>
    sectionOfProblem({ code: 'bad_value', message: 'It is wrong.', ...(key && { key }) });
  expect(sectionOf('model')).toBe('models');
  expect(sectionOf('providers.local.baseUrl')).toBe('models');
  expect(sectionOf('folders[0]')).toBe('folders');
  expect(sectionOf('tools.profile')).toBe('tools');
  expect(sectionOf('undo.maxDays')).toBe('data');
  expect(sectionOf()).toBeNull();
  expect(sectionOf('colour')).toBeNull();
  expect(sectionOfKey('mcpServers.files')).toBe('servers');
  expect(sectionOfKey('folders[/srv/reports]')).toBe('folders');
});

test('tools are found by every word of name, description and what they do', () => {
  const found = (query: string) => matchingTools(settingsView.tools, query).map(({ name }) => name);
  expect(found('')).toHaveLength(settingsView.tools.length);
  expect(found('write file')).toEqual(['write_file', 'append_file']);
  expect(found('RUNS commands')).toEqual(['run_command', 'bash']);
  expect(found('telegraph')).toEqual([]);
});

test('every key is offered but those of the Google client, whatever is set', () => {
  const names = (sources: Parameters<typeof secrets>[0]) => shownKeys(secrets(sources)).map(({ name }) => name);
  const offered = ['anthropic-api-key', 'openai-api-key', 'gemini-api-key', 'brave-api-key', 'anthropic-admin-api-key'];
  expect(names({})).toEqual(offered);
  expect(names({ 'openai-api-key': 'keychain', 'google-client-id': 'keychain' })).toEqual(offered);
});
