import { afterEach, describe, expect, test } from 'vitest';
import { flagConsent } from '../../../src-main/headless/flag-consent.ts';
import { answerToolsCommand } from '../../../src-main/tools/registry/tools-command.ts';
import { CHECKOUT, FakeHost, groupWith, IDE, SHOP, textAnswer } from '../../fixtures/client-host.ts';
import { no, User, yesOnce } from '../../fixtures/memory-ports.ts';
import { switched } from '../../fixtures/tool-texts.ts';
import { html } from '../../fixtures/web/pages.ts';
import { startWebSite } from '../../fixtures/web/site.ts';
import { ClientRig, calling } from './client-rig.ts';

let rig: ClientRig | undefined;
afterEach(async () => {
  await rig?.stop();
  rig = undefined;
});

async function startWith(...script: Parameters<typeof ClientRig.start>): Promise<ClientRig> {
  rig = await ClientRig.start(...script);
  return rig;
}

const OPEN_IDE = { ...IDE, startCollapsed: false };
const MEMBERS = 'OpenFile, GetSelection, ShowMessage';
const names = (index: number) => rig?.requests[index]?.tools.map(({ name }) => name) ?? [];
const texts = () => rig?.results().map(({ text }) => text);
const yes = () => new User(() => yesOnce);

describe('calls that open groups (tool catalogue D.4)', () => {
  test('#4 arguments are ignored, #5 each of several containers opens, with a result each', async () => {
    const it = await startWith([calling(['IDE', { any: 'thing' }], 'Ops'), { text: 'ok' }]);
    await new FakeHost().register(it.clients, { clientToolGroups: [IDE, groupWith('Ops', ['Deploy'])] });
    await it.turn();
    expect(texts()).toEqual([
      `IDE expanded. Available functions: ${MEMBERS}`,
      'Ops expanded. Available functions: Deploy',
    ]);
    expect(names(1)).toEqual(expect.arrayContaining(['OpenFile', 'Deploy']));
    expect(names(1)).not.toContain('Ops');
  });

  test('#6 a remembered member opens its group and runs; with bad arguments the result says both', async () => {
    const it = await startWith(
      [calling(['OpenFile', { path: 'a.ts' }]), { text: 'ok' }, calling('Deploy'), { text: 'ok' }],
      {
        consent: yes(),
      },
    );
    const host = new FakeHost(() => textAnswer('opened'));
    const strict = {
      name: 'Deploy',
      description: 'Deploys',
      parametersSchema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
    };
    await host.register(it.clients, { clientToolGroups: [IDE, { ...groupWith('Ops', []), tools: [strict] }] });
    await it.turn();
    expect(texts()).toEqual(['opened']);
    expect(host.requests).toMatchObject([{ toolName: 'OpenFile', arguments: { path: 'a.ts' } }]);
    expect(names(1)).toEqual(expect.arrayContaining(['OpenFile', 'Ops']));
    expect(names(1)).not.toContain('IDE');
    await it.turn();
    expect(texts()?.[1]).toBe('Ops expanded. Available functions: Deploy\n\nError: to is required');
    expect(names(3)).toContain('Deploy');
    expect(host.requests).toHaveLength(1);
  });

  test('#6 what the group says beside the error is marked; a call that is not allowed opens nothing', async () => {
    const it = await startWith([calling('Deploy', 'Drop'), { text: 'ok' }], { consent: new User(() => no) });
    const host = new FakeHost(() => textAnswer('done'));
    const needy = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] };
    const tools = [{ name: 'Deploy', description: 'Deploys', parametersSchema: needy }];
    const asking = [{ name: 'Drop', description: 'Drops', requiresPermission: true }];
    await host.register(it.clients, {
      clientToolGroups: [
        { ...groupWith('Ops', []), tools, functionResult: 'Tip.' },
        { ...groupWith('Data', []), tools: asking, functionResult: 'Trick.' },
      ],
    });
    await it.turn();
    expect(texts()).toEqual([
      'Ops expanded. Available functions: Deploy\n\nTip.\n\nError: to is required',
      'Error: The user declined to run Drop.',
    ]);
    expect(it.results()[0]?.marks).toEqual([
      { kind: 'untrusted', source: 'the program Editor' },
      { kind: 'private', source: 'the program Editor' },
    ]);
    expect(names(1)).toEqual(expect.arrayContaining(['Deploy', 'Data']));
    expect(names(1)).not.toContain('Ops');
    expect(names(1)).not.toContain('Drop');
  });

  test('collapseAtTurnEnd closes it', async () => {
    const it = await startWith([calling('IDE'), { text: 'ok' }, { text: 'ok' }], {
      config: { clientTools: { collapseAtTurnEnd: true } },
    });
    await new FakeHost().register(it.clients, { clientToolGroups: [IDE] });
    await it.turn();
    await it.turn();
    expect(names(1)).toContain('OpenFile');
    expect(names(2)).toContain('IDE');
    expect(names(2)).not.toContain('OpenFile');
  });

  test('collapseClientTools off: everything is offered, nothing opens it, and its prompts are there', async () => {
    const it = await startWith([{ text: 'ok' }], {
      config: { clientTools: { collapseClientTools: false, clientToolsInstructions: 'Mind the editor.' } },
    });
    await new FakeHost().register(it.clients, { clientToolGroups: [{ ...IDE, systemPrompt: 'Small edits.' }] });
    await it.turn();
    expect(names(0)).toContain('OpenFile');
    expect(names(0)).not.toContain('IDE');
    expect(it.requests[0]?.system).toContain('Small edits.');
    expect(it.requests[0]?.system).toContain('Mind the editor.');
  });
});

describe('invocations (tool catalogue D.5)', () => {
  test('asked for permission, the client is not contacted before the answer', async () => {
    const host = new FakeHost(() => textAnswer('done'));
    const seen: number[] = [];
    const user = new User(() => {
      seen.push(host.requests.length);
      return yesOnce;
    });
    const it = await startWith([calling('Deploy'), calling('Deploy'), { text: 'ok' }], { consent: user });
    const tools = [{ name: 'Deploy', description: 'Deploys', requiresPermission: true }];
    await host.register(it.clients, { clientToolGroups: [{ ...groupWith('Ops', []), tools, startCollapsed: false }] });
    await it.turn();
    // Each time: nothing is remembered.
    expect(seen).toEqual([0, 1]);
    expect(texts()).toEqual(['done', 'done']);
  });

  test('FailFast ends the turn with an error, and the conversation goes on', async () => {
    const it = await startWith([calling('GetSelection', 'ShowMessage'), { text: 'ok' }], {
      config: { clientTools: { disconnectionStrategy: 'FailFast', invokeTimeout: 0.1 } },
    });
    await new FakeHost().register(it.clients, { clientToolGroups: [OPEN_IDE] });
    const events = await it.turn();
    const message = "Client tool 'GetSelection' timed out waiting for response.";
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', code: 'client_tool_timeout', message },
      { type: 'turn_end', stopReason: 'error' },
    ]);
    expect(texts()?.[0]).toBe(message);
    expect(it.requests).toHaveLength(1);
    expect((await it.turn()).at(-1)).toMatchObject({ stopReason: 'end_turn' });
  });

  test('Stop cancels the call, and the client is told', async () => {
    const stop = new AbortController();
    const host = new FakeHost(() => {
      stop.abort();
      return undefined;
    });
    const it = await startWith([calling('GetSelection'), { text: 'ok' }]);
    await host.register(it.clients, { clientToolGroups: [OPEN_IDE] });
    const events = await it.turn('go', stop.signal);
    expect(it.results()).toMatchObject([{ text: "Client tool 'GetSelection' was cancelled.", outcome: 'stopped' }]);
    expect(host.cancelled).toEqual([host.requests[0]?.requestId]);
    expect(events.at(-1)).toMatchObject({ wasStopped: true });
  });

  test('a client that redefines its group during a call: the call gets its answer, the next ones find what is there now', async () => {
    const safe = { name: 'Safe', description: 'Safe' };
    const asking = { name: 'Late', description: 'Late', requiresPermission: true };
    const host: FakeHost = new FakeHost(async ({ toolName }) => {
      await host.register(it.clients, {
        clientToolGroups: [{ ...groupWith('Ops', []), tools: [asking], startCollapsed: false }],
        resetClientState: true,
      });
      return textAnswer(`did ${toolName}`);
    });
    const user = new User(() => no);
    const it = await startWith([calling('Safe'), calling('Safe'), calling('Late'), { text: 'ok' }], {
      consent: user,
    });
    await host.register(it.clients, {
      clientToolGroups: [{ ...groupWith('Ops', []), tools: [safe, { ...asking, requiresPermission: false }] }],
      expandedContainers: ['Ops'],
    });
    await it.turn();
    expect(texts()).toEqual(['did Safe', 'Error: Tool not found: Safe', 'Error: The user declined to run Late.']);
    expect(user.asked).toMatchObject([{ tool: 'Late', reason: { code: 'client_permission' } }]);
    expect(host.requests.map(({ toolName }) => toolName)).toEqual(['Safe']);
  });

  test('a client that drops its permission flag while the user is asked is not asked without an answer', async () => {
    const host = new FakeHost(() => textAnswer('done'));
    const ops = (requiresPermission: boolean) => ({
      clientToolGroups: [
        {
          ...groupWith('Ops', []),
          startCollapsed: false,
          tools: [{ name: 'Deploy', description: 'Deploys', requiresPermission }],
        },
      ],
    });
    const user = new User(async () => {
      await host.register(it.clients, ops(false));
      return no;
    });
    const it = await startWith([calling('Deploy'), { text: 'ok' }], { consent: user });
    await host.register(it.clients, ops(true));
    await it.turn();
    expect(host.requests).toEqual([]);
    expect(texts()).toEqual(['Error: The user declined to run Deploy.']);
  });

  test('a flood of answers that nobody asked for harms nobody', async () => {
    const host = new FakeHost(({ requestId }) => {
      for (let count = 0; count < 20_000; count++)
        host.send(`made-up-${count}`, { ...textAnswer('x'), augmentation: { removeToolGroups: ['IDE'] } });
      host.send(requestId, textAnswer('first'));
      host.send(requestId, { ...textAnswer('second'), augmentation: { removeToolGroups: ['IDE'] } });
      return undefined;
    });
    const it = await startWith([calling('GetSelection'), { text: 'ok' }]);
    await host.register(it.clients, { clientToolGroups: [OPEN_IDE] });
    await it.turn();
    expect(texts()).toEqual(['first']);
    expect(names(1)).toContain('OpenFile');
    expect(it.services.takeNotices().length).toBeLessThan(50);
  });
});

describe('augmentation', () => {
  test('parallel answers queue in the order of their arrival, and apply before the next request', async () => {
    const host = new FakeHost(({ toolName }) =>
      toolName === 'GetSelection'
        ? {
            ...textAnswer('a'),
            augmentation: { injectToolGroups: [groupWith('Admin', ['Ban'])], expandToolGroups: ['Admin'] },
          }
        : {
            ...textAnswer('b'),
            augmentation: { hideTools: ['OpenFile'], addContext: [{ description: 'User', value: 'root' }] },
          },
    );
    const it = await startWith([calling('GetSelection', 'ShowMessage'), { text: 'ok' }]);
    await host.register(it.clients, { clientToolGroups: [OPEN_IDE] });
    await it.turn();
    expect(names(1)).toEqual(expect.arrayContaining(['Ban', 'GetSelection']));
    expect(names(1)).not.toContain('OpenFile');
    expect(names(1)).not.toContain('Admin');
    expect(it.requests[1]?.system).toContain('User: root');
  });

  test('of an answer without success it is ignored; a bad one leaves its result', async () => {
    const host = new FakeHost(({ toolName }) =>
      toolName === 'GetSelection'
        ? { success: false, errorMessage: 'no', augmentation: { removeToolGroups: ['IDE'] } }
        : {
            ...textAnswer('fine'),
            augmentation: { injectToolGroups: [{ ...groupWith('Bad', []), tools: [] }], hideTools: ['OpenFile'] },
          },
    );
    const it = await startWith([calling('GetSelection', 'ShowMessage'), { text: 'ok' }]);
    await host.register(it.clients, { clientToolGroups: [OPEN_IDE] });
    await it.turn();
    expect(texts()).toEqual(['Error: no', 'fine']);
    expect(names(1)).toEqual(expect.arrayContaining(['OpenFile', 'GetSelection']));
  });
});

describe('permission', () => {
  test('a client tool runs unasked while there is no text from outside, and then asks once per tool and conversation', async () => {
    const user = yes();
    const it = await startWith(
      [calling('GetSelection'), calling('GetSelection'), calling('GetSelection', 'ShowMessage'), { text: 'ok' }],
      { consent: user },
    );
    await new FakeHost(() => textAnswer('selected')).register(it.clients, { clientToolGroups: [OPEN_IDE] });
    await it.turn();
    // The first result is text from outside.
    expect(it.results()[0]?.marks?.map(({ kind }) => kind)).toEqual(['untrusted', 'private']);
    const decisions = it.events.flatMap((event) => (event.type === 'decision' ? [event.reason.code] : []));
    expect(decisions).toEqual(['client_tool', 'allowed_once', 'client_tool_allowed', 'allowed_once']);
    expect(user.asked).toMatchObject([
      { reason: { code: 'client_untrusted' }, tool: 'GetSelection', offers: [] },
      { reason: { code: 'client_untrusted' }, tool: 'ShowMessage', offers: [] },
    ]);
  });

  test.each([
    ['none', 0],
    ['reads', 0],
    ['all', 1],
  ] as const)('--approve %s lets %i calls with RequiresPermission through', async (flag, count) => {
    const it = await startWith([calling('Deploy'), { text: 'ok' }], { consent: flagConsent(flag) });
    const host = new FakeHost(() => textAnswer('done'));
    const tools = [{ name: 'Deploy', description: 'Deploys', requiresPermission: true }];
    await host.register(it.clients, { clientToolGroups: [{ ...groupWith('Ops', []), tools, startCollapsed: false }] });
    await it.turn();
    expect(host.requests).toHaveLength(count);
  });

  test("Steward's own code says what a call touches; RequiresPermission asks all the same", async () => {
    const user = new User(() => no);
    const it = await startWith([calling('show', 'wipe'), { text: 'ok' }], { consent: user });
    const ownCode = {
      classOf: () => 'read' as const,
      effectsOf: async () => ({ access: [{ class: 'read', kind: 'app' } as const] }),
      marksOf: () => [],
    };
    const host = new FakeHost(() => textAnswer('shown'), { name: 'Steward', ownCode });
    const tools = [
      { name: 'show', description: 'Shows' },
      { name: 'wipe', description: 'Wipes', requiresPermission: true },
    ];
    await host.register(it.clients, {
      clientToolGroups: [{ ...groupWith('Desktop', []), tools, startCollapsed: false }],
    });
    await it.turn();
    // Both are under way at once, and end in any order.
    const results = it.results();
    const shown = results.find(({ text }) => text === 'shown');
    expect(shown).toMatchObject({ outcome: 'completed' });
    expect(shown?.marks).toBeUndefined();
    expect(results.filter((each) => each !== shown)).toMatchObject([{ outcome: 'declined' }]);
    const { tools: toolset } = it.services.toolServicesOf(it.conversation);
    const classes = () => toolset.brought().map(({ name, access }) => [name, access, toolset.get(name)?.access]);
    expect(classes()).toEqual([
      ['show', 'read', 'read'],
      ['wipe', 'execute', 'execute'],
    ]);
    const claims = { access: 'read', class: 'read', ownCode: { classOf: 'read' } };
    await new FakeHost().register(it.clients, {
      clientToolGroups: [{ ...groupWith('Program', []), tools: [{ name: 'claims', description: 'Reads', ...claims }] }],
    });
    expect(classes()).toContainEqual(['claims', 'write', 'write']);
    expect(user.asked).toMatchObject([{ tool: 'wipe', reason: { code: 'client_permission' } }]);
    // Nobody else may call itself that, and it is not kept.
    const liar = new FakeHost(() => textAnswer('lie'), { name: 'Steward' });
    await expect(liar.register(it.clients, { clientToolGroups: [IDE] })).rejects.toMatchObject({
      name: 'ClientRegistrationError',
    });
    await it.restart();
    expect(it.services.toolServicesOf(it.conversation).tools.get('show')).toBeUndefined();
  });
});

test("what find_tools says of a client's tools marks its result", async () => {
  const many = Array.from({ length: 150 }, (_, index) => `Tool${index}`);
  const it = await startWith([calling(['find_tools', { query: 'Tool140' }]), { text: 'ok' }]);
  await new FakeHost().register(it.clients, {
    clientToolGroups: [groupWith('Many', many, { startCollapsed: false })],
  });
  await it.turn();
  const [found] = it.results();
  expect(found?.foundTools).toContain('Tool140');
  expect(found?.marks?.map(({ kind }) => kind)).toEqual(['untrusted', 'private']);
});

test("no client can have a tool by the name of one of the window's", async () => {
  const it = await startWith([{ text: 'ok' }]);
  for (const name of ['notify', 'Ask_User'])
    await expect(
      new FakeHost().register(it.clients, { clientToolGroups: [groupWith('Group', [name])] }),
    ).rejects.toMatchObject({ group: 'Group' });
});

test("a client that calls itself as Steward's own code does is refused, and is never believed", async () => {
  const it = await startWith([calling('show'), { text: 'ok' }]);
  const show = { ...groupWith('Group', ['show']), startCollapsed: false };
  for (const name of ['the window', 'The ｗindow', 'skills from files'])
    await expect(
      new FakeHost(undefined, { name }).register(it.clients, { clientToolGroups: [show] }),
    ).rejects.toMatchObject({ name: 'ClientRegistrationError' });
  // Under a name that no list has: what it kept does not become that of own code which registers later.
  const liar = new FakeHost(() => textAnswer('lie'), { name: 'Own' });
  await liar.register(it.clients, { clientToolGroups: [show], context: [{ description: 'Mail', value: 'lies' }] });
  liar.disconnect();
  const ownCode = { classOf: () => 'read' as const, effectsOf: async () => ({ access: [] }), marksOf: () => [] };
  await new FakeHost(() => textAnswer('true'), { name: 'Own', ownCode }).register(it.clients, {
    clientToolGroups: [{ ...groupWith('Other', ['other']), startCollapsed: false }],
  });
  const { tools } = it.services.toolServicesOf(it.conversation);
  expect(tools.prompts().map(({ marks }) => marks.map(({ kind }) => kind))).toEqual([['untrusted', 'private']]);
  await it.turn();
  expect(liar.requests).toEqual([]);
  expect(it.results()[0]).toMatchObject({ isError: true });
});

describe('names', () => {
  test('are sent in wire form and come back to the client as they are', async () => {
    const host = new FakeHost(() => textAnswer('ok'));
    const it = await startWith((_, index) =>
      index === 0 ? calling(names(0).find((name) => name.startsWith('Datei')) ?? '') : { text: 'ok' },
    );
    await host.register(it.clients, {
      clientToolGroups: [{ ...groupWith('Ops', ['Datei öffnen']), startCollapsed: false }],
    });
    await it.turn();
    expect(names(0)).toContain('Datei__ffnen');
    expect(host.requests).toMatchObject([{ toolName: 'Datei öffnen' }]);
  });

  test('a tool named as a built-in one is refused; a group may be, and gets a name of its own', async () => {
    const it = await startWith([{ text: 'ok' }]);
    await expect(
      new FakeHost().register(it.clients, { clientToolGroups: [groupWith('Ops', ['Read_File'])] }),
    ).rejects.toMatchObject({ group: 'Ops' });
    await new FakeHost().register(it.clients, { clientToolGroups: [groupWith('Edit', ['Replace'])] });
    await it.turn();
    expect(names(0).filter((name) => /^edit/i.test(name))).toEqual([
      'edit',
      expect.stringMatching(/^Edit_[0-9a-f]{8}$/),
    ]);
  });

  test('two clients: tools of one that is connected cannot be taken over, those of one that is gone can', async () => {
    const it = await startWith([{ text: 'ok' }]);
    const first = new FakeHost(undefined, { name: 'First' });
    await first.register(it.clients, { clientToolGroups: [IDE] });
    const second = new FakeHost(undefined, { name: 'Second' });
    await expect(second.register(it.clients, { clientToolGroups: [{ ...IDE, name: 'Mine' }] })).rejects.toMatchObject({
      group: 'Mine',
    });
    first.disconnect();
    await second.register(it.clients, { clientToolGroups: [{ ...IDE, name: 'Mine' }] });
    await it.turn();
    expect(names(0)).toContain('Mine');
    expect(names(0)).not.toContain('IDE');
  });

  test('a tool that the user switched off never appears and does not run', async () => {
    const host = new FakeHost(() => textAnswer('selected'));
    const it = await startWith([calling('GetSelection', 'IDE'), { text: 'ok' }], {
      config: { tools: { disabled: ['getselection'] } },
    });
    await host.register(it.clients, { clientToolGroups: [IDE] });
    await it.turn();
    expect(it.requests[0]?.tools.find(({ name }) => name === 'IDE')?.description).not.toContain('GetSelection');
    expect(texts()?.[1]).toBe('IDE expanded. Available functions: OpenFile, ShowMessage');
    expect(names(1)).toContain('OpenFile');
    expect(names(1)).not.toContain('GetSelection');
    expect(host.requests).toEqual([]);
  });
});

test('/tools switches a tool of a client off while the conversation runs: it is not sent, and refused if it is called', async () => {
  const host = new FakeHost(() => textAnswer('selected'));
  const it = await startWith(
    [{ text: 'one' }, calling('GetSelection'), { text: 'two' }, calling('GetSelection'), { text: 'three' }],
    {},
  );
  await host.register(it.clients, { clientToolGroups: [{ ...IDE, startCollapsed: false }] });
  await it.turn();
  const { registry } = it.services;
  const switches = (verb: 'enable' | 'disable') => {
    const brought = it.services.toolServicesOf(it.conversation).tools.brought();
    return answerToolsCommand(
      { registry, brought, isHidden: () => false },
      { verb, names: ['GetSelection'] },
      async () => true,
    );
  };
  expect(await switches('disable')).toBe(switched.disabled('GetSelection'));
  await it.turn();
  expect(names(0)).toContain('GetSelection');
  expect(names(1)).not.toContain('GetSelection');
  expect(host.requests).toEqual([]);
  expect(await switches('enable')).toBe(switched.enabled('GetSelection'));
  await it.turn();
  expect(host.requests).toHaveLength(1);
});

test('the tools of a conversation that nothing uses are freed; those of one with a program or a turn are not', async () => {
  const it = await startWith([], {});
  const { clients, storage } = it.services;
  const create = () => storage.conversations.create({ workspace: it.workspace, model: 'none' }).id;
  const deleted = create();
  const before = clients.of(deleted);
  expect(clients.of(deleted)).toBe(before);
  clients.close(deleted);
  expect(clients.of(deleted)).not.toBe(before);

  const host = new FakeHost(() => textAnswer('selected'));
  await host.register(it.clients, { clientToolGroups: [IDE] });
  const [used, idle] = [it.clients, clients.of(deleted)];
  for (let opened = 0; opened < 60; opened++) clients.of(create());
  expect(clients.of(deleted)).not.toBe(idle);
  expect(it.clients).toBe(used);
  clients.close(it.conversation);
  expect(it.clients).toBe(used);
});

test('a document of an active skill is read without a question; of no other', async () => {
  const documents = [{ id: 'rules', description: 'The rules', content: 'Rule one.' }];
  const it = await startWith([
    calling('Complete_Checkout'),
    calling(['read_skill_document', { skill: 'Complete Checkout', document: 'rules' }]),
    calling(['read_skill_document', { skill: 'Complete Checkout', document: 'nothing' }]),
    { text: 'ok' },
  ]);
  const skills = [{ ...CHECKOUT, documents }];
  await new FakeHost().register(it.clients, { clientToolGroups: [{ ...SHOP, skills }] });
  await it.turn();
  expect(names(0)).not.toContain('read_skill_document');
  expect(texts()).toEqual([
    expect.stringMatching(/Available functions: .*\n\nAvailable documents:\n- rules: The rules$/),
    'Rule one.',
    expect.stringMatching(/^Error: /),
  ]);
  expect(it.events.flatMap((event) => (event.type === 'decision' ? [event.by] : []))).toEqual([
    'default',
    'default',
    'default',
  ]);
});

test('a document at a URL is read by the rules of web_fetch', async () => {
  const site = await startWebSite({ '/rules': html('<p>Rule two.</p>') });
  const user = yes();
  const documents = [{ id: 'rules', description: 'The rules', url: `${site.url}/rules` }];
  const it = await startWith(
    [
      calling('Complete_Checkout'),
      calling(['read_skill_document', { skill: 'Complete Checkout', document: 'rules' }]),
      { text: 'ok' },
    ],
    { consent: user },
  );
  await new FakeHost().register(it.clients, {
    clientToolGroups: [{ ...SHOP, skills: [{ ...CHECKOUT, documents }] }],
  });
  await it.turn();
  // The site is on this machine, so the user is asked.
  expect(user.asked).toMatchObject([{ tool: 'read_skill_document', classes: ['network-private'] }]);
  expect(texts()?.[1]).toContain('Rule two.');
});

test('a document at a URL is not read while web_fetch is switched off', async () => {
  const documents = [{ id: 'rules', description: 'The rules', url: 'http://127.0.0.1:9/rules' }];
  const it = await startWith(
    [
      calling('Complete_Checkout'),
      calling(['read_skill_document', { skill: 'Complete Checkout', document: 'rules' }]),
      { text: 'ok' },
    ],
    { config: { tools: { disabled: ['web_fetch'] } }, consent: yes() },
  );
  await new FakeHost().register(it.clients, {
    clientToolGroups: [{ ...SHOP, skills: [{ ...CHECKOUT, documents }] }],
  });
  await it.turn();
  expect(texts()?.[1]).toBe('Error: Tool is disabled: web_fetch');
});

test('a picture reaches the model as one', async () => {
  const data = Buffer.from('picture').toString('base64');
  const it = await startWith([calling('GetSelection'), { text: 'ok' }]);
  const host = new FakeHost(() => ({ content: [{ type: 'binary', mimeType: 'image/png', data, filename: 'a.png' }] }));
  await host.register(it.clients, { clientToolGroups: [OPEN_IDE] });
  await it.turn();
  expect(it.requests[1]?.text).toContain(JSON.stringify({ type: 'base64', media_type: 'image/png', data }));
});
