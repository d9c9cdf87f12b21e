import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ConversationEvent } from '../../../src-preload/contract/events.ts';
import { storageIn, temporaryFolder } from '../../fixtures/temporary-profile.ts';

const said = (text: string) => ({ type: 'user_message', content: [{ type: 'text', text }] }) as const;
const answered = (text: string) => ({ type: 'block', block: { type: 'text', text } }) as const;

async function conversationWith(...events: ConversationEvent[]) {
  const storage = await storageIn(temporaryFolder());
  const { id } = storage.conversations.create({ workspace: '/work', model: 'guide', title: 'Travel plans' });
  const stored = storage.events.appendAll(id, 'turn', events);
  const texts = async (query: string) => (await storage.search(query)).map((hit) => hit.snippet.text);
  return { ...storage, storage, id, stored, texts };
}

test('a hit says where it is and what matched', async () => {
  const { search, id, stored } = await conversationWith(said('How far is Kyōto from here?'), answered('Far.'));
  expect(await search('kyoto')).toEqual([
    {
      conversationId: id,
      title: 'Travel plans',
      role: 'user',
      seq: stored[0]?.seq,
      snippet: { text: 'How far is Kyōto from here?', matches: [[11, 16]] },
      at: stored[0]?.at,
    },
  ]);
  expect((await search('far')).map(({ role }) => role)).toEqual(['assistant', 'user']);
  expect(await search('trav')).toMatchObject([{ role: 'title', seq: null, conversationId: id }]);
});

test('of a book that is attached its beginning is found, and what was written with it', async () => {
  const book = `Whales ${'and seas '.repeat(100_000)} Ahab`;
  const { search } = await conversationWith({
    ...said('What is this about?'),
    attachments: [{ kind: 'text', name: 'book.txt', text: book }],
  });
  for (const [query, hits] of [
    ['whales', 1],
    ['about', 1],
    ['ahab', 0],
  ] as const)
    expect(await search(query)).toHaveLength(hits);
});

test('words are found in any script, from one character on', async () => {
  const { texts } = await conversationWith(
    said('東京タワーに行きたい'),
    said('我喜欢北京烤鸭'),
    said('안녕하세요 세계'),
    said('สวัสดีครับ'),
    said('Привет, мир'),
    said('مرحبا بالعالم'),
  );
  for (const [query, text] of [
    ['東', '東京タワーに行きたい'],
    ['京タ', '東京タワーに行きたい'],
    ['北京', '我喜欢北京烤鸭'],
    ['세계', '안녕하세요 세계'],
    ['하세', '안녕하세요 세계'],
    ['สดี', 'สวัสดีครับ'],
    ['ПРИВЕТ', 'Привет, мир'],
    ['مرحبا', 'مرحبا بالعالم'],
  ] as const) {
    expect(await texts(query), query).toEqual([text]);
  }
  expect(await texts('京東')).toEqual([]);
});

test('all words must be there, quoted ones together, the last may be unfinished', async () => {
  const { texts } = await conversationWith(said('red green blue'), said('green red'), said('reddish'));
  expect(await texts('red green')).toEqual(['green red', 'red green blue']);
  expect(await texts('"red green"')).toEqual(['red green blue']);
  expect(await texts('red')).toEqual(['reddish', 'green red', 'red green blue']);
  expect(await texts('red gr')).toHaveLength(2);
  expect(await texts('re green')).toEqual([]);
  expect(await texts('')).toEqual([]);
  expect(await texts('" * (')).toEqual([]);
});

test('a search for people lists each conversation once, with its newest hit and how many there are', async () => {
  const storage = await storageIn(temporaryFolder());
  const { conversations, events } = storage;
  const begin = (title: string) => conversations.create({ workspace: '/', model: 'guide', title }).id;
  const say = (id: string, text: string) =>
    events.appendAll(id, 'turn', [{ type: 'user_message', content: [{ type: 'text', text }] }])[0]?.seq;
  const [many, titled, only] = [begin('Birds'), begin('The Heron'), begin('Herons')];
  for (let count = 0; count < 60; count += 1) say(many, `heron ${count}`);
  const last = say(many, 'a HERON, a heron, and a herring');
  const other = say(only, 'héron cendré');
  say(titled, 'nothing of it');
  const found = await storage.searchConversations('heron', { limit: 10 });
  const short = found.map(({ conversationId: id, message, messages, titleMatches }) => ({
    id,
    seq: message?.seq,
    spellings: message?.spellings,
    messages,
    titleMatches,
  }));
  expect(short).toEqual([
    { id: only, seq: other, spellings: ['héron'], messages: 1, titleMatches: [[0, 6]] },
    { id: titled, seq: undefined, spellings: undefined, messages: 0, titleMatches: [[4, 9]] },
    { id: many, seq: last, spellings: ['HERON', 'heron'], messages: 61, titleMatches: [] },
  ]);
  expect(await storage.searchConversations('heron', { limit: 2 })).toHaveLength(2);
  conversations.remove(many);
  expect(await storage.searchConversations('heron', { limit: 10 })).toHaveLength(2);
  expect(await storage.searchConversations(' ', { limit: 10 })).toEqual([]);
});

test('removed conversations are not found, renamed ones by their new title, and a search can stay in one', async () => {
  const { storage, id } = await conversationWith(said('needle'));
  const other = storage.conversations.create({ workspace: '/work', model: 'guide', title: 'Haystack' });
  storage.events.appendAll(other.id, 'turn', [said('another needle')]);
  expect(await storage.search('needle')).toHaveLength(2);
  expect(await storage.search('needle', { conversationId: id })).toMatchObject([{ conversationId: id }]);
  expect(await storage.search('needle', { limit: 1 })).toMatchObject([{ conversationId: other.id }]);
  storage.conversations.rename(other.id, 'Barn');
  expect(await storage.search('haystack')).toEqual([]);
  expect(await storage.search('barn')).toHaveLength(1);
  storage.conversations.remove(other.id);
  expect(await storage.search('needle')).toMatchObject([{ conversationId: id }]);
  expect(await storage.search('barn')).toEqual([]);
  storage.conversations.restore(other.id);
  expect(await storage.search('barn')).toHaveLength(1);
});

test('streamed text cut off by a crash is found after the conversation continues, and only once if it became a block', async () => {
  const { storage, id } = await conversationWith(said('hi'));
  storage.events.appendAll(id, 'turn 1', [{ type: 'text_delta', text: 'the unfin' }]);
  storage.events.appendAll(id, 'turn 1', [{ type: 'text_delta', text: 'ished symphony' }]);
  storage.events.appendAll(id, 'turn 2', [said('go on')]);
  expect(await storage.search('unfinished')).toMatchObject([
    { role: 'assistant', snippet: { text: 'the unfinished symphony', matches: [[4, 14]] } },
  ]);
  storage.events.appendAll(id, 'turn 2', [{ type: 'text_delta', text: 'regular answer' }]);
  storage.events.appendAll(id, 'turn 2', [answered('regular answer')]);
  expect(await storage.search('regular')).toHaveLength(1);
});

test('no query is an error', { timeout: 60_000 }, async () => {
  const { search } = await conversationWith(said('a "quoted" NEAR(x) text'));
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
    '+',
    '{',
    '\ud800',
    "'",
    ';',
    '東',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(nasty).map((parts) => parts.join(' ')),
        fc.array(nasty).map((parts) => parts.join('')),
      ),
      async (query) => {
        await search(query);
      },
    ),
    { numRuns: 300 },
  );
  await search('word '.repeat(20_000));
  await search('x'.repeat(1_000_000));
  await search('東'.repeat(10_000));
});

test('a search that is open when the storage closes is rejected, and closing ends', async () => {
  const { storage } = await conversationWith(said('hi'));
  const outcome = storage.search('hi').catch((error: unknown) => error);
  await storage.close();
  expect(await outcome).toMatchObject({ code: 'storage_closed' });
  await expect(storage.search('hi')).rejects.toMatchObject({ code: 'storage_closed' });
});
