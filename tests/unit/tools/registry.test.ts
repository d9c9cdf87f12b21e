import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { AccessDenied } from '../../../src-main/policy/roots.ts';
import { builtInTools, registerBuiltInTools } from '../../../src-main/tools/built-in-tools.ts';
import { type Tool, type ToolContext, ToolFailure } from '../../../src-main/tools/contract.ts';
import { defineTool } from '../../../src-main/tools/define-tool.ts';
import { ToolRegistry } from '../../../src-main/tools/registry/registry.ts';
import { callAllowed } from '../../fixtures/allow-all.ts';
import { anyWords } from '../../fixtures/any-words.ts';
import { disabledToolsIn, registryPorts } from '../../fixtures/registry-ports.ts';
import { accessDenied, switched, toolDisabled, toolNotFound } from '../../fixtures/tool-texts.ts';
import { answerToolsLine } from './tools-line.ts';

const { signal } = new AbortController();
const context = { now: () => new Date(2026, 0, 5, 4, 30, 14), signal } as unknown as ToolContext;

function toolNamed(name: string, execute: () => Promise<string> = async () => name, nameAliases: string[] = []): Tool {
  return defineTool({
    name,
    access: 'read',
    description: `Does ${name}.`,
    input: z.object({}),
    words: anyWords,
    nameAliases,
    execute,
  });
}

test('tools stand in the order core, MCP, API, client, whatever the order of registration', () => {
  const registry = new ToolRegistry(registryPorts());
  for (const category of ['client', 'api', 'core', 'mcp'] as const)
    registry.register({ tool: toolNamed(`of_${category}`), category });
  expect(registry.list()).toEqual([]);
  registry.buildAll();
  expect(registry.list().map(({ name }) => name)).toEqual(['of_core', 'of_mcp', 'of_api', 'of_client']);
  expect(registry.offered().map(({ name }) => name)).toEqual(['of_core', 'of_mcp', 'of_api', 'of_client']);
});

test('a name is given once: later tools are refused and logged, MCP tools get a number', () => {
  const logged: string[] = [];
  const registry = new ToolRegistry(registryPorts({ log: (message) => logged.push(message) }));
  expect(registry.register({ tool: toolNamed('echo'), category: 'core' })).toBe(true);
  expect(registry.register({ tool: toolNamed('ECHO'), category: 'api' })).toBe(false);
  expect(registry.register({ tool: toolNamed('Echo'), category: 'mcp' })).toBe(true);
  expect(registry.register({ tool: toolNamed('echo'), category: 'mcp' })).toBe(true);
  registry.buildAll();
  expect(logged).toEqual(['Tool name already registered: ECHO']);
  expect(registry.list().map(({ name }) => name)).toEqual(['echo', 'Echo_2', 'echo_3']);
});

test('a call reaches its tool by name, wire name or alias in any letter case', async () => {
  const registry = new ToolRegistry(registryPorts());
  registerBuiltInTools(registry);
  registry.register({ tool: toolNamed('Complete Checkout'), category: 'client' });
  registry.buildAll();
  for (const name of ['READ_FILE', 'Read_File', 'read']) expect(registry.get(name)?.name).toBe('read_file');
  expect(registry.get('WRITE')?.name).toBe('write_file');
  expect(registry.get('complete_checkout')?.name).toBe('Complete Checkout');
  expect(registry.offered().at(-1)?.name).toBe('Complete_Checkout');
  expect(await callAllowed(registry, 'GET_TIME', { any: 1 }, context)).toEqual({ text: '04:30:14', isError: false });
  expect(await callAllowed(registry, 'get_date', undefined, context)).toEqual({ text: '2026-01-05', isError: false });
  expect(await callAllowed(registry, 'nope', {}, context)).toEqual({
    text: toolNotFound('nope'),
    isError: true,
  });
});

test('a tool that is switched off is not offered, does not run, and stays off after a restart', async () => {
  const store = disabledToolsIn([]);
  let runs = 0;
  const build = () => {
    const registry = new ToolRegistry(registryPorts({ disabledTools: store }));
    registry.register({ tool: toolNamed('alpha', async () => String(++runs), ['first']), category: 'core' });
    registry.register({ tool: toolNamed('beta'), category: 'core' });
    registry.buildAll();
    return registry;
  };
  const registry = build();
  expect(await registry.disable(['FIRST', 'zeta'])).toEqual({ changed: ['alpha'], notFound: ['zeta'] });
  const restarted = build();
  expect(restarted.offered().map(({ name }) => name)).toEqual(['beta']);
  expect(await callAllowed(restarted, 'alpha', {}, context)).toEqual({
    text: toolDisabled('alpha'),
    isError: true,
  });
  expect(runs).toBe(0);
  await restarted.enable(['Alpha']);
  expect(store.names).toEqual([]);
  expect(await callAllowed(build(), 'alpha', {}, context)).toEqual({ text: '1', isError: false });
});

test('globs switch several tools, and a glob in the settings can be narrowed', async () => {
  const store = disabledToolsIn(['gmail_*', 'gone__tool']);
  const registry = new ToolRegistry(registryPorts({ disabledTools: store }));
  for (const name of ['gmail_send', 'gmail_read', 'web_fetch'])
    registry.register({ tool: toolNamed(name), category: 'api' });
  registry.buildAll();
  expect(registry.offered().map(({ name }) => name)).toEqual(['web_fetch']);
  expect(await registry.enable(['gmail_re??'])).toEqual({ changed: ['gmail_read'], notFound: [] });
  expect(store.names).toEqual(['gmail_send', 'gone__tool']);
  expect(await registry.disable(['w*', 'x*'])).toEqual({ changed: ['web_fetch'], notFound: ['x*'] });
  expect(await registry.enable(['gone__tool'])).toEqual({ changed: ['gone__tool'], notFound: [] });
  await registry.enable(['*']);
  expect(store.names).toEqual([]);
});

test('two programs that switch tools at once throw only their own switches', async () => {
  const store = disabledToolsIn(['ALPHA', 'gone']);
  const [one, other] = [0, 1].map(() => {
    const registry = new ToolRegistry(registryPorts({ disabledTools: store }));
    for (const name of ['alpha', 'beta', 'gamma']) registry.register({ tool: toolNamed(name), category: 'core' });
    registry.buildAll();
    return registry;
  });
  await one?.disable(['beta']);
  await other?.disable(['gamma']);
  expect(store.names).toEqual(['alpha', 'beta', 'gamma', 'gone']);
  await one?.enable(['alpha']);
  expect(store.names).toEqual(['beta', 'gamma', 'gone']);
  expect(one?.offered().map(({ name }) => name)).toEqual(['alpha']);
});

function toolIn(registry: ToolRegistry, name: string): Tool {
  const tool = registry.get(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

test('/tools lists, switches, and says what it does not know', async () => {
  const registry = new ToolRegistry(registryPorts());
  registerBuiltInTools(registry);
  expect(await answerToolsLine(registry, 'disable bash nope')).toBe(
    [switched.disabled('bash'), switched.notFound('nope')].join('\n'),
  );
  const list = await answerToolsLine(registry, '');
  expect(list).toBe(await answerToolsLine(registry, ' list '));
  const count = registry.list().length;
  expect(list.split('\n', 1)).toEqual([`${count} tools, ${count - 1} enabled`]);
  expect(list).toMatch(/^bash +disabled +execute /m);
  expect(await answerToolsLine(registry, 'enable BASH')).toBe(switched.enabled('bash'));
});

test('/tools knows what clients brought, by their names and in wire form; none of their names switches off another tool', async () => {
  const registry = new ToolRegistry(registryPorts());
  registerBuiltInTools(registry);
  const group = { client: 'edi\u001b[2Jtor', group: 'IDE', access: 'write' } as const;
  const brought = ['OpenFile', 'Complete Checkout', 'ba*'].map((name) => ({
    name,
    description: 'Does\u0007 it.',
    ...group,
  }));
  const answer = (words: string, mayEnable = async () => true) => answerToolsLine(registry, words, mayEnable, brought);
  expect(await answer('disable openfile Complete_Checkout ba?')).toBe(
    ['OpenFile', 'Complete Checkout', 'ba_'].map((name) => switched.disabled(name)).join('\n'),
  );
  expect(registry.isEnabled(toolIn(registry, 'bash'))).toBe(true);
  const list = await answer('list');
  expect(list).toMatch(/^IDE, from edi⟨U\+001B⟩\[2Jtor:\nOpenFile +disabled +write +Does⟨U\+0007⟩ it\.\n/m);
  expect(list.match(/ disabled /g)).toHaveLength(3);
  expect(await answer('enable Complete_Checkout', async () => false)).toBe(switched.notEnabled('Complete Checkout'));
  expect(await answer('enable Complete_Checkout *File')).toBe(
    [switched.enabled('Complete Checkout'), switched.enabled('OpenFile')].join('\n'),
  );
});

test('a tool of a client that was switched off in wire form is switched on only with the user', async () => {
  const registry = new ToolRegistry(registryPorts({ disabledTools: disabledToolsIn(['complete_checkout']) }));
  const brought = [
    { name: 'Complete Checkout', description: 'x', access: 'write', client: 'shop', group: 'Shop' },
  ] as const;
  expect(await answerToolsLine(registry, 'enable Complete_Checkout', async () => false, brought)).toBe(
    switched.notEnabled('Complete Checkout'),
  );
  expect(registry.isSwitchedOff(['complete_checkout'])).toBe(true);
});

test('/tools enable asks if a user must be asked, about exactly the disabled tools', async () => {
  const registry = new ToolRegistry(registryPorts({ disabledTools: disabledToolsIn(['get_*', 'gone']) }));
  registerBuiltInTools(registry);
  const asked: (readonly string[])[] = [];
  const answering = (answer: boolean) => async (names: readonly string[]) => {
    asked.push(names);
    return answer;
  };
  expect(await answerToolsLine(registry, 'enable GET_T* bash gone nope', answering(false))).toBe(
    [switched.notEnabled('get_time'), switched.notEnabled('gone')].join('\n'),
  );
  expect(registry.offered().map(({ name }) => name)).not.toContain('get_time');
  expect(await answerToolsLine(registry, 'enable GET_T* bash gone nope', answering(true))).toBe(
    [switched.enabled('get_time'), switched.enabled('gone'), switched.enabled('bash'), switched.notFound('nope')].join(
      '\n',
    ),
  );
  expect(asked).toEqual([
    ['get_time', 'gone'],
    ['get_time', 'gone'],
  ]);
  const offered = registry.offered().map(({ name }) => name);
  expect([offered.includes('get_time'), offered.includes('get_date')]).toEqual([true, false]);
  expect(await answerToolsLine(registry, 'enable bash', answering(false))).toBe(switched.enabled('bash'));
  expect(await answerToolsLine(registry, 'disable bash', answering(false))).toBe(switched.disabled('bash'));
});

test('settings about tools take effect while the program runs', async () => {
  const names: string[] = [];
  const disabledTools = { load: () => [...names], update: () => Promise.reject(new Error('disk full')) };
  let profile: 'all' | 'lean' = 'all';
  const registry = new ToolRegistry(
    registryPorts({
      disabledTools,
      get profile() {
        return profile;
      },
    }),
  );
  registerBuiltInTools(registry);
  const has = (name: string) => registry.offered().some((tool) => tool.name === name);
  expect(await answerToolsLine(registry, 'disable get_date')).toBe(
    'Error: The setting could not be saved and applies only until the program ends: disk full',
  );
  registry.refresh();
  expect([has('get_date'), has('run_command')]).toEqual([false, true]);
  names.push('get_time');
  profile = 'lean';
  registry.refresh();
  expect([has('get_date'), has('get_time'), has('run_command')]).toEqual([true, false, false]);
});

test('a credential that comes or goes changes what is offered at once', async () => {
  const credentials = new Set<string>();
  const registry = new ToolRegistry(
    registryPorts({
      available: { hasCredential: (name) => credentials.has(name), searchProvider: undefined, hasSandbox: true },
    }),
  );
  registry.register({
    tool: toolNamed('web_search'),
    category: 'api',
    gate: { needs: 'a key', isOpen: (available) => available.hasCredential('BRAVE_API_KEY') },
  });
  registry.buildAll();
  expect((await callAllowed(registry, 'web_search', {}, context)).text).toBe(toolNotFound('web_search'));
  credentials.add('BRAVE_API_KEY');
  registry.refresh();
  expect((await callAllowed(registry, 'web_search', {}, context)).text).toBe('web_search');
  credentials.clear();
  registry.refresh();
  expect(registry.offered()).toEqual([]);
});

test('the lean profile leaves out tools that overlap', () => {
  const registry = new ToolRegistry(registryPorts({ profile: 'lean' }));
  registerBuiltInTools(registry);
  const overlapping = new Set(['run_command', 'execute_command', 'list_directory', 'grep', 'http_get', 'http_post']);
  expect(registry.offered().map(({ name }) => name)).toEqual(
    registry
      .list()
      .map(({ name }) => name)
      .filter((name) => !overlapping.has(name)),
  );
  for (const name of overlapping) expect(registry.get(name)?.name, name).toBe(name);
});

test('a tool that the lean profile leaves out does not run, and switching it on says so', async () => {
  const registry = new ToolRegistry(registryPorts({ profile: 'lean' }));
  registerBuiltInTools(registry);
  expect((await callAllowed(registry, 'run_command', {}, context)).text).toBe(toolDisabled('run_command'));
  expect(await answerToolsLine(registry, 'enable run_command')).toBe(
    `${switched.enabled('run_command')}\nStill off: run_command, because tools.profile in config.json is "lean"`,
  );
});

test('whatever a tool throws becomes its result, with secrets taken out', async () => {
  const thrown: [unknown, string][] = [
    [new Error('boom'), 'Error executing tool "t": boom'],
    [new ToolFailure('Error: exactly this'), 'Error: exactly this'],
    ['text', 'Error executing tool "t": text'],
    [undefined, 'Error executing tool "t": undefined'],
    [Object.create(null), 'Error executing tool "t": an error that cannot be shown'],
    [new Error(`key sk-ant-${'x'.repeat(20)} and hunter22`), 'Error executing tool "t": key [redacted] and [redacted]'],
    [new AccessDenied('file', '/w', undefined), accessDenied('file', '/w')],
  ];
  for (const [error, text] of thrown) {
    const registry = new ToolRegistry(registryPorts({ secrets: () => ['hunter22'] }));
    registry.register({ tool: toolNamed('t', () => Promise.reject(error)), category: 'core' });
    registry.buildAll();
    expect(await callAllowed(registry, 't', {}, context)).toEqual({ text, isError: true });
  }
});

test('a foreign tool that breaks the contract is held at the edge', async () => {
  const registry = new ToolRegistry(registryPorts());
  const throwing = (message: string) => () => {
    throw new Error(message);
  };
  const register = (name: string, prepare: Tool['prepare']) =>
    registry.register({ tool: { ...toolNamed(name), prepare }, category: 'mcp' });
  register('runs', () => ({ assess: async () => ({ access: [], execute: throwing('not even a promise') }) }));
  register('assesses', () => ({ assess: throwing('no effects') }));
  register('parses', throwing('no call'));
  registry.buildAll();
  expect(await callAllowed(registry, 'runs', {}, context)).toEqual({
    text: 'Error executing tool "runs": not even a promise',
    isError: true,
  });
  await expect(callAllowed(registry, 'assesses', {}, context)).rejects.toThrow(
    new ToolFailure('Error executing tool "assesses": no effects'),
  );
  expect(registry.prepare('parses', {})).toMatchObject({ ok: false, text: 'Error executing tool "parses": no call' });
});

test('a tool that acts must declare the effects of each call', () => {
  const spec = {
    name: 'x',
    description: 'x',
    access: 'execute' as const,
    input: z.object({}),
    words: anyWords,
    execute: async () => '',
  };
  expect(() => defineTool(spec)).toThrow('must declare the effects of each call');
});

test('every built-in tool is described within the limits of every provider', () => {
  for (const { tool } of builtInTools) {
    expect(tool.name).toMatch(/^[a-z][a-z_]{0,62}$/);
    expect(tool.description.length).toBeGreaterThan(20);
    expect(tool.description.length).toBeLessThanOrEqual(1024);
    expect(tool.inputSchema.type).toBe('object');
    const properties = tool.inputSchema.properties as Record<string, { type: string }>;
    for (const [name, { type }] of Object.entries(properties)) {
      // Takes any value at all, which no single type says.
      if (tool.name === 'serialize_json' && name === 'data') continue;
      expect(['string', 'number', 'boolean', 'object', 'array'], `${tool.name}.${name}`).toContain(type);
    }
    for (const alias of Object.keys(tool.parameterAliases)) expect(properties).not.toHaveProperty(alias);
  }
});

test('whatever is registered, each tool is reached by its own name and its own wire name', () => {
  const registrations = fc.array(
    fc.record({
      name: fc.oneof(fc.string({ minLength: 1 }), fc.string({ unit: fc.constantFrom('a', 'A', '.', '_', '2') })),
      category: fc.constantFrom('core' as const, 'mcp' as const, 'api' as const, 'client' as const),
    }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(registrations, (wanted) => {
      const registry = new ToolRegistry(registryPorts());
      for (const { name, category } of wanted) registry.register({ tool: toolNamed(name), category });
      registry.buildAll();
      const tools = registry.list();
      expect(new Set(tools.map(({ name }) => name.toLowerCase())).size).toBe(tools.length);
      const offered = registry.offered().map(({ name }) => name);
      expect(new Set(offered.map((name) => name.toLowerCase())).size).toBe(tools.length);
      for (const tool of tools) expect(registry.get(tool.name)).toBe(tool);
      expect(wanted.filter(({ category }) => category === 'mcp').length).toBeLessThanOrEqual(tools.length);
    }),
  );
});
