import { afterEach, expect, test } from 'vitest';
import { ClientRig, calling } from './client-rig.ts';

let rig: ClientRig | undefined;
afterEach(async () => {
  await rig?.stop();
  rig = undefined;
});

const names = (index: number) => rig?.requests[index]?.tools.map(({ name }) => name) ?? [];

test('a category of built-in tools is one tool until the conversation opens it, and stays open after a restart', async () => {
  rig = await ClientRig.start([calling('Memory'), { text: 'ok' }, { text: 'ok' }], {
    config: { tools: { collapsed: ['memory'] } },
  });
  await rig.turn();
  expect(names(0)).toContain('Memory');
  expect(names(0)).not.toContain('save_memory');
  const members = names(1).filter((name) => !names(0).includes(name));
  expect(members.length).toBeGreaterThan(1);
  expect(names(1)).not.toContain('Memory');
  expect(rig.results()[0]?.text).toBe(`Memory expanded. Available functions: ${members.join(', ')}`);
  await rig.restart();
  await rig.turn();
  expect(names(2)).toEqual(names(1));
});

test('a model that remembers the tool of an open group is answered as when it opened it', async () => {
  rig = await ClientRig.start([calling('Memory'), calling('Memory'), { text: 'ok' }], {
    config: { tools: { collapsed: ['memory'] } },
  });
  await rig.turn();
  const [first, second] = rig.results();
  expect(second).toMatchObject({ isError: false, text: first?.text });
  expect(names(2)).toEqual(names(1));
});

test('a call of a tool in it opens it, and it runs', async () => {
  const inGroup = () => rig?.services.registry.offered().find(({ group }) => group === 'time')?.name ?? '';
  rig = await ClientRig.start((_, index) => (index === 0 ? calling(inGroup()) : { text: 'ok' }), {
    config: { tools: { collapsed: ['time'] } },
  });
  await rig.turn();
  expect(names(0)).toContain('Time');
  expect(names(0)).not.toContain(inGroup());
  expect(rig.results()).toMatchObject([{ isError: false, outcome: 'completed' }]);
  expect(names(1)).toContain(inGroup());
});

test('a group whose tools are all switched off is not there', async () => {
  rig = await ClientRig.start([{ text: 'ok' }]);
  const members = rig.services.registry.offered().flatMap(({ name, group }) => (group === 'json' ? [name] : []));
  await rig.stop();
  rig = await ClientRig.start([{ text: 'ok' }], { config: { tools: { collapsed: ['json'], disabled: members } } });
  await rig.turn();
  expect(members.length).toBeGreaterThan(0);
  expect(names(0)).not.toContain('JSON');
});

test('without collapsed groups and clients, a request holds the tools of the registry, in their order', async () => {
  rig = await ClientRig.start([{ text: 'ok' }]);
  await rig.turn();
  const offered = rig.services.registry.offered().map(({ name }) => name);
  const itself = 'ask_anthropic';
  expect(names(0)).toEqual(offered.filter((name) => name !== 'find_tools' && name !== itself));
});
