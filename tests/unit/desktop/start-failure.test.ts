import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { NoSandboxError } from '../../../src-main/desktop/accepted-switches.ts';
import { relaunchOptions } from '../../../src-main/desktop/relaunch-options.ts';
import { actionIn, failurePage } from '../../../src-main/desktop/start-failure/failure-page.ts';
import { failureText } from '../../../src-main/desktop/start-failure/failure-texts.ts';
import { obstacleIn } from '../../../src-main/desktop/start-failure/profile-obstacle.ts';
import { ProfileError } from '../../../src-main/settings/profile.ts';
import {
  NewerProfileError,
  OlderProfileError,
  StorageError,
} from '../../../src-main/storage/database/storage-error.ts';

const START = { profile: '/home/ada/.config/Steward', version: '1.2.3' };

function htmlOf(page: string): string {
  return decodeURIComponent(page.slice(page.indexOf(',') + 1));
}

test('a newer profile: what it is, both versions, and no button that would only fail again', () => {
  const text = failureText(new NewerProfileError(START.profile, { found: 13, known: 11 }), START);
  expect(text.title).toContain('newer version');
  expect(text.actions).toEqual(['quit', 'folder', 'other']);
  const facts = Object.fromEntries(text.facts.map(({ name, value }) => [name, value]));
  expect(facts).toEqual({
    Profile: START.profile,
    'This version': '1.2.3',
    Database: expect.stringMatching(/13.*11/),
  });
});

test('a profile of an early version: what it is, what upgrades it, and no button that would only fail again', () => {
  const text = failureText(new OlderProfileError(START.profile, { found: 7, known: 12 }), START);
  expect(text.title).toContain('early version');
  expect(text.advice.join(' ')).toContain('November 2026');
  expect(text.actions).toEqual(['quit', 'folder', 'other']);
  expect(text.facts.find(({ name }) => name === 'Database')?.value).toMatch(/7.*12/);
});

test('every failure names its reason and leaves a way out; the same code has the same words', () => {
  const failures: readonly Error[] = [
    new ProfileError('not_writable', 'why'),
    new ProfileError('not_a_folder', 'why'),
    new ProfileError('not_creatable', 'why'),
    ...(
      [
        'disk_full',
        'database_busy',
        'database_in_use',
        'migration_failed',
        'copy_failed',
        'io_error',
        'database_damaged',
        'profile_not_writable',
        'database_error',
      ] as const
    ).map((code) => new StorageError(code as StorageError['code'], 'why')),
    new Error('why'),
  ];
  for (const failure of failures) {
    const { facts, actions, advice, title } = failureText(failure, START);
    expect(facts.at(-1)).toEqual({ name: 'Reason', value: 'why' });
    expect(actions).toEqual(expect.arrayContaining(['retry', 'quit']));
    expect(advice).not.toEqual([]);
    expect(title === 'Steward can’t start').toBe(failure.name === 'Error');
  }
});

test('without the sandbox: the only button quits, and who has an AppImage is told what else to install', () => {
  const text = failureText(new NoSandboxError('no-sandbox', false), START);
  expect(text.actions).toEqual(['quit']);
  expect(text.facts.at(-1)?.value).toContain('--no-sandbox');
  expect(failureText(new NoSandboxError('no-sandbox', true), START).advice.join()).toContain('.deb');
});

test('what stands in a path or an error is text in the page, never markup', () => {
  const hostile = `<img src=x onerror=alert(1)>"'&<form action="steward://start-failure/retry">`;
  const html = htmlOf(failurePage(failureText(new Error(hostile), { ...START, profile: hostile })));
  expect(html).not.toContain('<img');
  expect(html.match(/<form/g)).toHaveLength(4);
  expect(html).toContain("default-src 'none'");
  expect(html).not.toContain('<script');
});

test('only the buttons of the page are actions', () => {
  const html = htmlOf(failurePage(failureText(new Error('why'), START)));
  const targets = [...html.matchAll(/<form action="([^"]+)"/g)].map(([, target = '']) => target);
  expect(targets.map((target) => actionIn(`${target}?`))).toEqual(['quit', 'other', 'folder', 'retry']);
  for (const url of ['https://example.com/quit', 'steward://app/quit', 'steward://start-failure/', 'file:///retry'])
    expect(actionIn(url)).toBeUndefined();
});

test('Steward starts its own AppImage again, never that of the program which started it', () => {
  const execPath = '/tmp/.mount_Steward/steward';
  const APPIMAGE = '/home/ada/Steward.AppImage';
  const own = { execPath, env: { APPIMAGE, APPDIR: '/tmp/.mount_Steward' } };
  expect(relaunchOptions(['--x'], own)).toEqual({ args: ['--x'], execPath: APPIMAGE });
  for (const env of [{}, { APPIMAGE, APPDIR: '/tmp/.mount_Terminal' }, { APPIMAGE }])
    expect(relaunchOptions(['--x'], { execPath, env })).toEqual({ args: ['--x'] });
});

test('a folder that cannot be a profile, or cannot be read, is refused with the reason', () => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-chosen-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(obstacleIn(folder)).toBeUndefined();
  const letter = join(folder, 'letter.txt');
  writeFileSync(letter, 'Dear Ada');
  expect(obstacleIn(folder)?.message).toContain('other files');
  // As for a folder of another user: the system does not list it.
  for (const unreadable of [letter, join(folder, 'gone')])
    expect(obstacleIn(unreadable)).toMatchObject({ detail: expect.stringContaining(unreadable) });
  writeFileSync(join(folder, 'steward.db'), '');
  expect(obstacleIn(folder)).toBeUndefined();
});
