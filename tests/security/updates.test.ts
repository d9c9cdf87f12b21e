import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { UpdateProgram, UpdateWay } from '../../src-main/background/updates/update-program.ts';
import type { SettingsView } from '../../src-preload/contract/settings.ts';
import type { UpdatesView } from '../../src-preload/contract/updates.ts';
import { ReleaseServer, sha512 } from '../fixtures/release-server.ts';
import { SOON, WindowRig, type WindowRigOptions } from '../fixtures/window-rig.ts';

const NAME = 'Steward-0.2.0-linux-x86_64.AppImage';
const BYTES = Buffer.from('the new version');

interface Installer {
  readonly installed: string[];
}

/** A file like the one in the package. */
function feedOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'steward-feed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'app-update.yml');
  writeFileSync(file, text);
  return file;
}

/** A window whose app has releases at a site, and something that only writes down what is installed. */
async function windowWithReleases(options: WindowRigOptions = {}, changes: Partial<UpdateProgram> = {}) {
  const site = await ReleaseServer.start();
  onTestFinished(() => site.close());
  site.releases('0.2.0', NAME, BYTES);
  const installer: Installer = { installed: [] };
  const way: UpdateWay = {
    extension: '.AppImage',
    installer: {
      install: async ({ path }) => void installer.installed.push(readFileSync(path, 'utf8')),
      obstacle: () => null,
    },
  };
  const feedFile = feedOf(site.feed);
  const place = { platform: 'linux', arch: 'x64' } as const;
  const rig: WindowRig = new WindowRig({
    ...options,
    updateProgram: { version: '0.1.0', place, feedFile, isForEvaluation: false, way, ...changes },
  });
  return { rig, site, installer };
}

async function switchedOn(rig: WindowRig): Promise<void> {
  const switching = rig.request('updates.setOn', { isOn: true });
  await rig.answer({ answer: 'once' });
  await switching;
  await vi.waitFor(async () => {
    expect((await rig.request<UpdatesView>('updates.get')).newer?.version).toBe('0.2.0');
  }, SOON);
}

const ROUTES = ['check', 'dismiss', 'download', 'cancel', 'restart'] as const;

test('until a user switched it on in the other surface, no request leaves, whatever the page asks for', async () => {
  const { rig, site } = await windowWithReleases();
  for (const route of ROUTES) await rig.code(`updates.${route}`);
  expect(await rig.code('updates.check')).toBe('updates_off');
  expect(await rig.code('updates.download')).toBe('nothing_to_download');
  const declined = rig.code('updates.setOn', { isOn: true });
  const card = await rig.card();
  expect(card).toMatchObject({ kind: 'grant' });
  expect(JSON.stringify(card.parts)).toContain('IP address');
  expect(await rig.code('consent.answer', { id: card.id, answer: 'once' })).toBe('wrong_surface');
  await rig.answer({ answer: 'deny' }, card);
  expect(await declined).toBe('not_confirmed');
  expect(site.asked).toEqual([]);
  expect((await rig.request<UpdatesView>('updates.get')).isOn).toBe(false);
});

test('config.json alone does not switch it on', async () => {
  const { rig, site } = await windowWithReleases({ config: { updates: { check: true } } });
  const { unconfirmed } = await rig.request<SettingsView>('settings.get');
  expect(unconfirmed.map(({ key }) => key)).toEqual(['updates.check']);
  expect(await rig.request('updates.get')).toMatchObject({ isOn: false, newer: null });
  expect(site.asked).toEqual([]);
  const reviewing = rig.request('settings.confirmPending');
  await rig.answer({ answer: 'once' });
  await reviewing;
  await vi.waitFor(() => expect(site.asked).toHaveLength(1), SOON);
});

test('without a click the page can neither look, download, restart, hide the notice nor open a page', async () => {
  const { rig, site, installer } = await windowWithReleases();
  await switchedOn(rig);
  rig.hasGesture = false;
  for (const route of ['check', 'dismiss', 'download', 'restart'])
    expect(await rig.code(`updates.${route}`), route).toBe('no_gesture');
  expect(await rig.code('updates.setOn', { isOn: false })).toBe('no_gesture');
  expect(await rig.code('updates.openPage', { page: 'downloads' })).toBe('no_gesture');
  expect([site.asked.length, installer.installed, rig.quits, rig.opened]).toEqual([1, [], 0, []]);
  expect((await rig.request<UpdatesView>('updates.get')).newer?.isDismissed).toBe(false);
});

test('the page chooses nothing: what a user is shown is what is downloaded, and it is installed only when the window closes for it', async () => {
  const { rig, site, installer } = await windowWithReleases();
  await switchedOn(rig);
  const evil = { url: 'https://evil.example/x', version: '9.9.9', page: 'https://evil.example/', sha512: 'A' };
  const declined = rig.code('updates.download', evil);
  const card = await rig.card();
  const shown = JSON.stringify(card.parts);
  for (const said of ['0.2.0', NAME, sha512(BYTES), new URL(site.url).host, `${BYTES.length} bytes`])
    expect(shown).toContain(said);
  expect(shown).not.toContain('evil');
  expect(await rig.code('updates.download')).toBe('already_asking');
  await rig.answer({ answer: 'deny' }, card);
  expect(await declined).toBe('not_confirmed');
  expect(await rig.code('updates.restart')).toBe('nothing_to_install');
  const wanted = () => site.asked.filter(({ url }) => url?.endsWith(NAME)).length;
  expect(wanted()).toBe(0);

  const downloading = rig.request('updates.download', evil);
  const second = await rig.card();
  // Another release while the question is open.
  site.releases('0.3.0', 'Steward-0.3.0-linux-x86_64.AppImage', Buffer.from('evil'));
  await rig.answer({ answer: 'once' }, second);
  await downloading;
  await vi.waitFor(async () => {
    expect((await rig.request<UpdatesView>('updates.get')).download).toEqual({ name: 'ready', version: '0.2.0' });
  }, SOON);
  expect(wanted()).toBe(1);
  // Nobody is asked for a yes that would come to nothing.
  expect(await rig.code('updates.download')).toBe('already_downloaded');
  expect(rig.isConsentShown).toBe(false);

  // The window closes without it, or not at all.
  expect(await rig.assistant.installUpdate()).toBe(true);
  expect(await rig.code('updates.restart', evil)).toBe('ok');
  rig.assistant.stays();
  await vi.waitFor(() => expect(rig.quits).toBe(1), SOON);
  expect(await rig.assistant.installUpdate()).toBe(true);
  expect(installer.installed).toEqual([]);
  expect(await rig.code('updates.restart')).toBe('ok');
  await rig.close();
  expect(await rig.assistant.installUpdate()).toBe(true);
  expect([installer.installed, rig.quits]).toEqual([[BYTES.toString()], 2]);
});

test('switching it off needs no question and ends it at once', async () => {
  const { rig, site } = await windowWithReleases();
  await switchedOn(rig);
  expect(await rig.request('updates.setOn', { isOn: false })).toMatchObject({ isOn: false, newer: null });
  expect(await rig.code('updates.check')).toBe('updates_off');
  expect(site.asked).toHaveLength(1);
  expect(rig.isConsentShown).toBe(false);
});

test('the evaluation runtime is updated from this machine only, and a copy that was built from source not at all', async () => {
  const feedFile = feedOf('provider: github\nowner: steward-desktop\nrepo: Steward\n');
  const { rig, site } = await windowWithReleases({}, { isForEvaluation: true, feedFile });
  expect(await rig.request('updates.get')).toMatchObject({
    host: 'github.com',
    hasPages: true,
    obstacle: 'evaluation',
  });
  expect(await rig.code('updates.openPage', { page: 'downloads' })).toBe('ok');
  expect(rig.opened).toEqual(['https://github.com/steward-desktop/Steward/releases/latest']);
  expect(await rig.code('updates.openPage', { page: 'notes' })).toBe('no_releases');
  expect(site.asked).toEqual([]);

  const source = new WindowRig();
  expect(await source.request('updates.get')).toMatchObject({ host: null, version: '0.0.0' });
  for (const route of ['check', 'dismiss', 'download', 'restart'])
    expect(await source.code(`updates.${route}`)).toBe('no_releases');
});
