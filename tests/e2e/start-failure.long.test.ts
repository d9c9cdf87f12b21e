import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, type TestContext, test, vi } from 'vitest';
import { openSqlite } from '../../src-main/base/sqlite.ts';
import { BASE_SCHEMA } from '../../src-main/storage/database/migrations/base-schema.ts';
import { APPLICATION_ID } from '../../src-main/storage/database/schema.ts';
import { openStorage } from '../../src-main/storage/storage.ts';
import { violationsOn } from '../fixtures/axe.ts';
import { AppRig, needElectron, type RunningApp } from '../fixtures/electron-app.ts';
import { giveToUser } from '../fixtures/electron-machine.ts';
import { folderState } from '../fixtures/folder-state.ts';
import { leaveNewerProfile, openNewerProfile } from '../fixtures/profiles/newer-profile.ts';

const MISCONFIGURED = 2;
const STARTED = { timeout: 30_000 };
const NEEDS_NEWER = 'This profile needs a newer version of Steward';

async function rigWithNewerProfile(
  context: TestContext,
  folder = 'profile',
): Promise<{ rig: AppRig; profile: string }> {
  const rig = new AppRig(context, { isFirstRun: true });
  const profile = join(rig.home, folder);
  await leaveNewerProfile(profile);
  giveToUser(rig.home, needElectron(context));
  return { rig, profile };
}

/** Presses a button that ends the app: the click may not be answered any more. */
async function presses({ chat }: RunningApp, button: string): Promise<void> {
  await chat
    .getByRole('button', { name: button })
    .click({ noWaitAfter: true })
    .catch(() => undefined);
}

test('a profile of a newer version: the window says what to do, and nothing in the profile is touched', async (context) => {
  const { rig, profile } = await rigWithNewerProfile(context);
  const before = folderState(profile);
  // The app gets a folder of its own, in which no other app leaves anything.
  const temporary = join(rig.home, 'temporary');
  mkdirSync(temporary);
  giveToUser(temporary, needElectron(context));
  const startFolders = () => readdirSync(temporary).filter((name) => name.startsWith('steward-start-'));
  const running = await rig.launch({ env: { TMPDIR: temporary } });
  const { chat } = running;
  await chat.getByRole('heading', { name: NEEDS_NEWER }).waitFor();
  expect(startFolders()).toHaveLength(1);
  await chat.getByText(profile).waitFor();
  expect(await chat.getByRole('button').allTextContents()).toEqual([
    'Open another profile…',
    'Show the profile folder',
    'Quit',
  ]);
  expect(await violationsOn(chat)).toEqual([]);
  await running.shoot('newer-profile');
  await chat.emulateMedia({ colorScheme: 'dark' });
  await running.shoot('newer-profile-dark');
  await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(360, 420));
  await running.shoot('newer-profile-narrow');
  expect(await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);

  expect(await chat.getByRole('button', { name: 'Quit' }).evaluate((button) => button === document.activeElement)).toBe(
    true,
  );
  await chat.keyboard.press('Enter').catch(() => undefined);
  expect(await running.ended).toBe(MISCONFIGURED);
  expect(folderState(profile)).toEqual(before);
  expect(startFolders()).toEqual([]);
});

test('a profile of an early version: the window says what upgrades it, and nothing in the profile is touched', async (context) => {
  const rig = new AppRig(context, { isFirstRun: true });
  const profile = join(rig.home, 'profile');
  mkdirSync(profile);
  const early = openSqlite(join(profile, 'steward.db'));
  early.exec(
    `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${BASE_SCHEMA - 1}; CREATE TABLE events (x)`,
  );
  early.close();
  giveToUser(rig.home, needElectron(context));
  const before = folderState(profile);
  const running = await rig.launch();
  const { chat } = running;
  await chat.getByRole('heading', { name: 'This profile is from an early version of Steward' }).waitFor();
  await chat.getByText('November 2026').waitFor();
  expect(await chat.getByRole('button').allTextContents()).toEqual([
    'Open another profile…',
    'Show the profile folder',
    'Quit',
  ]);
  await running.shoot('early-profile');
  await presses(running, 'Quit');
  expect(await running.ended).toBe(MISCONFIGURED);
  expect(folderState(profile)).toEqual(before);
});

test('the same for the default profile, in which Chromium would write by itself, while the newer Steward runs', async (context) => {
  const rig = new AppRig(context, { isFirstRun: true });
  const config = join(rig.home, '.config');
  const profile = join(config, 'Steward');
  const newer = await openNewerProfile(profile);
  onTestFinished(() => newer.close());
  giveToUser(rig.home, needElectron(context));
  const before = folderState(config);
  const running = await rig.launch({ args: ['--profile', ''] });
  await running.chat.getByRole('heading', { name: NEEDS_NEWER }).waitFor();
  await presses(running, 'Quit');
  expect(await running.ended).toBe(MISCONFIGURED);
  expect(folderState(config)).toEqual(before);
  expect(newer.conversations.list()).toMatchObject([{ title: 'From later' }]);
});

test('a profile folder that cannot be written to: the window says so, and Steward opens it once it can', async (context) => {
  const rig = new AppRig(context);
  chmodSync(rig.profile, 0o555);
  const running = await rig.launch();
  await running.chat.getByRole('heading', { name: 'can’t write to its profile folder' }).waitFor();
  await running.shoot('read-only-profile');
  expect(readdirSync(rig.profile)).toEqual(['window.json']);
  chmodSync(rig.profile, 0o755);
  await presses(running, 'Try again');
  expect(await running.ended).toBe(0);
  await vi.waitFor(() => expect(readdirSync(rig.profile)).toContain('steward.db'), STARTED);
});

test('another profile can be opened instead, but no folder with other files in it', async (context) => {
  const { rig, profile } = await rigWithNewerProfile(context);
  const [other, documents] = [join(rig.home, 'other'), join(rig.home, 'documents')];
  for (const folder of [other, documents]) mkdirSync(folder);
  rig.write(join(documents, 'letter.txt'), 'Dear Ada');
  giveToUser(rig.home, needElectron(context));
  const before = folderState(profile);
  const running = await rig.launch();
  await running.app.evaluate(
    ({ dialog }, folders) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: folders.splice(0, 1) });
      dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false });
    },
    [documents, other],
  );
  await presses(running, 'Open another profile…');
  expect(await running.ended).toBe(0);
  await vi.waitFor(() => expect(readdirSync(other)).toContain('steward.db'), STARTED);
  expect(readdirSync(documents)).toEqual(['letter.txt']);
  expect(folderState(profile)).toEqual(before);
});

test('a database that another program has locked: the window says so instead of the chat', async (context) => {
  const rig = new AppRig(context);
  await (await openStorage({ directory: rig.profile })).close();
  giveToUser(rig.home, needElectron(context));
  const other = openSqlite(join(rig.profile, 'steward.db'));
  onTestFinished(() => other.close());
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE of_another_program (x)');
  const running = await rig.launch();
  const failure = await vi.waitFor(
    () => {
      const page = running.app.windows().find((each) => each.url().startsWith('data:'));
      if (page === undefined) throw new Error('there is no window that says so');
      return page;
    },
    { timeout: 60_000, interval: 200 },
  );
  await failure.getByRole('heading', { name: 'Another program uses this profile' }).waitFor();
  await running.shoot('locked-database');
  expect(running.app.windows()).toHaveLength(1);
  await failure
    .getByRole('button', { name: 'Quit' })
    .click({ noWaitAfter: true })
    .catch(() => undefined);
  expect(await running.ended).toBe(MISCONFIGURED);
});
