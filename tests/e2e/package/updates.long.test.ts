import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, type TestContext, test, vi } from 'vitest';
import { startServices } from '../../../src-main/services.ts';
import { UPDATE_CHECK_GRANT } from '../../../src-main/settings/permission-grants.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { type AppRig, needElectron } from '../../fixtures/electron-app.ts';
import { giveToUser } from '../../fixtures/electron-machine.ts';
import { packagedApp, packagedCopy } from '../../fixtures/packaged-app.ts';
import { ReleaseServer } from '../../fixtures/release-server.ts';
import { SOON, UserAtPackage } from '../../fixtures/user-at-package.ts';

const NAME = 'Steward-9.0.0-linux-x86_64.AppImage';
const LATEST = '/releases/latest-linux.yml';
/** Places in pixels: one inside the button of the notice, and one in that of the question, beside its keys. */
const IN_NOTICE = { width: 110, height: 20 };
const IN_QUESTION = { width: 40, height: 30 };
/** What replaces the app: it says with what it was started. */
const NEW = Buffer.from(
  `#!/bin/sh\nprintf '%s\\n' "$@" > "$(dirname "$0")/started-with"\n# ${'x'.repeat(3_000_000)}\n`,
);

/** Switches the check on as if the user had done so, and confirmed it, in an earlier session. */
async function switchOn(rig: AppRig): Promise<void> {
  const { signal } = new AbortController();
  const env = { HOME: rig.home, PATH: process.env.PATH ?? '' };
  const folders = { profileDirectory: rig.profile, launchDirectory: rig.home, workspace: rig.workspace };
  const services = await startServices({ ...folders, env, consent: allowAll, signal });
  await services.grant(UPDATE_CHECK_GRANT, () => ({ updates: { check: true } }), signal);
  await services.close();
}

/** The packaged app as an AppImage in the user's own folder, whose releases are on this machine. */
async function installed(context: TestContext) {
  const site = await ReleaseServer.start();
  onTestFinished(() => site.close());
  site.releases('9.0.0', NAME, NEW);
  const { program, folder } = await packagedCopy();
  const feed = join(folder, 'resources', 'app-update.yml');
  // It may be a link to the original.
  rmSync(feed);
  writeFileSync(feed, site.feed, { mode: 0o644 });
  const user = await UserAtPackage.sitsDown(context, { program });
  const { rig } = user;
  await switchOn(rig);
  giveToUser(rig.profile, needElectron(context));
  const appImage = join(rig.home, 'Applications', 'Steward.AppImage');
  rig.write(appImage, 'the old version');
  const app = await user.starts({ env: { APPIMAGE: appImage, APPDIR: folder } });
  const paths = () => site.asked.map(({ url }) => url);
  return { site, user, rig, app, appImage, paths };
}

test('the package says where its releases are, and nothing else does', async () => {
  const feed = join(await packagedApp(), 'resources', 'app-update.yml');
  expect(readFileSync(feed, 'utf8').trim().split('\n').sort()).toEqual([
    'owner: steward-desktop',
    'provider: github',
    'repo: Steward',
    'updaterCacheDirName: steward-updater',
  ]);
}, 400_000);

test('the packaged app finds a new version, downloads it after a yes, and is replaced by it when it restarts', async (context) => {
  const { site, user, rig, app, appImage, paths } = await installed(context);
  await vi.waitFor(() => expect(paths()).toEqual([LATEST]), SOON);
  await user.seesButton(IN_NOTICE);
  user.shoots('update-available');
  await user.clicksButton(IN_NOTICE);
  await vi.waitFor(() => expect(paths()).toEqual([LATEST, LATEST]), SOON);

  // The question: nothing is downloaded before the answer.
  await user.seesButton(IN_QUESTION);
  user.shoots('update-question');
  expect(paths()).toHaveLength(2);
  await vi.waitFor(
    async () => {
      await user.clicksButton(IN_QUESTION);
      await vi.waitFor(() => expect(paths()).toContain(`/releases/${NAME}`), { timeout: 700 });
    },
    { timeout: 30_000, interval: 800 },
  );
  const pending = join(rig.profile, 'cache', 'updates', 'download');
  await vi.waitFor(() => expect(statSync(join(pending, NAME)).size).toBe(NEW.length), SOON);
  expect(readFileSync(appImage, 'utf8')).toBe('the old version');
  await user.seesButton(IN_NOTICE);
  user.shoots('update-ready');

  await user.clicksButton(IN_NOTICE);
  expect(await app.ended).toBe(0);
  expect(readFileSync(appImage).equals(NEW)).toBe(true);
  expect(statSync(appImage).mode & 0o111).toBe(0o111);
  const startedWith = () => readFileSync(join(rig.home, 'Applications', 'started-with'), 'utf8');
  await vi.waitFor(
    () => expect(startedWith()).toBe(`--profile\n${rig.profile}\n--workspace\n${rig.workspace}\n`),
    SOON,
  );

  // These are all requests that left, in full.
  expect(paths()).toEqual([LATEST, LATEST, `/releases/${NAME}`]);
  const host = new URL(site.url).host;
  for (const { method, headers } of site.asked) {
    expect(method).toBe('GET');
    expect(headers).toEqual({
      host,
      connection: 'keep-alive',
      accept: '*/*',
      'user-agent': 'Steward',
      'accept-encoding': expect.stringMatching(/^[a-z, ]+$/),
    });
  }
}, 400_000);
