import { beforeAll, describe, expect, test } from 'vitest';
import { ToolIndex } from '../../../src-main/tools/registry/tool-index.ts';
import { allTools } from '../../fixtures/many-tools/all-tools.ts';
import { WISHES } from '../../fixtures/many-tools/wishes.ts';
import { REQUESTS, thousandTools } from '../../fixtures/thousand-tools/thousand-tools.ts';

const tool = (name: string, description = '', parameters: readonly string[] = []) => ({
  name,
  description,
  inputSchema: { type: 'object', properties: Object.fromEntries(parameters.map((each) => [each, {}])) },
});

describe('among 2,000 tools of 20 servers', () => {
  let index: ToolIndex;
  beforeAll(async () => {
    index = await ToolIndex.of(allTools);
  });

  test('nine of ten wishes find the right tool among the first five', () => {
    expect(allTools).toHaveLength(2_000);
    const names = new Set(allTools.map(({ name }) => name));
    expect(WISHES.filter(([, name]) => !names.has(name))).toEqual([]);
    const missed = WISHES.filter(([wish, name]) => !index.search(wish, 5).includes(name));
    expect({ missed: missed.length, of: WISHES.length }).toEqual({ missed: 5, of: 60 });
  });

  test('a tool is found by its name, with the server or without it', () => {
    for (const { name } of allTools.filter((_, index) => index % 50 === 0)) {
      expect(index.search(name, 1)).toEqual([name]);
      expect(index.search(name.replace(/^.*__/, ''), 5)).toContain(name);
    }
    expect(index.search('who_is_on_call', 1)).toEqual(['monitoring__who_is_on_call']);
  });
});

describe('among 1,000 tools as real servers name them', () => {
  let index: ToolIndex;
  beforeAll(async () => {
    index = await ToolIndex.of(thousandTools);
  });

  test('plain requests find the right tool among the first five', () => {
    expect(thousandTools).toHaveLength(1_000);
    const names = new Set(thousandTools.map(({ name }) => name));
    expect(REQUESTS.flatMap(([, ...tools]) => tools).filter((name) => !names.has(name))).toEqual([]);
    const isMissed = ([request, ...tools]: (typeof REQUESTS)[number]) =>
      !index.search(request, 5).some((name) => tools.includes(name));
    expect(REQUESTS.filter(isMissed).map(([request]) => request)).toEqual(['set an out of office reply']);
  });
});

test.each([
  ['the words of a snake_case name', 'new record', 'add_new_record'],
  ['the words of a camelCase name', 'pull request', 'listPullRequests'],
  ['words behind an abbreviation', 'server', 'getHTTPServer'],
  ['another form of the word', 'archiving files', 'archive_file'],
  ['the beginning of a word', 'repo', 'get_repository'],
  ['a word of the description', 'invoice', 'billing_7'],
  ['the name of a parameter', 'latitude', 'point'],
  ['a word of the same meaning', 'erase the account', 'delete_account'],
  ['accents left out', 'naive cafe', 'naïve_café'],
  ['a language without spaces', '天気', 'tenki'],
  ['a word that can be written in two', 'my to-do list', 'add_todo'],
  ['a value that a parameter can have', 'zstd', 'pack'],
  ['what is said of a parameter', 'gear ratio', 'bicycle'],
  ['a turn of phrase', 'who am I logged in as', 'get_viewer'],
])('finds %s', async (_, query, expected) => {
  const index = await ToolIndex.of([
    tool('add_new_record'),
    tool('listPullRequests'),
    tool('getHTTPServer'),
    tool('archive_file'),
    tool('get_repository'),
    tool('billing_7', 'Make an invoice.'),
    tool('point', '', ['latitude']),
    tool('delete_account'),
    tool('naïve_café'),
    tool('tenki', '東京の天気を調べる'),
    tool('add_todo'),
    tool('get_viewer'),
    tool('read_log'),
    { ...tool('pack'), inputSchema: { properties: { method: { enum: ['gzip', 'zstd', 7] } } } },
    { ...tool('bicycle'), inputSchema: { properties: { x: { description: 'The gear ratio' }, y: null } } },
  ]);
  expect(index.search(query, 1)).toEqual([expected]);
});

test('a question is answered by what reads, an order by what does it', async () => {
  const index = await ToolIndex.of(
    ['delete_invoice', 'get_invoice', 'create_invoice', 'update_invoice'].map((name) => tool(name)),
  );
  expect(index.search('which invoice is this', 1)).toEqual(['get_invoice']);
  expect(index.search('please write a new invoice', 1)).toEqual(['create_invoice']);
  expect(index.search('throw away the invoice, delete it', 1)).toEqual(['delete_invoice']);
  expect(index.search('correct the invoice', 1)).toEqual(['update_invoice']);
});

test('nothing is found for words that say nothing, or that no tool has', async () => {
  const index = await ToolIndex.of([tool('read_file', 'Read a file.'), tool('a', 'the')]);
  for (const query of ['', '   ', 'the of a', '!?', 'zebra', 'a'.repeat(10_000)])
    expect(index.search(query, 5)).toEqual([]);
});

test('a tool whose schema has no properties is found by its name', async () => {
  const odd = [{ ...tool('odd'), inputSchema: { type: 'object', properties: 'none' } }];
  expect((await ToolIndex.of(odd)).search('odd', 5)).toEqual(['odd']);
});
