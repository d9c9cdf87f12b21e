import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  defaultProfileDirectory,
  ensureProfileDirectory,
  launchDirectory,
} from '../../../src-main/settings/profile.ts';
import { need } from '../../fixtures/machine-needs.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'steward-profile-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('each platform has its default profile folder', () => {
  expect(defaultProfileDirectory({}, 'linux', '/home/ada')).toBe('/home/ada/.config/Steward');
  expect(defaultProfileDirectory({ XDG_CONFIG_HOME: '/x/conf' }, 'linux', '/home/ada')).toBe('/x/conf/Steward');
  expect(defaultProfileDirectory({ XDG_CONFIG_HOME: 'relative' }, 'linux', '/home/ada')).toBe(
    '/home/ada/.config/Steward',
  );
  expect(defaultProfileDirectory({ XDG_CONFIG_HOME: '/x' }, 'darwin', '/Users/ada')).toBe(
    '/Users/ada/Library/Application Support/Steward',
  );
  expect(defaultProfileDirectory({ APPDATA: '/roaming' }, 'win32', '/Users/ada')).toBe(join('/roaming', 'Steward'));
});

test('the profile folder is made for its owner only, and again and again', () => {
  const path = join(directory, 'a', 'b');
  expect(ensureProfileDirectory(path)).toBe(path);
  expect(ensureProfileDirectory(path)).toBe(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test('a file in the way is named', () => {
  const file = join(directory, 'file');
  writeFileSync(file, '');
  for (const path of [file, join(file, 'inner'), join(file, 'inner', 'deeper')])
    expect(() => ensureProfileDirectory(path)).toThrow(`The profile folder cannot be ${path}: ${file} is a file.`);
});

test('a place where no folder can be made is refused at once', (context) => {
  need(context, existsSync('/proc/self'), 'only Linux has /proc');
  for (const path of ['/proc/steward', '/proc/steward/deeper'])
    expect(() => ensureProfileDirectory(path)).toThrow(`The profile folder ${path} cannot be created (ENOENT).`);
});

test('through npm the launch folder is where the user was, else where the process is', () => {
  const project = join(directory, 'project');
  mkdirSync(project);
  const npm = { INIT_CWD: directory, npm_lifecycle_event: 'ask', npm_package_json: join(project, 'package.json') };
  expect(launchDirectory(npm, project)).toBe(directory);
  expect(launchDirectory(npm, join(directory, 'elsewhere'))).toBe(join(directory, 'elsewhere'));
  expect(launchDirectory({ INIT_CWD: directory }, project)).toBe(project);
  expect(launchDirectory({ ...npm, INIT_CWD: join(directory, 'gone') }, project)).toBe(project);
  expect(launchDirectory({}, project)).toBe(project);
  expect(existsSync(join(directory, 'elsewhere'))).toBe(false);
});
