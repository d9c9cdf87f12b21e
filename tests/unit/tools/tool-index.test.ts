import { beforeAll, describe, expect, test } from 'vitest';
import { ToolIndex } from '../../../src-main/tools/registry/tool-index.ts';
import { allTools } from '../../fixtures/many-tools/all-tools.ts';
import { WISHES } from '../../fixtures/many-tools/wishes.ts';

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
])('finds %s', async (_, query, expected) => {
  const index = await ToolIndex.of([
    ...[tool('add_new_record'), tool('listPullRequests'), tool('getHTTPServer'), tool('archive_file')],
    ...[tool('get_repository'), tool('billing_7', 'Make an invoice.'), tool('point', '', ['latitude'])],
    ...[tool('delete_account'), tool('naïve_café'), tool('tenki', '東京の天気を調べる')],
  ]);
  expect(index.search(query, 1)).toEqual([expected]);
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
