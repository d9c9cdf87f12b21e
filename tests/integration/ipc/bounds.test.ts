import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type BoundsView, type Freedom, freedomText } from '../../../src-preload/contract/bounds.ts';
import type { RuleRow, SettingsView } from '../../../src-preload/contract/settings.ts';
import { WindowRig } from '../../fixtures/window-rig.ts';

async function freedomIn(rig: WindowRig, folder = rig.workspace): Promise<Freedom | undefined> {
  const { folders } = await rig.request<BoundsView>('settings.bounds');
  return folders.find(({ path }) => path === folder)?.freedom;
}

const labels = async (rig: WindowRig) =>
  (await rig.request<readonly RuleRow[]>('settings.rules')).map(({ label }) => label);

test('a folder is worked in freely once the user confirmed exactly that, and until they take it back', async () => {
  const rig = new WindowRig({ files: { 'plan.md': 'one\n' } });
  const folder = rig.workspace;
  expect(await freedomIn(rig)).toEqual({ state: 'asks', isAllowedInSome: false });

  const granting = rig.request<BoundsView>('settings.workFreely', { folder, lasts: 'always' });
  const { lack } = await rig.request<BoundsView>('settings.bounds');
  const { parts, ...card } = await rig.card();
  expect(card).toMatchObject({ kind: 'grant', title: 'Work freely in this folder?', offers: [] });
  expect(parts).toMatchObject([
    { kind: 'value', text: folder },
    { kind: 'note', text: expect.stringContaining('Always') },
    ...freedomText(lack === null).map((text) => ({ kind: 'note', text })),
  ]);
  expect(await labels(rig)).toEqual([]);
  await rig.answer({ answer: 'once' });
  const { folders } = await granting;
  expect(folders).toEqual([{ path: folder, freedom: { state: 'always' } }]);
  expect(await labels(rig)).toEqual([`work freely in ${folder}`]);

  const { events } = await rig.turn(`/write_file ${JSON.stringify({ path: 'plan.md', content: 'two\n' })}`);
  expect(events.find(({ type }) => type === 'decision')).toMatchObject({ answer: 'allow', by: 'grant' });

  await rig.request('settings.askAgain', { folder });
  expect(await freedomIn(rig)).toEqual({ state: 'asks', isAllowedInSome: false });
  expect(await labels(rig)).toEqual([]);
});

test('for a week it has an end, and what is allowed next takes its place', async () => {
  const rig = new WindowRig();
  for (const lasts of ['week', 'always']) {
    const granting = rig.request('settings.workFreely', { folder: rig.workspace, lasts });
    await rig.answer({ answer: 'once' });
    await granting;
    expect(await freedomIn(rig)).toMatchObject({ state: lasts === 'week' ? 'until' : 'always' });
    expect(await labels(rig)).toHaveLength(1);
  }
});

test('what is declined changes nothing, and a page can’t name another folder', async () => {
  const rig = new WindowRig();
  const declined = rig.code('settings.workFreely', { folder: rig.workspace, lasts: 'week' });
  await rig.answer({ answer: 'deny' });
  expect(await declined).toBe('not_confirmed');
  for (const folder of ['/', '/etc', rig.folder, join(rig.workspace, 'below'), `${rig.workspace}/../workspace`])
    expect(await rig.code('settings.workFreely', { folder, lasts: 'week' }), folder).toBe('unusable_folder');
  expect(await labels(rig)).toEqual([]);
});

test('a granted folder counts, and one in another root or not confirmed doesn’t', async () => {
  const rig = new WindowRig({ config: { folders: ['/usr/share'] } });
  const [reports, below] = [join(rig.folder, 'reports'), join(rig.workspace, 'below')];
  for (const path of [reports, below]) {
    mkdirSync(path);
    const granting = rig.request<SettingsView>('settings.addFolder', { path });
    await rig.answer({ answer: 'once' });
    await granting;
  }
  expect(await freedomIn(rig, reports)).toMatchObject({ state: 'asks' });
  expect(await freedomIn(rig, below)).toEqual({ state: 'within', root: rig.workspace });
  expect(await freedomIn(rig, '/usr/share')).toBeUndefined();
});

test('beside a rule for a command, the question says that edited files could then run', async () => {
  const rig = new WindowRig();
  const { id } = await rig.request<{ id: string }>('conversations.send', {
    id: null,
    text: '/bash {"command": "node x.js"}',
  });
  await rig.answer({ answer: 'always', offer: 0 });
  await rig.turnEnded(id);
  const granting = rig.code('settings.workFreely', { folder: rig.workspace, lasts: 'week' });
  expect((await rig.card()).parts).toContainEqual(expect.objectContaining({ kind: 'caution' }));
  await rig.answer({ answer: 'deny' });
  expect(await granting).toBe('not_confirmed');
});

test('the user is asked before every command at once, and no longer once they confirmed that', async () => {
  const rig = new WindowRig();
  const asksOn = async () => (await rig.request<BoundsView>('settings.bounds')).asksBeforeCommands;
  const decidedOn = async (text: string) =>
    (await rig.turn(text)).events.find(({ type }) => type === 'decision') as { answer: string } | undefined;
  const list = '/bash {"command": "ls"}';
  expect(await decidedOn(list)).toMatchObject({ answer: 'allow', by: 'default' });

  expect(await rig.request('settings.setAsksBeforeCommands', { isOn: true })).toMatchObject({
    asksBeforeCommands: true,
  });
  const asked = decidedOn(list);
  expect(await rig.card()).toMatchObject({ kind: 'tool', reason: expect.stringContaining('before every command') });
  await rig.answer({ answer: 'deny' });
  expect(await asked).toMatchObject({ answer: 'deny', by: 'user' });

  const kept = rig.code('settings.setAsksBeforeCommands', { isOn: false });
  expect(await rig.card()).toMatchObject({ kind: 'grant', title: 'Stop asking before every command?' });
  await rig.answer({ answer: 'deny' });
  expect(await kept).toBe('not_confirmed');
  expect(await asksOn()).toBe(true);

  const ending = rig.request('settings.setAsksBeforeCommands', { isOn: false });
  await rig.answer({ answer: 'once' });
  expect(await ending).toMatchObject({ asksBeforeCommands: false });
  expect(await decidedOn(list)).toMatchObject({ answer: 'allow', by: 'default' });
});
