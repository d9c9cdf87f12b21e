import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { UpdateProgram, UpdateWay } from '../../../src-main/background/updates/update-program.ts';
import { startServices } from '../../../src-main/services.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { announcement, ReleaseServer } from '../../fixtures/release-server.ts';
import { BY_HAND, UpdatesRig } from './updates-rig.ts';

const FILE = Buffer.from('#!/bin/sh\n');
const NAME = 'Steward-0.2.0-linux-x86_64.AppImage';
const LATEST = '/releases/latest-linux.yml';

test('a check says nothing but which file it wants, and finds the newer version', async () => {
  const rig = await UpdatesRig.make();
  rig.server.releases('0.2.0', NAME, FILE);
  const updates = await rig.open();
  expect(rig.server.asked).toEqual([
    {
      method: 'GET',
      url: LATEST,
      headers: {
        host: new URL(rig.server.url).host,
        connection: 'keep-alive',
        accept: '*/*',
        'accept-encoding': expect.stringMatching(/^[a-z, ]+$/),
        'user-agent': 'Steward',
      },
    },
  ]);
  expect(updates.view).toEqual({
    version: '0.1.0',
    host: new URL(rig.server.url).host,
    hasPages: false,
    isOn: true,
    isChecking: false,
    lastCheck: { at: '2031-03-04T08:00:00.000Z', failure: null },
    newer: { version: '0.2.0', releasedAt: '2031-03-03T16:40:00.000Z', bytes: null, isDismissed: false },
    obstacle: 'by_hand',
    download: { name: 'none' },
  });
});

test('the site is asked once a day, also over restarts, and on request; switched off, never', async () => {
  const rig = await UpdatesRig.make();
  rig.server.releases('0.1.0', NAME, FILE);
  const { asked } = rig.server;
  const first = await rig.open();
  expect(first.view.newer).toBeNull();
  await rig.pass(23, first);
  await first.close();
  const second = await rig.open();
  expect(asked).toHaveLength(1);
  await rig.pass(1, second);
  expect(asked).toHaveLength(2);
  await Promise.all([second.check(), second.check()]);
  expect(asked).toHaveLength(3);

  rig.isOn = false;
  await second.check();
  await rig.pass(50, second);
  expect(asked).toHaveLength(3);
  rig.isOn = true;
  second.settingChanged();
  await rig.pass(1, second);
  expect(asked).toHaveLength(4);
  // A clock that is set back.
  rig.setClock('2031-01-01T00:00:00Z');
  await rig.pass(1, second);
  expect(asked).toHaveLength(5);
});

test('without a connection no message appears and the check is repeated in an hour; an error of the site waits for the next day', async () => {
  const rig = await UpdatesRig.make();
  const gone = await ReleaseServer.start();
  writeFileSync(rig.feedFile, gone.feed);
  await gone.close();
  const offline = await rig.open();
  expect(offline.view.lastCheck?.failure?.code).toBe('unreachable');
  expect(rig.notices).toEqual([]);
  await offline.close();

  writeFileSync(rig.feedFile, rig.server.feed);
  rig.server.serves(LATEST, (response) => void response.writeHead(503).end());
  const online = await rig.open();
  expect(rig.server.asked).toHaveLength(0);
  await rig.pass(1, online);
  expect(online.view.lastCheck?.failure).toEqual({ code: 'refused', detail: 'status 503' });
  await rig.pass(23, online);
  expect(rig.server.asked).toHaveLength(1);
});

test('a dismissed version stays dismissed over a restart, the next one does not', async () => {
  const rig = await UpdatesRig.make();
  rig.server.releases('0.2.0', NAME, FILE);
  const first = await rig.open();
  await first.dismiss();
  await first.close();
  const second = await rig.open();
  expect(second.view.newer).toMatchObject({ version: '0.2.0', isDismissed: true });
  rig.server.releases('0.3.0', NAME, FILE);
  await second.check();
  expect(second.view.newer).toMatchObject({ version: '0.3.0', isDismissed: false });
  // What it knew was valid once; now somebody wrote into the file.
  await second.close();
  const file = join(rig.profile, 'cache', 'updates', 'last-check.json');
  writeFileSync(file, JSON.stringify({ at: 1, release: { version: '<b>', files: [] } }));
  expect((await rig.open()).view.newer).toMatchObject({ version: '0.3.0' });
  expect(rig.notices).toEqual(['last_update_check']);
  rmSync(file);
});

test.for([
  ['no JSON', '{'],
  ['a date that is none', JSON.stringify({ at: 8.7e15, failure: null, release: null, dismissed: null })],
] as const)('what is known from the last check is asked for again if it can’t be used: %s', async ([, text]) => {
  const rig = await UpdatesRig.make();
  rig.server.releases('0.2.0', NAME, FILE);
  mkdirSync(join(rig.profile, 'cache', 'updates'), { recursive: true });
  writeFileSync(join(rig.profile, 'cache', 'updates', 'last-check.json'), text);
  const { view } = await rig.open();
  expect(view.newer).toMatchObject({ version: '0.2.0' });
  expect(rig.notices).toEqual(['last_update_check']);
});

const good = announcement('0.2.0', NAME, FILE);
/** An answer, and what comes of it: a failure, or nothing that is newer. */
const HOSTILE: Readonly<Record<string, readonly [string | ((response: ServerResponse) => void), string]>> = {
  'an older version': [announcement('0.0.9', NAME, FILE), 'nothing'],
  'the same version': [announcement('0.1.0', NAME, FILE), 'nothing'],
  'a test version': [announcement('0.2.0-beta.1', NAME, FILE), 'nothing'],
  'a version with markup': [good.replace('0.2.0', '"0.2.0<img src=x>"'), 'unusable'],
  'a version with control characters': [good.replace('0.2.0', '"0.2.0\\e[2J"'), 'unusable'],
  'a version that is no version': [good.replace('0.2.0', 'newest'), 'unusable'],
  'a version with a build that is not its own': [good.replace('0.2.0', ' v0.2.0'), 'unusable'],
  'a number instead of a version': [good.replace('0.2.0', '9'), 'unusable'],
  'a path upwards': [good.replaceAll(NAME, '../../evil.AppImage'), 'unusable'],
  'an encoded path': [good.replaceAll(NAME, '%2e%2e%2fevil.AppImage'), 'unusable'],
  'an absolute path': [good.replaceAll(NAME, '/etc/evil.AppImage'), 'unusable'],
  'a file of another host': [good.replaceAll(NAME, 'https://evil.example/x.AppImage'), 'unusable'],
  'a file of another host, without scheme': [good.replaceAll(NAME, '//evil.example/x.AppImage'), 'unusable'],
  'a name with a quote': [good.replaceAll(NAME, `"a'$(id)'.AppImage"`), 'unusable'],
  'no checksum': [good.replaceAll(/sha512: .*/g, 'other: 1'), 'unusable'],
  'a short checksum': [good.replaceAll(/sha512: .*/g, 'sha512: AAAA'), 'unusable'],
  'a huge file': [good.replace(/size: \d+/, 'size: 9000000000000'), 'unusable'],
  'a negative size': [good.replace(/size: \d+/, 'size: -1'), 'unusable'],
  'no YAML': ['{{{ ]', 'unusable'],
  'a text': ['hello', 'unusable'],
  nothing: ['', 'unusable'],
  'YAML that grows': [`a: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: [*b,*b,*b,*b]\n${good}`, 'unusable'],
  'a tag that makes code': [good.replace('0.2.0', '!!js/function "function(){}"'), 'unusable'],
  'two versions': [`version: 0.1.0\n${good}`, 'unusable'],
  'something huge': [good + '#'.repeat(100_000), 'unusable'],
  'something endless': [endless, 'unusable'],
  'an error': [(response) => void response.writeHead(500).end(good), 'refused'],
  'a redirect to another port': [redirect('http://127.0.0.1:9/latest-linux.yml'), 'elsewhere'],
  'a redirect to another host': [redirect('https://evil.example/latest-linux.yml'), 'elsewhere'],
  'a redirect to a file': [redirect('file:///etc/passwd'), 'unusable'],
  'a redirect to itself': [redirect(LATEST), 'unusable'],
  'a broken connection': [(response) => void response.socket?.destroy(), 'unreachable'],
};

function redirect(location: string) {
  return (response: ServerResponse) => void response.writeHead(302, { location }).end();
}

function endless(response: ServerResponse): void {
  const write = () => {
    while (!response.destroyed && response.write(`# ${'x'.repeat(1000)}\n`));
  };
  response.on('drain', write);
  write();
}

test.for(Object.entries(HOSTILE))(
  'a hostile answer of the release site has no effect: %s',
  async ([, [answer, outcome]]) => {
    const rig = await UpdatesRig.make();
    rig.server.serves(LATEST, answer);
    const { view } = await rig.open();
    expect(view.newer).toBeNull();
    expect(view.lastCheck?.failure?.code ?? 'nothing').toBe(outcome);
    expect(rig.server.asked.every(({ url }) => url === LATEST)).toBe(true);
    expect(readdirSync(rig.profile)).toEqual(['cache']);
  },
);

test('a redirect within the site is followed', async () => {
  const rig = await UpdatesRig.make();
  rig.server.serves(LATEST, redirect('/elsewhere/latest.yml'));
  rig.server.serves('/elsewhere/latest.yml', good);
  expect((await rig.open()).view.newer?.version).toBe('0.2.0');
});

test.for([
  'provider: generic\nurl: http://releases.example/x\n',
  'provider: generic\nurl: ftp://127.0.0.1/x\n',
  'provider: github\nowner: ../..\nrepo: x\n',
  'provider: custom\nupdateProvider: x\n',
  '',
])('a feed file that can’t be used looks nowhere, and says so: %j', async (text) => {
  const rig = await UpdatesRig.make();
  writeFileSync(rig.feedFile, text);
  const { view } = await rig.open();
  expect(view).toMatchObject({ host: null, lastCheck: null });
  expect(rig.notices).toEqual(['update_feed']);
  expect(existsSync(join(rig.profile, 'cache'))).toBe(false);
});

test('updates that can’t be opened are told once, tried again at the next use, and keep nothing else from closing', async () => {
  const rig = await UpdatesRig.make();
  let isBroken = true;
  const updateProgram: UpdateProgram = {
    ...rig.program(),
    get way(): UpdateWay {
      if (isBroken) throw new Error('broken');
      return BY_HAND;
    },
  };
  const start = async () => {
    const notices: string[] = [];
    const services = await startServices({
      profileDirectory: rig.profile,
      launchDirectory: rig.folder,
      workspace: rig.folder,
      env: {},
      consent: allowAll,
      signal: new AbortController().signal,
      updateProgram,
      onNotice: ({ code }) => void notices.push(code),
    });
    return { services, notices };
  };
  const { services, notices } = await start();
  await expect(services.updates.load()).rejects.toThrow('broken');
  expect(notices).toEqual(['updates_failed']);
  expect(await services.updates.loaded).toBeUndefined();
  isBroken = false;
  expect((await services.updates.load())?.view.obstacle).toBe('by_hand');
  await services.close();

  isBroken = true;
  const second = await start();
  const failing = second.services.updates.load();
  await Promise.all([expect(failing).rejects.toThrow('broken'), second.services.close()]);
});
