import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { UpdateProgram } from '../../../src-main/background/updates/update-program.ts';
import type { Updates } from '../../../src-main/background/updates/updates.ts';
import { ProgramInstaller } from '../../../src-main/desktop/update-installer.ts';
import { announcement } from '../../fixtures/release-server.ts';
import { UpdatesRig } from './updates-rig.ts';

const NAME = 'Steward-0.2.0-linux-x86_64.AppImage';
const SOON = { timeout: 15_000, interval: 25 };
const STARTED = 'started-with';
/** The new version: says how it was started. */
const NEW = Buffer.from(`#!/bin/sh\necho "$@" > "$(dirname "$0")/${STARTED}"\n${'#'.repeat(500_000)}\n`);

/** An AppImage in a folder, and what its update comes to. */
class InstalledAppImage {
  readonly rig: UpdatesRig;
  readonly folder: string;
  readonly file: string;
  readonly updates: Updates;
  readonly #program: UpdateProgram;

  private constructor(rig: UpdatesRig, file: string, updates: Updates, program: UpdateProgram) {
    this.rig = rig;
    this.folder = dirname(file);
    this.file = file;
    this.updates = updates;
    this.#program = program;
  }

  static async installed(name = 'Steward.AppImage'): Promise<InstalledAppImage> {
    const rig = await UpdatesRig.make();
    const folder = join(rig.folder, 'with spaces');
    mkdirSync(folder);
    const file = join(folder, name);
    writeFileSync(file, 'the old version');
    const installer = new ProgramInstaller({
      appImage: file,
      startArguments: ['--profile', '/p q'],
      resources: rig.folder,
      releaseLock: () => undefined,
    });
    rig.server.releases('0.2.0', NAME, NEW);
    const program = rig.program({ extension: '.AppImage', installer });
    return new InstalledAppImage(rig, file, await rig.open(program), program);
  }

  /** A user confirmed it. */
  async confirmed(): Promise<void> {
    const offer = await this.updates.offer();
    if (offer === null) throw new Error('nothing is offered');
    await this.updates.download(offer);
  }

  async ends(name: string): Promise<void> {
    await vi.waitFor(() => expect(this.updates.view.download.name).toBe(name), SOON);
  }

  get failure(): string | undefined {
    const { download } = this.updates.view;
    return download.name === 'failed' ? download.failure.code : undefined;
  }

  get pending(): string {
    return join(this.rig.profile, 'cache', 'updates', 'download');
  }

  /** What is kept of downloads. */
  get kept(): readonly string[] {
    return existsSync(this.pending) ? readdirSync(this.pending).sort() : [];
  }

  startsAgain(): Promise<Updates> {
    return this.rig.open(this.#program);
  }
}

test('the confirmed update is downloaded in one request without identifying data, replaces the file, and is started with the same arguments', async () => {
  const app = await InstalledAppImage.installed();
  const { asked } = app.rig.server;
  await app.confirmed();
  await app.ends('ready');
  // Another release in the meantime changes nothing.
  app.rig.server.releases('0.3.0', 'Steward-0.3.0-linux-x86_64.AppImage', Buffer.from('other'));
  expect(asked.map(({ url }) => url)).toEqual([
    '/releases/latest-linux.yml',
    '/releases/latest-linux.yml',
    `/releases/${NAME}`,
  ]);
  const allowed = ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'];
  for (const { headers } of asked) {
    expect(Object.keys(headers).sort()).toEqual(allowed);
    expect(headers['user-agent']).toBe('Steward');
  }

  expect(await app.updates.install()).toBe(true);
  expect(readFileSync(app.file, 'utf8')).toBe('the old version');
  expect(app.updates.installAtEnd()).toBe(true);
  app.updates.stay();
  expect(await app.updates.install()).toBe(true);
  expect(readFileSync(app.file, 'utf8')).toBe('the old version');
  expect(app.updates.installAtEnd()).toBe(true);
  expect(await app.updates.install()).toBe(true);
  expect(readFileSync(app.file).equals(NEW)).toBe(true);
  await vi.waitFor(() => expect(readFileSync(join(app.folder, STARTED), 'utf8')).toBe('--profile /p q\n'), SOON);
  expect(readdirSync(app.folder).sort()).toEqual(['Steward.AppImage', STARTED]);
});

const broken = announcement('0.2.0', NAME, NEW);
const FAILURES: Readonly<Record<string, readonly [(app: InstalledAppImage) => void, string]>> = {
  'another file of the same size': [serving(Buffer.alloc(NEW.length, 'x')), 'wrong_file'],
  'a shorter file': [serving(NEW.subarray(0, 1000)), 'wrong_file'],
  'a longer file': [serving(Buffer.concat([NEW, NEW])), 'wrong_file'],
  'no file': [
    (app) => app.rig.server.serves(`/releases/${NAME}`, (response) => void response.writeHead(404).end()),
    'no_release',
  ],
  'a file elsewhere': [
    (app) =>
      app.rig.server.serves(`/releases/${NAME}`, (response) => {
        response.writeHead(302, { location: 'https://evil.example/x' }).end();
      }),
    'elsewhere',
  ],
  'a connection that breaks': [
    (app) =>
      app.rig.server.serves(`/releases/${NAME}`, (response) => {
        response.writeHead(200, { 'content-length': NEW.length });
        response.write(NEW.subarray(0, 1000), () => response.socket?.destroy());
      }),
    'unreachable',
  ],
  'a checksum of something else': [
    (app) =>
      app.rig.server.serves(
        '/releases/latest-linux.yml',
        broken.replaceAll(/sha512: \S+/g, `sha512: ${'A'.repeat(86)}==`),
      ),
    'wrong_file',
  ],
};

function serving(bytes: Buffer) {
  return (app: InstalledAppImage) => app.rig.server.serves(`/releases/${NAME}`, bytes);
}

test.for(Object.entries(FAILURES))('the old version stays after a failed download: %s', async ([, [arrange, code]]) => {
  const app = await InstalledAppImage.installed();
  arrange(app);
  await app.confirmed();
  await app.ends('failed');
  expect(app.failure).toBe(code);
  expect(app.kept).toEqual([]);
  expect(app.updates.installAtEnd()).toBe(false);
  expect(await app.updates.install()).toBe(true);
  expect(readFileSync(app.file, 'utf8')).toBe('the old version');
  // Tried again, it works.
  app.rig.server.releases('0.2.0', NAME, NEW);
  await app.confirmed();
  await app.ends('ready');
});

test('a file that can’t be replaced now is not offered, and is again once it can', async () => {
  const { updates, folder, rig } = await InstalledAppImage.installed();
  // As root, permissions prevent nothing; a folder that is gone does.
  renameSync(folder, `${folder}-away`);
  expect(updates.view.obstacle).toBe('not_writable');
  expect(await updates.offer()).toBeNull();
  renameSync(`${folder}-away`, folder);
  expect(updates.view.obstacle).toBeNull();
  expect(await updates.offer()).toMatchObject({ version: '0.2.0' });
  expect(rig.server.asked.some(({ url }) => url?.endsWith(NAME))).toBe(false);
});

test('a download is cancelled at once and nothing of it is kept', async () => {
  const app = await InstalledAppImage.installed();
  let ended = false;
  app.rig.server.serves(`/releases/${NAME}`, (response: ServerResponse) => {
    response.writeHead(200, { 'content-length': NEW.length });
    response.write(NEW.subarray(0, 100_000));
    response.once('close', () => {
      ended = true;
    });
  });
  await app.confirmed();
  await vi.waitFor(
    () => expect(app.updates.view.download).toMatchObject({ name: 'downloading', received: 100_000 }),
    SOON,
  );
  await app.updates.cancel();
  expect(app.updates.view.download).toEqual({ name: 'none' });
  expect(app.kept).toEqual([]);
  await vi.waitFor(() => expect(ended).toBe(true), SOON);
});

test.for([
  ['a file with the right content', (path: string) => writeFileSync(path, NEW)],
  ['a link to another file', (path: string) => symlinkSync('elsewhere', path)],
] as const)('%s that something left there is neither used nor kept', async ([, plant]) => {
  const app = await InstalledAppImage.installed();
  mkdirSync(app.pending, { recursive: true });
  plant(join(app.pending, NAME));
  writeFileSync(join(app.pending, '`touch evil`.AppImage'), NEW);
  await app.confirmed();
  await app.ends('ready');
  expect(app.kept).toEqual([NAME]);
  expect(readFileSync(join(app.pending, NAME)).equals(NEW)).toBe(true);
  expect(lstatSync(join(app.pending, NAME)).isFile()).toBe(true);
  expect(app.rig.server.asked.at(-1)?.url).toBe(`/releases/${NAME}`);
});

test('what an earlier run downloaded is deleted at the next start', async () => {
  const app = await InstalledAppImage.installed();
  await app.confirmed();
  await app.ends('ready');
  expect(app.kept).toEqual([NAME]);
  await app.updates.close();
  // Closing keeps it: it is installed afterwards.
  expect(app.kept).toEqual([NAME]);
  await app.startsAgain();
  expect(app.kept).toEqual([]);
});

test('switched off, a download and what was downloaded are gone', async () => {
  const app = await InstalledAppImage.installed();
  await app.confirmed();
  await app.ends('ready');
  expect(app.updates.installAtEnd()).toBe(true);
  app.rig.isOn = false;
  app.updates.settingChanged();
  await app.ends('none');
  expect(app.kept).toEqual([]);
  expect(await app.updates.install()).toBe(true);
  expect(readFileSync(app.file, 'utf8')).toBe('the old version');
});

test('a second download can’t begin while one is running or ready', async () => {
  const app = await InstalledAppImage.installed();
  await app.confirmed();
  await expect(app.confirmed()).rejects.toThrow('Another download');
  await app.ends('ready');
  await expect(app.confirmed()).rejects.toThrow('Another download');
});

test('a failed installation is told after the restart, until it is tried again', async () => {
  const app = await InstalledAppImage.installed();
  await app.confirmed();
  await app.ends('ready');
  await app.updates.dismiss();
  rmSync(join(app.pending, NAME));
  app.updates.installAtEnd();
  await app.updates.close();
  expect(await app.updates.install()).toBe(false);
  const again = await app.startsAgain();
  expect(again.view.download).toMatchObject({ name: 'failed', version: '0.2.0', failure: { code: 'not_installed' } });
  expect(again.view.newer?.isDismissed).toBe(false);
  const offer = await again.offer();
  if (offer === null) throw new Error('nothing is offered');
  await again.download(offer);
  await again.cancel();
  expect(again.view.download).toEqual({ name: 'none' });
});

test('while something still runs, nothing is installed, and the next start says so', async () => {
  const app = await InstalledAppImage.installed();
  await app.confirmed();
  await app.ends('ready');
  app.updates.installAtEnd();
  expect(await app.updates.install('something was still running')).toBe(false);
  expect(readFileSync(app.file, 'utf8')).toBe('the old version');
  expect((await app.startsAgain()).view.download).toMatchObject({
    failure: { code: 'not_installed', detail: 'something was still running' },
  });
});

test('files of the user beside the AppImage stay', async () => {
  const app = await InstalledAppImage.installed();
  writeFileSync(`${app.file}.previous`, 'my own backup');
  await app.confirmed();
  await app.ends('ready');
  app.updates.installAtEnd();
  expect(await app.updates.install()).toBe(true);
  expect(readFileSync(`${app.file}.previous`, 'utf8')).toBe('my own backup');
});

test('a file that was changed after its download is not installed', async () => {
  const app = await InstalledAppImage.installed();
  await app.confirmed();
  await app.ends('ready');
  writeFileSync(join(app.pending, NAME), '#!/bin/sh\necho evil\n');
  expect(app.updates.installAtEnd()).toBe(true);
  expect(await app.updates.install()).toBe(false);
  expect(readFileSync(app.file, 'utf8')).toBe('the old version');
});

test('a new version that can’t be put in place leaves the old one there, and nothing else', async () => {
  const app = await InstalledAppImage.installed();
  await app.confirmed();
  await app.ends('ready');
  // A folder can’t be replaced by a file: renaming fails after the copy, as on a full disk.
  rmSync(app.file);
  mkdirSync(app.file);
  app.updates.installAtEnd();
  expect(await app.updates.install()).toBe(false);
  expect(readdirSync(app.folder)).toEqual(['Steward.AppImage']);
  expect(lstatSync(app.file).isDirectory()).toBe(true);
});

test('an AppImage keeps its name, so that shortcuts to it still work', async () => {
  const app = await InstalledAppImage.installed('Steward-0.1.0-linux-x86_64.AppImage');
  await app.confirmed();
  await app.ends('ready');
  app.updates.installAtEnd();
  expect(await app.updates.install()).toBe(true);
  expect(readFileSync(app.file).equals(NEW)).toBe(true);
});
