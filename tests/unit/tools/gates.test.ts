import { expect, test } from 'vitest';
import { z } from 'zod';
import { anthropicUsageGate } from '../../../src-main/tools/anthropic/anthropic-usage.ts';
import { builtInTools, registerBuiltInTools } from '../../../src-main/tools/built-in-tools.ts';
import type { Tool, ToolContext } from '../../../src-main/tools/contract.ts';
import { defineTool } from '../../../src-main/tools/define-tool.ts';
import { type Availability, googleGate } from '../../../src-main/tools/registry/gates.ts';
import { type RegistryPorts, ToolRegistry } from '../../../src-main/tools/registry/registry.ts';
import { callAllowed } from '../../fixtures/allow-all.ts';
import { anyWords } from '../../fixtures/any-words.ts';
import { registryPorts } from '../../fixtures/registry-ports.ts';
import { isRequired, switched, toolDisabled, toolNotFound } from '../../fixtures/tool-texts.ts';
import { answerToolsLine } from './tools-line.ts';

const context = {} as unknown as ToolContext;
const GOOGLE = ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'] as const;

function toolNamed(name: string): Tool {
  return defineTool({
    name,
    access: 'read',
    description: `Does ${name}.`,
    input: z.object({}),
    words: anyWords,
    execute: async () => name,
  });
}

function registryWith(
  credentials: ReadonlySet<string>,
  more: Partial<Availability> = {},
  ports: Partial<RegistryPorts> = {},
) {
  const available = {
    hasCredential: (name: string) => credentials.has(name),
    searchProvider: undefined,
    hasSandbox: true,
    ...more,
  };
  const registry = new ToolRegistry(registryPorts({ ...ports, available }));
  registerBuiltInTools(registry);
  return registry;
}

const names = (registry: ToolRegistry) => registry.offered().map(({ name }) => name);

test('Gmail and Calendar need both halves of the Google pair, and come and go with it', async () => {
  const credentials = new Set<string>();
  const registry = registryWith(credentials);
  for (const given of [[], [GOOGLE[0]], [GOOGLE[1]], GOOGLE]) {
    credentials.clear();
    for (const name of given) credentials.add(name);
    registry.refresh();
    const isThere = given.length === 2;
    expect(names(registry).includes('gmail_read')).toBe(isThere);
    expect(names(registry).includes('calendar_list_events')).toBe(isThere);
    expect((await callAllowed(registry, 'gmail_search', {}, context)).text).toBe(
      isThere ? isRequired('query') : toolNotFound('gmail_search'),
    );
  }
});

test.each<[readonly string[], Partial<Availability>, readonly string[]]>([
  [[], {}, ['web_search', 'anthropic_usage']],
  [['BRAVE_API_KEY'], {}, ['anthropic_usage']],
  [['ANTHROPIC_API_KEY'], {}, ['web_search', 'anthropic_usage']],
  [['ANTHROPIC_ADMIN_API_KEY'], {}, ['web_search']],
  [[], { searchProvider: 'duckduckgo' }, ['anthropic_usage']],
  [[], { searchProvider: 'searxng' }, ['anthropic_usage']],
  [[], { searchProvider: 'brave' }, ['web_search', 'anthropic_usage']],
])('with %j and %j, %j are not there', (credentials, available, missing) => {
  const registry = registryWith(new Set([...credentials, ...GOOGLE]), available);
  expect(registry.unavailable().map(({ tool }) => tool.name)).toEqual(missing);
  expect(names(registry)).toHaveLength(builtInTools.length - missing.length);
});

test('without any credential every other tool is there', () => {
  const registry = registryWith(new Set());
  const free = builtInTools.filter(({ gate }) => gate === undefined);
  expect(registry.list()).toHaveLength(free.length);
});

test('tools that are not there are listed with what they need', async () => {
  const list = await answerToolsLine(registryWith(new Set(['BRAVE_API_KEY'])), 'list');
  expect(list).toContain(`not available: anthropic_usage – needs ${anthropicUsageGate.needs}`);
  expect(list).toContain(`not available: gmail_read – needs ${googleGate.needs}\n`);
  expect(list).toMatch(/^web_search +enabled +network /m);
  expect(list).not.toMatch(/^gmail_read/m);
});

test('a tool that is switched off stays off while its credential goes and comes back', async () => {
  const credentials = new Set<string>(GOOGLE);
  const registry = registryWith(credentials);
  await registry.disable(['gmail_*']);
  credentials.clear();
  registry.refresh();
  expect(registry.get('gmail_read')).toBeUndefined();
  for (const name of GOOGLE) credentials.add(name);
  registry.refresh();
  expect((await callAllowed(registry, 'gmail_read', {}, context)).text).toBe(toolDisabled('gmail_read'));
});

test('a tool that is not registered yet can be switched off by name, and back on', async () => {
  const credentials = new Set<string>();
  const registry = registryWith(credentials);
  expect(await answerToolsLine(registry, 'disable Web_Search nope')).toBe(
    [switched.disabled('web_search'), switched.notFound('nope')].join('\n'),
  );
  credentials.add('BRAVE_API_KEY');
  registry.refresh();
  expect((await callAllowed(registry, 'web_search', {}, context)).text).toBe(toolDisabled('web_search'));
  credentials.clear();
  registry.refresh();
  expect(await answerToolsLine(registry, 'enable WEB_SEARCH')).toBe(switched.enabled('web_search'));
  expect(await answerToolsLine(registry, 'enable web_search')).toBe(switched.notFound('web_search'));
});

test('the tools of a server are there while it is connected, under names that no built-in tool has', async () => {
  const registry = registryWith(new Set());
  const connect = () => {
    for (const name of ['files__read', 'BASH']) registry.register({ tool: toolNamed(name), category: 'mcp' });
    registry.buildAll();
  };
  connect();
  expect(names(registry)).toEqual(expect.arrayContaining(['bash', 'files__read', 'BASH_2']));
  await registry.disable(['files__read']);
  registry.clear('mcp');
  expect((await callAllowed(registry, 'files__read', {}, context)).text).toBe(toolNotFound('files__read'));
  connect();
  expect((await callAllowed(registry, 'files__read', {}, context)).text).toBe(toolDisabled('files__read'));
});

test('second opinions are offered by every provider but the active one', () => {
  const registry = new ToolRegistry(registryPorts());
  let active = 'anthropic';
  for (const provider of ['anthropic', 'openai', 'flash'])
    registry.register({
      tool: toolNamed(`ask_${provider}`),
      category: 'api',
      gate: { needs: 'another active provider', isOpen: () => provider !== active },
    });
  registry.buildAll();
  expect(names(registry)).toEqual(['ask_openai', 'ask_flash']);
  active = 'openai';
  registry.refresh();
  expect(names(registry)).toEqual(['ask_anthropic', 'ask_flash']);
});

test('only a tool that Steward made for a provider may ask a model as one', () => {
  const registry = new ToolRegistry(registryPorts());
  const asking = (name: string): Tool => ({ ...toolNamed(name), asksModel: true });
  const made = { api: asking('ask_a'), mcp: asking('ask_b'), client: asking('ask_c'), core: asking('ask_d') };
  for (const category of ['api', 'mcp', 'client', 'core'] as const)
    registry.register({ tool: made[category], category });
  const plain = toolNamed('ask_e');
  registry.register({ tool: plain, category: 'api' });
  registry.buildAll();
  expect([made.api, made.mcp, made.client, made.core, plain].map((tool) => registry.asksModel(tool))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});

test('the tools of a client are there as long as they are registered', () => {
  const registry = registryWith(new Set());
  registry.register({ tool: toolNamed('Complete Checkout'), category: 'client' });
  registry.buildAll();
  expect(names(registry).at(-1)).toBe('Complete_Checkout');
  registry.clear('client');
  expect(names(registry)).not.toContain('Complete_Checkout');
});
