import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStorage, type Storage } from '../../../src-main/storage/storage.ts';
import type { Mark } from '../../../src-preload/contract/events.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { toolResult } from '../../fixtures/events.ts';
import { type CallOptions, ToolHarness } from '../../fixtures/tool-harness.ts';
import { factDeleted, factStored, foundArchived, nothingArchived } from '../../fixtures/tool-texts.ts';

const DAY_MS = 86_400_000;
const WEB: Mark = { kind: 'untrusted', source: 'https://example.org' };
const FILE: Mark = { kind: 'private', source: 'file notes.md' };

let now: Date;
let storage: Storage;
let tools: ToolHarness;

beforeEach(async () => {
  now = new Date('2026-11-21T10:00:00Z');
  tools = new ToolHarness({ consent: allowAll });
  storage = await open();
});
afterEach(async () => {
  await storage.close();
  await tools.dispose();
});

const open = () => openStorage({ directory: join(tools.base, 'profile'), now: () => now });
const call = (name: string, input: unknown, context: CallOptions = {}) =>
  tools.text(name, input, { memory: storage.memory, ...context });
const search = (query: string, context: CallOptions = {}) => call('search_memory', { query }, context);

test('facts are kept, overwritten and forgotten', async () => {
  expect(await call('set_fact', { key: 'a', value: '1' })).toBe(factStored('a'));
  expect(await call('get_fact', { key: 'a' })).toBe('1');
  await call('set_fact', { key: 'a', value: '2' });
  expect(await call('get_fact', { key: 'a' })).toBe('2');
  expect(await call('get_fact', { key: 'A' })).toBe('Fact not found: A');
  expect(await call('clear_fact', { key: 'a' })).toBe(factDeleted('a'));
  expect(await call('get_fact', { key: 'a' })).toBe('Fact not found: a');
  expect(await call('clear_fact', { key: 'a' })).toBe('Fact not found: a');
  await call('set_fact', { key: 'empty', value: '' });
  expect(await tools.call('get_fact', { key: 'empty' }, { memory: storage.memory })).toEqual({
    text: '',
    isError: false,
  });
  expect(await tools.call('get_fact', { key: 'none' }, { memory: storage.memory })).toMatchObject({ isError: false });
});

test('a missing parameter is named with a capital', async () => {
  for (const [name, input, text] of [
    ['set_fact', { value: 'x' }, 'Error: Key parameter is required'],
    ['set_fact', { key: 'a' }, 'Error: Value parameter is required'],
    ['get_fact', {}, 'Error: Key parameter is required'],
    ['clear_fact', { key: '' }, 'Error: Key parameter is required'],
    ['search_memory', {}, 'Error: Query parameter is required'],
    ['store_memory', { answer: 'x' }, 'Error: Question parameter is required'],
    ['store_memory', { question: 'x' }, 'Error: Answer parameter is required'],
    ['clear_memory', {}, 'Error: Question parameter is required'],
  ] as const) {
    expect(await tools.call(name, input, { memory: storage.memory }), name).toEqual({ text, isError: true });
  }
});

test('a memory is stored, found, overwritten and forgotten, also by the other names of its parameters', async () => {
  expect(await call('store_memory', { question: 'capital of France', answer: 'Paris' })).toBe(
    'Successfully stored memory: capital of France',
  );
  expect(await search('France')).toBe(
    `${foundArchived(1)}\n\nResult 1 [Relevance: 0.88]:\nQuestion: capital of France\nAnswer: Paris`,
  );
  expect(await search("What is France's capital?")).toContain('Paris');
  await call('store_memory', { key: 'capital of France', value: 'Lutetia' });
  expect(await search('france')).toContain('Lutetia');
  expect(await search('paris')).toBe(nothingArchived('paris'));
  expect(await call('clear_memory', { key: 'capital of France' })).toBe(
    'Successfully deleted memory: capital of France',
  );
  expect(await call('clear_memory', { question: 'capital of France' })).toBe('Memory not found: capital of France');
  expect(await search('France')).toBe(nothingArchived('France'));
});

test('memories survive a restart', async () => {
  await call('set_fact', { key: 'name', value: 'Ada' });
  await call('store_memory', { question: 'favourite colour', answer: 'green' });
  await storage.close();
  storage = await open();
  expect(await call('get_fact', { key: 'name' })).toBe('Ada');
  expect(await search('colour')).toContain('green');
});

test('the number of results is taken as number or text and kept within 1 to 50', async () => {
  for (let index = 0; index < 60; index++) storage.memory.storeMemory(`apple ${index}`, 'a fruit', []);
  const count = async (max_results: unknown) =>
    (await call('search_memory', { query: 'apple', max_results })).match(/^Result \d+ \[Relevance: [01]\.\d\d\]:$/gm)
      ?.length;
  expect(await count(undefined)).toBe(5);
  expect(await count('7')).toBe(7);
  expect(await count(0)).toBe(1);
  expect(await count(2.9)).toBe(2);
  expect(await count(1000)).toBe(50);
  expect(await count('many')).toBe(5);
});

test('more of the words, rarer words and newer texts come first', async () => {
  for (let index = 0; index < 200; index++) storage.memory.storeMemory(`project ${index}`, 'nothing much', []);
  storage.memory.storeMemory('project deadline', 'on Friday', []);
  for (let index = 200; index < 400; index++) storage.memory.storeMemory(`project ${index}`, 'nothing much', []);
  expect(await search('project deadline')).toMatch(/^Found 5 .*\n\n.*\nQuestion: project deadline\n/);
  expect(await search('unheard deadline of the project')).toMatch(/^Found 5 .*\n\n.*\nQuestion: project deadline\n/);

  storage.memory.storeMemory('dentist, old', 'Dr Lee', []);
  now = new Date(now.getTime() + 90 * DAY_MS);
  storage.memory.storeMemory('dentist, new', 'Dr Roy', []);
  now = new Date(now.getTime() + DAY_MS);
  const found = await search('dentist');
  expect(found.indexOf('Dr Roy')).toBeLessThan(found.indexOf('Dr Lee'));
});

test('the exact question is found among any number of alike ones', async () => {
  storage.memory.storeMemory('the of and', 'the oldest', []);
  for (let index = 0; index < 300; index++) storage.memory.storeMemory(`the of and ${index}`, 'newer', []);
  expect(await search('the of and')).toContain('Question: the of and\nAnswer: the oldest');
});

test('no query is an error', { timeout: 60_000 }, async () => {
  storage.memory.storeMemory('a "quoted" AND NEAR(x) text', 'or * not', []);
  const isAnswered = (text: string) => text.startsWith(nothingArchived('')) || /^Found \d+ .*\n\nResult 1 /.test(text);
  expect(await search('AND OR (')).toSatisfy(isAnswered);
  const nasty = fc.constantFrom(
    '"',
    '*',
    'AND',
    'OR',
    'NOT',
    'NEAR(',
    ')',
    '^',
    ':',
    'words:',
    '\0',
    '-',
    '{',
    '\ud800',
    "'",
    '東',
  );
  const query = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.array(nasty, { minLength: 1 }).map((parts) => parts.join(' ')),
  );
  await fc.assert(
    fc.asyncProperty(query, async (text) => {
      expect(await search(text)).toSatisfy(isAnswered);
    }),
    { numRuns: 200 },
  );
  expect(await search('word '.repeat(20_000))).toSatisfy(isAnswered);
});

const said = (text: string) => ({ type: 'user_message', content: [{ type: 'text', text }] }) as const;
const answered = (text: string) => ({ type: 'block', block: { type: 'text', text } }) as const;
const fetched = (marks: readonly Mark[]) => ({ ...toolResult('1', 'page'), marks }) as const;
const conversation = (title: string) => storage.conversations.create({ workspace: '/ws', model: 'guide', title }).id;

test('other conversations are found once each, with what was said, but not the one that asks nor a removed one', async () => {
  const trip = conversation('Summer trip');
  storage.events.appendAll(trip, 'turn', [said('Which ferry goes to Hydra?'), answered('The ferry leaves at nine.')]);
  const asking = conversation('Asking');
  storage.events.appendAll(asking, 'turn', [said('When does the ferry leave?')]);
  const removed = conversation('Removed ferry');
  storage.events.appendAll(removed, 'turn', [said('ferry')]);
  storage.conversations.remove(removed);

  const found = await search('ferry', { conversationId: asking });
  expect(found.split('\n').slice(0, 3)).toEqual([
    foundArchived(1),
    '',
    expect.stringMatching(/^Result 1 \[Relevance: 0\.\d\d\]:$/),
  ]);
  expect(found).toContain(
    'Conversation: Summer trip (2026-11-21)\nUser: Which ferry goes to Hydra?\nAssistant: The ferry leaves at nine.',
  );
  expect(await search('ferry')).toMatch(/^Found 2 /);
  expect(await search('summer')).toContain('Conversation: Summer trip (2026-11-21)\nUser: Which ferry goes');
  storage.conversations.restore(removed);
  expect(await search('ferry', { conversationId: asking })).toMatch(/^Found 2 /);
});

test('lines that call a tool by hand are not what was said, whatever they look like', async () => {
  const marked = conversation('By hand');
  storage.events.appendAll(marked, 'turn', [{ ...said('/notes.add Lisbon'), callsTools: true }]);
  expect(await search('Lisbon')).toBe(nothingArchived('Lisbon'));
  storage.events.appendAll(marked, 'turn', [said('/notes.add Lisbon')]);
  expect(await search('Lisbon')).not.toBe(nothingArchived('Lisbon'));
});

test('of a long message the part that matters is given', async () => {
  const filler = 'lorem ipsum dolor sit amet '.repeat(2_000);
  const id = conversation('Long');
  storage.events.appendAll(id, 'turn', [said(`${filler}the vault code is 4711 ${filler}`)]);
  const found = await search('vault code');
  expect(found).toContain('…');
  expect(found).toContain('the vault code is 4711');
  expect(found.length).toBeLessThan(1_000);
});

test('memory made from text from outside stays marked, and reading memory is private', async () => {
  await call('set_fact', { key: 'tip', value: 'x' }, { marks: [FILE, WEB] });
  await call('store_memory', { question: 'tip', answer: 'y' }, { marks: [WEB, FILE, WEB] });
  await call('set_fact', { key: 'own', value: 'z' }, { marks: [FILE] });
  expect(tools.marks).toEqual([]);
  await call('get_fact', { key: 'none' });
  await search('nothing');
  expect(tools.marks).toEqual([]);

  await call('get_fact', { key: 'own' });
  expect(tools.marks.splice(0)).toEqual([{ kind: 'private', source: 'fact own' }]);
  await call('get_fact', { key: 'tip' });
  expect(tools.marks.splice(0)).toEqual([{ kind: 'private', source: 'fact tip' }, WEB]);
  await search('tip');
  expect(tools.marks.splice(0)).toEqual([{ kind: 'private', source: 'memory' }, WEB]);
  await call('set_fact', { key: 'tip', value: 'mine' });
  await call('get_fact', { key: 'tip' });
  expect(tools.marks.splice(0)).toEqual([{ kind: 'private', source: 'fact tip' }]);
});

test('a conversation in which text from outside was read is marked, one that only quotes marks is not', async () => {
  const read = conversation('Read');
  storage.events.appendAll(read, 'turn', [said('the heron report'), fetched([FILE, WEB]), fetched([WEB])]);
  const quoting = conversation('Quoting');
  storage.events.appendAll(quoting, 'turn', [
    said('a walrus'),
    { ...fetched([FILE]), text: '{"kind":"untrusted","source":"x"}' },
  ]);
  await search('heron');
  expect(tools.marks.splice(0)).toEqual([{ kind: 'private', source: 'memory' }, WEB]);
  await search('walrus');
  expect(tools.marks.splice(0)).toEqual([{ kind: 'private', source: 'memory' }]);
});

test('writes say that they are writes to memory, reads and the rest touch only the app', async () => {
  const accessOf = async (name: string, input: Record<string, unknown>) => {
    const tool = tools.registry.get(name);
    if (tool === undefined) throw new Error(`${name} is not registered`);
    return { undo: tool.undo, access: (await tools.effectsOf(name, input)).access };
  };
  const write = { undo: 'nothing', access: [{ class: 'write', kind: 'app', memory: true }] };
  expect(await accessOf('set_fact', { key: 'a', value: 'b' })).toEqual(write);
  expect(await accessOf('clear_fact', { key: 'a' })).toEqual(write);
  expect(await accessOf('store_memory', { question: 'a', answer: 'b' })).toEqual(write);
  expect(await accessOf('clear_memory', { question: 'a' })).toEqual(write);
  const read = { undo: 'nothing', access: [{ class: 'read', kind: 'app' }] };
  expect(await accessOf('get_fact', { key: 'a' })).toEqual(read);
  expect(await accessOf('search_memory', { query: 'a' })).toEqual(read);
});
