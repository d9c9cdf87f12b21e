import { expect, test } from 'vitest';
import type { SettingsSection, SettingsView } from '../../../src-preload/contract/settings.ts';
import { firstNotices, noticeKey, windowNotices } from '../../../src-renderer/app/notice-list.ts';
import { settingsView } from '../../fixtures/gallery/scenes/app-answers.ts';

const view: SettingsView = {
  ...settingsView,
  keychain: 'memory',
  problems: [
    { code: 'bad_value', key: 'tools.maxResultChars', message: 'tools' },
    { code: 'bad_value', key: 'mcpServers.notes', message: 'server' },
    { code: 'unreadable', message: 'file' },
    { code: 'unreadable', message: 'file' },
  ],
  unconfirmed: [
    { key: 'endpoints.anthropic', reason: { code: 'not_confirmed' } },
    { key: 'tools.disabled', reason: { code: 'not_confirmed' } },
  ],
  skills: [
    { name: 'invoices', description: 'How we write invoices.', from: 'workspace', state: 'unconfirmed' },
    { name: 'release', description: 'How we release.', from: 'profile', state: 'on' },
  ],
  unreviewedServers: ['notes'],
  serversToSignIn: ['tracker'],
};
const told = [
  { code: 'backup', message: 'No backup was made.' },
  { code: 'config_bad_value', message: 'tools' },
  { code: 'kept_in_memory', message: 'The key is kept in memory.' },
];
const shown = (section: SettingsSection | null) =>
  windowNotices({ view, told, hasUpdate: true, isOutdated: true, section });

test('notices above the page: what is wrong, what waits for the user, what is good to know, each once', () => {
  expect(shown(null).map(noticeKey)).toEqual([
    'problem tools',
    'problem server',
    'problem file',
    'told backup',
    'unconfirmed',
    'unreviewed',
    'skills 1',
    'sign-in tracker',
    'update',
    'outdated',
    'keychain ',
  ]);
});

test('few are in sight at once, and that the runtime is for evaluation only is always one of them', () => {
  const kinds = (most: number) => firstNotices(shown(null), most).map(({ kind }) => kind);
  expect(kinds(2)).toEqual(['problem', 'outdated']);
  expect(kinds(1)).toEqual(['problem', 'outdated']);
  const others = shown(null).filter(({ kind }) => kind !== 'outdated');
  expect(firstNotices(others, 2)).toEqual(others.slice(0, 2));
});

test('a keychain that is locked is news after one that was missing', () => {
  const locked = windowNotices({
    view: { ...view, keychainTrouble: 'locked' },
    told,
    section: null,
    hasUpdate: false,
    isOutdated: false,
  });
  expect(locked.map(noticeKey)).toContain('keychain locked');
});

test('what happened to the database comes first: it is told once, and few notices are in sight', () => {
  const damaged = { code: 'database_damaged', message: 'The database was damaged.' };
  const notices = windowNotices({ view, told: [...told, damaged], hasUpdate: true, isOutdated: true, section: null });
  expect(notices.map(noticeKey).slice(0, 2)).toEqual(['told database_damaged', 'problem tools']);
});

test('what the section of Settings in view shows itself is not said above it', () => {
  const tools = shown('tools');
  expect(tools.filter(({ kind }) => kind === 'problem').map(noticeKey)).toEqual(['problem server']);
  expect(tools).toContainEqual({ kind: 'unconfirmed', keys: ['endpoints.anthropic'] });
  expect(tools.map(noticeKey)).not.toContain('skills 1');
  // The page of MCP servers has no list of problems.
  expect(shown('servers')).toContainEqual({ kind: 'problem', message: 'server' });
  expect(shown('models').map(noticeKey)).not.toContain('keychain ');
});

test('a workspace that can’t be used comes first, and its section says it itself', () => {
  const lost: SettingsView = { ...view, workspaceFlaw: 'missing' };
  const of = (section: SettingsSection | null) =>
    windowNotices({ view: lost, told, hasUpdate: true, isOutdated: true, section }).map(({ kind }) => kind);
  expect(of(null)[0]).toBe('workspace');
  expect(of('tools')[0]).toBe('workspace');
  expect(of('folders')).not.toContain('workspace');
});
