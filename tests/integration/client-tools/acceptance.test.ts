import { afterEach, describe, expect, test } from 'vitest';
import { FakeHost, groupWith, IDE, SHOP, textAnswer } from '../../fixtures/client-host.ts';
import { no, User, yesOnce } from '../../fixtures/memory-ports.ts';
import { ClientRig, calling } from './client-rig.ts';

/** The acceptance cases of tool catalogue D.8, over the Messages API and real storage. */

let rig: ClientRig | undefined;
afterEach(async () => {
  await rig?.stop();
  rig = undefined;
});

const NAMES = new Set(['IDE', 'OpenFile', 'GetSelection', 'ShowMessage', 'Shop', 'Complete_Checkout']);

/** The names of the client's tools in each request. */
function offered(): readonly (readonly string[])[] {
  return (rig?.requests ?? []).map(({ tools }) => tools.map(({ name }) => name).filter((name) => NAMES.has(name)));
}

async function startWith(...script: Parameters<typeof ClientRig.start>): Promise<ClientRig> {
  rig = await ClientRig.start(...script);
  return rig;
}

describe('a group that starts collapsed', () => {
  test('1: is one tool until it is opened; then its members are there and it is not', async () => {
    const it = await startWith([calling('IDE'), { text: 'done' }]);
    await new FakeHost().register(it.clients, { clientToolGroups: [IDE] });
    await it.turn();
    expect(offered()).toEqual([['IDE'], ['OpenFile', 'GetSelection', 'ShowMessage']]);
    expect(it.results().map(({ text }) => text)).toEqual([
      'IDE expanded. Available functions: OpenFile, GetSelection, ShowMessage',
    ]);
    const container = it.requests[0]?.tools.find(({ name }) => name === 'IDE');
    expect(container).toMatchObject({
      description: 'Tools of the editor. Contains 3 functions: OpenFile, GetSelection, ShowMessage',
      input_schema: { type: 'object', properties: {} },
    });
  });

  test('2: its function result is given once, its system prompt in every later request while it is open', async () => {
    const it = await startWith([calling('IDE'), { text: 'one' }, { text: 'two' }]);
    const prompts = { functionResult: 'Tip.', systemPrompt: 'Prefer small edits.' };
    await new FakeHost().register(it.clients, { clientToolGroups: [{ ...IDE, ...prompts }] });
    await it.turn();
    await it.turn();
    expect(it.results()[0]?.text).toMatch(/\n\nTip\.$/);
    expect(it.requests.at(-1)?.text.match(/Tip\./g)).toHaveLength(1);
    expect(it.requests.map(({ system }) => system.includes('Prefer small edits.'))).toEqual([false, true, true]);
    // What a client says is marked before it is sent: first about its tools, then in the result, which has the marks of
    // its system prompt.
    const ofEach = it.events.flatMap((event) => ('marks' in event && event.marks !== undefined ? [event] : []));
    expect(ofEach.map(({ type }) => type)).toEqual(['round_start', 'tool_result']);
    for (const { marks } of ofEach) expect(marks?.map(({ kind }) => kind)).toEqual(['untrusted', 'private']);
  });

  test('D.4 #7: answers a call with the same text when it is open already, and is not offered again', async () => {
    const it = await startWith([calling('IDE'), calling('IDE'), { text: 'done' }]);
    await new FakeHost().register(it.clients, { clientToolGroups: [{ ...IDE, functionResult: 'Tip.' }] });
    await it.turn();
    const [first, second] = it.results();
    expect(first).toMatchObject({ isError: false });
    expect(second).toMatchObject({ isError: false, text: first?.text });
    const members = ['OpenFile', 'GetSelection', 'ShowMessage'];
    expect(offered()).toEqual([['IDE'], members, members]);
  });

  test('3: named in expandedContainers it is open from the first request, without a word about it', async () => {
    const it = await startWith([{ text: 'done' }]);
    await new FakeHost().register(it.clients, { clientToolGroups: [IDE], expandedContainers: ['IDE'] });
    await it.turn();
    expect(offered()).toEqual([['OpenFile', 'GetSelection', 'ShowMessage']]);
    expect(it.requests[0]?.text).not.toContain('IDE expanded');
  });

  test('6: without a description it says what it contains', async () => {
    const it = await startWith([calling('IDE'), { text: 'done' }]);
    const { description: _, ...nameless } = IDE;
    await new FakeHost().register(it.clients, { clientToolGroups: [nameless] });
    await it.turn();
    expect(offered()).toEqual([['IDE'], ['OpenFile', 'GetSelection', 'ShowMessage']]);
    const container = it.requests[0]?.tools.find(({ name }) => name === 'IDE');
    expect(container?.description).toBe('Contains 3 functions: OpenFile, GetSelection, ShowMessage');
  });
});

test('4: a tool with RequiresPermission that is refused never reaches the client', async () => {
  const user = new User(() => no);
  const it = await startWith([calling('Deploy'), { text: 'ok' }], { consent: user });
  const host = new FakeHost(() => textAnswer('deployed'));
  const group = {
    ...groupWith('Ops', []),
    tools: [{ name: 'Deploy', description: 'Deploys', requiresPermission: true }],
  };
  await host.register(it.clients, { clientToolGroups: [{ ...group, startCollapsed: false }] });
  await it.turn();
  expect(host.requests).toEqual([]);
  expect(it.results()[0]).toMatchObject({ text: 'Error: The user declined to run Deploy.', outcome: 'declined' });
  expect(user.asked).toMatchObject([
    { kind: 'tool', classes: ['execute'], offers: [], reason: { code: 'client_permission', client: 'Editor' } },
  ]);
});

test('5: a silent client ends in the fallback text, and the turn ends normally', async () => {
  const it = await startWith([calling('GetSelection'), { text: 'ok' }], {
    config: { clientTools: { invokeTimeout: 0.1 } },
  });
  const host = new FakeHost();
  await host.register(it.clients, { clientToolGroups: [{ ...IDE, startCollapsed: false }] });
  const events = await it.turn();
  expect(it.results()[0]?.text).toBe("Client disconnected. Tool 'GetSelection' unavailable.");
  expect(events.at(-1)).toMatchObject({ type: 'turn_end', stopReason: 'end_turn' });
  expect(host.requests).toHaveLength(1);
});

test('7: a skill is a tool of its wire name; its call makes what it refers to available', async () => {
  const it = await startWith([calling('Complete_Checkout'), { text: 'ok' }]);
  await new FakeHost().register(it.clients, { clientToolGroups: [SHOP] });
  await it.turn();
  expect(offered()[0]).toEqual(['Shop', 'Complete_Checkout']);
  expect(it.results()[0]?.text).toBe(
    'Complete Checkout skill activated. Available functions: ValidateCart, ProcessPayment, ConfirmOrder',
  );
  const later = it.requests[1]?.tools.map(({ name }) => name);
  expect(later).toEqual(expect.arrayContaining(['Shop', 'ValidateCart', 'ProcessPayment', 'ConfirmOrder']));
  expect(later).not.toContain('Refund');
});

describe('8: what was registered stays with the conversation', () => {
  test('in its second turn without client input', async () => {
    const it = await startWith([calling('IDE'), { text: 'one' }, { text: 'two' }]);
    await new FakeHost().register(it.clients, { clientToolGroups: [IDE] });
    await it.turn();
    await it.turn();
    expect(offered()[2]).toEqual(['OpenFile', 'GetSelection', 'ShowMessage']);
  });

  test('after a restart; a client of the same name answers again', async () => {
    const it = await startWith(
      [
        calling('IDE'),
        { text: 'one' },
        calling('GetSelection'),
        { text: 'two' },
        calling('GetSelection'),
        { text: 'three' },
      ],
      { consent: new User(() => yesOnce) },
    );
    await new FakeHost().register(it.clients, {
      clientToolGroups: [IDE],
      context: [{ description: 'Project', value: 'x' }],
    });
    await it.turn();
    await it.restart();
    await it.turn();
    expect(offered()[2]).toEqual(['OpenFile', 'GetSelection', 'ShowMessage']);
    expect(it.requests[2]?.system).toContain('Project: x');
    // Nobody is there.
    expect(it.results().at(-1)?.text).toBe("Client disconnected. Tool 'GetSelection' unavailable.");
    const host = new FakeHost(() => textAnswer('line 1'));
    host.clients = it.clients;
    it.clients.attach(host);
    await it.turn();
    expect(it.results().at(-1)?.text).toBe('line 1');
  });
});
