import { afterEach, describe, expect, test } from 'vitest';
import { isRecord } from '../../../src-main/base/json.ts';
import { askRig, ofType } from '../../fixtures/ask.ts';
import { STDIO_SERVER } from '../../fixtures/mcp/connections.ts';
import { type MessagesApi, type MessagesApiOptions, startMessagesApi } from '../../fixtures/messages-api/server.ts';

/** What is sent to Claude, as a service receives it. */

let api: MessagesApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

async function withApi(config: Record<string, unknown>, options: MessagesApiOptions = {}) {
  api = await startMessagesApi(options);
  const ask = askRig({ api: api.url, config, files: { 'a.txt': 'alpha', 'b.txt': 'beta' } });
  const bodies = () => (api?.requests ?? []).map(({ body }) => Object(body) as Record<string, unknown>);
  return { ask, bodies };
}

const anthropic = (more: Record<string, unknown>) => ({
  providers: { anthropic: { type: 'anthropic', model: 'claude-sonnet-5-5', ...more } },
});

describe("a provider's settings are in its requests", () => {
  test('the length and effort of the settings are sent, but never a temperature, which the API no longer has', async () => {
    const { ask, bodies } = await withApi(anthropic({ maxTokens: 5_000, temperature: 0.4, effort: 'low' }));
    expect((await ask.run(['hi'])).code).toBe(0);
    expect(bodies()[0]).toMatchObject({ max_tokens: 5_000, output_config: { effort: 'low' } });
    expect(bodies()[0]).not.toHaveProperty('temperature');
  });

  test('without settings, the default length and no effort are sent', async () => {
    const { ask, bodies } = await withApi(anthropic({}));
    expect((await ask.run(['hi'])).code).toBe(0);
    expect(bodies()[0]).toMatchObject({ max_tokens: 32_000 });
    expect(bodies()[0]).not.toHaveProperty('output_config');
  });

  test.each([
    { model: 'claude-sonnet-4-5', effort: 'low' },
    { model: 'claude-sonnet-5-5', effort: 'none' },
  ])('an effort that $model does not have ($effort) is left out', async ({ model, effort }) => {
    const { ask, bodies } = await withApi(anthropic({ model, effort }));
    expect((await ask.run(['--model', `anthropic:${model}`, 'hi'])).code).toBe(0);
    expect(bodies()[0]).not.toHaveProperty('output_config');
  });

  test('a smaller context window makes it summarise earlier', async () => {
    const long = 'word '.repeat(8_000);
    const { ask, bodies } = await withApi(anthropic({ contextTokens: 20_000 }), {
      answer: ({ body }) => ({
        text: JSON.stringify(body).includes('<transcript>') ? 'A summary.' : 'Fine.',
        usage: { input_tokens: 11_500 },
      }),
    });
    expect((await ask.run([long])).code).toBe(0);
    const { events } = await ask.events(['--conversation', 'last', long]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'notice', code: 'compacted' }));
    expect(JSON.stringify(bodies().at(-1)?.messages)).toContain('A summary.');
  });
});

test("the user's own price counts, from the next request on", async () => {
  const prices = { 'anthropic:claude-sonnet-5-5': { input: 100, output: 200, cacheRead: 1, cacheWrite: 2 } };
  const usage = { input_tokens: 1_000, output_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const { ask } = await withApi({ prices }, { answer: () => ({ text: 'Hi.', usage }) });
  const { events } = await ask.events(['hi']);
  expect(ofType(events, 'usage')).toMatchObject([{ input: 1_000, output: 10, costUsd: 0.102 }]);
});

test('/compact summarises all but the last exchange now, and says when there is nothing to summarise', async () => {
  const { ask, bodies } = await withApi(
    {},
    {
      answer: ({ body }) => ({
        text: JSON.stringify(body).includes('<transcript>') ? 'A summary.' : 'Fine.',
        usage: { input_tokens: 100, output_tokens: 10 },
      }),
    },
  );
  expect((await ask.run(['the harbour is closed'])).code).toBe(0);
  const early = await ask.events(['--conversation', 'last', '/compact']);
  expect(ofType(early.events, 'notice')).toMatchObject([{ code: 'nothing_to_summarise' }]);
  expect((await ask.run(['--conversation', 'last', 'and the station?'])).code).toBe(0);

  const { events } = await ask.events(['--conversation', 'last', '/compact']);
  expect(ofType(events, 'notice')).toMatchObject([{ code: 'compacted' }]);
  expect(ofType(events, 'usage')).toMatchObject([{ input: 100 }]);
  expect(ofType(events, 'done')).toMatchObject([{ stopReason: 'end_turn' }]);

  expect((await ask.run(['--conversation', 'last', 'what is open?'])).code).toBe(0);
  const sent = JSON.stringify(bodies().at(-1)?.messages);
  expect(sent).toContain('A summary.');
  expect(sent).not.toContain('the harbour is closed');
  expect(sent).toContain('and the station?');
  // What was summarised is still there for the user.
  expect((await ask.run(['/search harbour'])).stdout).toContain('the harbour is closed');
  const kept = JSON.parse((await ask.run(['--conversation', 'last', '/export json'])).stdout);
  expect(kept.events).toContainEqual(expect.objectContaining({ type: 'compaction', replaced: 2 }));
});

describe('the prompt cache', () => {
  const call = (id: string, name: string, input: unknown) => ({ type: 'tool_use', id, name, input }) as const;
  const turns = [
    { blocks: [call('c1', 'read_file', { path: 'a.txt' })] },
    { blocks: [call('c2', 'read_file', { path: 'b.txt' }), call('c3', 'glob', { pattern: '*' })] },
    { text: 'Both read.' },
    { blocks: [call('c4', 'get_date', {})] },
    { text: 'Done.' },
  ];

  test('each request begins with the whole one before it, over rounds, turns and processes', async () => {
    const start = `exec ${process.execPath} ${STDIO_SERVER}`;
    const servers = {
      // The other one is there first, and in the second process both tool lists are those that were kept.
      late: { command: 'sh', args: ['-c', `sleep 1; ${start}`] },
      early: { command: 'sh', args: ['-c', start] },
    };
    const { ask, bodies } = await withApi({ mcpServers: servers }, { turns });
    expect((await ask.run(['--approve', 'all', 'read both'])).code).toBe(0);
    expect((await ask.run(['--approve', 'all', '--conversation', 'last', 'and the date'])).code).toBe(0);
    const sent = bodies();
    expect(sent).toHaveLength(5);
    const names = Array.isArray(sent[0]?.tools) ? sent[0].tools.map((tool) => Object(tool).name) : [];
    expect(names.indexOf('late__echo')).toBeGreaterThan(0);
    expect(names.indexOf('late__echo')).toBeLessThan(names.indexOf('early__echo'));
    for (const body of sent) {
      expect(JSON.stringify(body.tools)).toBe(JSON.stringify(sent[0]?.tools));
      expect(JSON.stringify(body.system)).toBe(JSON.stringify(sent[0]?.system));
    }
    const messages = sent.map((body) => unmarked(body.messages));
    for (const [index, earlier] of messages.slice(0, -1).entries())
      expect(messages[index + 1]?.slice(0, earlier.length)).toEqual(earlier);
  });

  test('a breakpoint is where the request before ended, so that all of it is read from the cache', async () => {
    const { ask, bodies } = await withApi({}, { turns });
    expect((await ask.run(['--approve', 'all', 'read both'])).code).toBe(0);
    expect((await ask.run(['--approve', 'all', '--conversation', 'last', 'and the date'])).code).toBe(0);
    const sent = bodies();
    for (const { system } of sent) expect(system).toMatchObject([{ cache_control: { type: 'ephemeral' } }]);
    for (const [index, body] of sent.entries()) {
      const marked = markedMessages(body.messages);
      expect(marked.at(-1), 'the end of this request').toBe(Number(Object(body.messages).length) - 1);
      const before = sent[index - 1];
      if (before !== undefined) expect(marked).toContain(Number(Object(before.messages).length) - 1);
    }
  });
});

/** The messages without cache marks. */
function unmarked(messages: unknown): readonly unknown[] {
  return JSON.parse(JSON.stringify(messages, (key, value: unknown) => (key === 'cache_control' ? undefined : value)));
}

function markedMessages(messages: unknown): number[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message: unknown, index) => {
    const content = isRecord(message) && Array.isArray(message.content) ? message.content : [];
    return content.some((block: unknown) => isRecord(block) && 'cache_control' in block) ? [index] : [];
  });
}
