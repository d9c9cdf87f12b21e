import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MessagesApi, startMessagesApi } from '../../fixtures/messages-api/server.ts';

let server: MessagesApi;

beforeAll(async () => {
  server = await startMessagesApi({
    validKeys: ['good'],
    models: ['claude-a'],
    contextTokens: 5_000,
    maxRequestBytes: 100_000,
  });
});

afterAll(() => server.close());

const USER = { role: 'user', content: 'hi' };
const CALL = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'n', input: {} }] };
const RESULT = { type: 'tool_result', tool_use_id: 't1', content: 'x' };
const CACHED = { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } };

describe('the fixture refuses what the vendor refuses', () => {
  const tool = (input_schema: unknown, name = 'n') => ({ tools: [{ name, description: 'd', input_schema }] });
  test.each<readonly [string, Record<string, unknown>, number, string, string]>([
    ['no max_tokens', { max_tokens: undefined }, 400, 'invalid_request_error', 'max_tokens: Field required'],
    ['an unknown model', { model: 'claude-b' }, 404, 'not_found_error', 'model: claude-b'],
    ['sampling parameters', { temperature: 1 }, 400, 'invalid_request_error', 'temperature'],
    ['no messages', { messages: [] }, 400, 'invalid_request_error', 'at least one message'],
    [
      'an assistant first',
      { messages: [CALL, { role: 'user', content: [RESULT] }] },
      400,
      'invalid_request_error',
      'first message must use the "user" role',
    ],
    [
      'an empty text',
      { messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
      400,
      'invalid_request_error',
      'text content blocks must be non-empty',
    ],
    [
      'an empty system text',
      { system: [{ type: 'text', text: '' }] },
      400,
      'invalid_request_error',
      'text content blocks must be non-empty',
    ],
    [
      'a call without result',
      { messages: [USER, CALL] },
      400,
      'invalid_request_error',
      '`tool_use` ids were found without `tool_result` blocks immediately after: t1',
    ],
    [
      'a call answered too late',
      { messages: [USER, CALL, USER] },
      400,
      'invalid_request_error',
      'immediately after: t1',
    ],
    [
      'a result after other content',
      { messages: [USER, CALL, { role: 'user', content: [{ type: 'text', text: 'x' }, RESULT] }] },
      400,
      'invalid_request_error',
      'immediately after: t1',
    ],
    [
      'a result without call',
      { messages: [{ role: 'user', content: [RESULT] }] },
      400,
      'invalid_request_error',
      'unexpected `tool_use_id` found in `tool_result` blocks: t1',
    ],
    [
      'a second result',
      { messages: [USER, CALL, { role: 'user', content: [RESULT, RESULT] }] },
      400,
      'invalid_request_error',
      'multiple `tool_result` blocks',
    ],
    [
      'an id used twice',
      { messages: [USER, CALL, { role: 'user', content: [RESULT] }, CALL, { role: 'user', content: [RESULT] }] },
      400,
      'invalid_request_error',
      '`tool_use` ids must be unique',
    ],
    ['a bad tool name', tool({ type: 'object' }, 'a b'), 400, 'invalid_request_error', 'String should match pattern'],
    ['a schema without root type', tool({}), 400, 'invalid_request_error', 'input_schema.type: Field required'],
    [
      'a combinator at the root',
      tool({ type: 'object', anyOf: [] }),
      400,
      'invalid_request_error',
      'oneOf, allOf, or anyOf at the top level',
    ],
    [
      'five cache marks',
      { messages: [{ role: 'user', content: [CACHED, CACHED, CACHED, CACHED, CACHED] }] },
      400,
      'invalid_request_error',
      'A maximum of 4 blocks',
    ],
    [
      'a changed thinking block',
      {
        messages: [
          USER,
          { role: 'assistant', content: [{ type: 'thinking', thinking: 'x', signature: 'forged' }] },
          USER,
        ],
      },
      400,
      'invalid_request_error',
      'Invalid `signature` in `thinking` block',
    ],
    [
      'an assistant last',
      { messages: [USER, { role: 'assistant', content: 'So' }] },
      400,
      'invalid_request_error',
      'does not support assistant message prefill',
    ],
    [
      'trailing blanks',
      { messages: [USER, { role: 'assistant', content: 'So ' }] },
      400,
      'invalid_request_error',
      'cannot end with trailing whitespace',
    ],
    [
      'a long prompt',
      { messages: [{ role: 'user', content: 'word '.repeat(10_000) }] },
      400,
      'invalid_request_error',
      'prompt is too long: ',
    ],
    [
      'a large request',
      { messages: [{ role: 'user', content: 'w'.repeat(200_000) }] },
      413,
      'request_too_large',
      'maximum size',
    ],
  ])('%s', async (_, change, status, type, message) => {
    const answer = await post({ model: 'claude-a', max_tokens: 10, messages: [USER], ...change });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({
      type: 'error',
      error: { type, message: expect.stringContaining(message) },
      request_id: expect.any(String),
    });
  });

  test('missing and wrong keys and versions', async () => {
    expect((await post({}, { 'x-api-key': '' })).status).toBe(401);
    expect((await post({}, { 'x-api-key': 'bad' })).status).toBe(401);
    expect((await post({}, { 'anthropic-version': '' })).status).toBe(400);
    expect((await post({}, { 'anthropic-version': '1999-01-01' })).status).toBe(400);
  });
});

test('the bare SDK works with it: whole answers, its tool runner, models, token counts', async () => {
  const fixture = await startMessagesApi({
    answer: ({ body }) => {
      const asked = JSON.stringify(body);
      return asked.includes('tool_result')
        ? { text: 'Sunny.' }
        : { blocks: [{ type: 'tool_use', name: 'weather', input: { city: 'Bern' } }] };
    },
  });
  const client = new Anthropic({ apiKey: 'sk-secret', baseURL: fixture.url, maxRetries: 0 });
  const final = await client.beta.messages.toolRunner({
    model: 'claude-a',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Weather?' }],
    tools: [
      {
        type: 'custom',
        name: 'weather',
        description: 'w',
        input_schema: { type: 'object' },
        run: () => 'sun',
        parse: (input: unknown) => input,
      },
    ],
  });
  expect(fixture.requests).toHaveLength(2);
  expect(JSON.stringify(fixture.requests)).not.toContain('sk-secret');
  expect(final.content).toMatchObject([{ type: 'text', text: 'Sunny.' }]);
  expect((await client.models.retrieve('claude-a')).id).toBe('claude-a');
  expect((await client.models.list()).data).toHaveLength(1);
  const count = await client.messages.countTokens({
    model: 'claude-a',
    messages: [{ role: 'user', content: 'x'.repeat(400) }],
  });
  expect(count.input_tokens).toBeGreaterThan(100);
  await fixture.close();
});

test('as a program it prints its URL and ends with its standard input', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'messages-api-'));
  const script = join(folder, 'script.json');
  await writeFile(script, JSON.stringify({ turns: [{ text: 'From a file.' }] }));
  const program = new URL('../../fixtures/serve-model.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [program, 'messages-api', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const url = await new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  const answer = await new Anthropic({ apiKey: 'k', baseURL: url }).messages.create({
    model: 'm',
    max_tokens: 1,
    messages: [{ role: 'user', content: 'x' }],
  });
  expect(answer.content).toEqual([{ type: 'text', text: 'From a file.' }]);
  child.stdin.end();
  expect(await exited).toBe(0);
  await rm(folder, { recursive: true });
});

function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const all = {
    'content-type': 'application/json',
    'x-api-key': 'good',
    'anthropic-version': '2026-10-21',
    ...headers,
  };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  return fetch(`${server.url}/v1/messages`, { method: 'POST', headers: sent, body: JSON.stringify(body) });
}
