import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { AskEvent } from '../../../src-main/headless/event-json.ts';
import { askRig, ofType } from '../../fixtures/ask.ts';
import { needPosix } from '../../fixtures/machine-needs.ts';
import { STDIO_SERVER } from '../../fixtures/mcp/connections.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';

const EVERYTHING = import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js').slice(7);
const ASKING = new URL('../../fixtures/mcp/asking-server.mjs', import.meta.url).pathname;
const server = (file: string) => ({ command: process.execPath, args: [file] });

const resultOf = (events: readonly AskEvent[]) => ofType(events, 'tool_result')[0]?.text ?? '';
const askedOf = (events: readonly AskEvent[]) =>
  ofType(events, 'notice').filter(({ code }) => code === 'server_request').length;

const field = (more: object) => ({
  method: 'elicitation/create',
  params: {
    message: 'Who?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string', ...more } }, required: ['name'] },
  },
});

test('`ask` answers forms by their defaults with `--approve all`, and declines them with less', async () => {
  const rig = askRig({ config: { mcpServers: { asking: { ...server(ASKING), classes: { ask: 'read' } } } } });
  const ask = async (approve: string, question: object) =>
    (await rig.events(['--approve', approve, `/asking__ask ${JSON.stringify(question)}`])).events;
  const accepted = await ask('all', field({ default: 'Ada' }));
  expect(JSON.parse(resultOf(accepted))).toEqual({ result: { action: 'accept', content: { name: 'Ada' } } });
  expect(askedOf(accepted)).toBe(1);
  expect(JSON.parse(resultOf(await ask('all', field({}))))).toEqual({ result: { action: 'cancel' } });
  for (const approve of ['none', 'reads'])
    expect(JSON.parse(resultOf(await ask(approve, field({ default: 'Ada' }))))).toEqual({
      result: { action: 'decline' },
    });
});

test('the built `ask` checks forms itself, and shows a result that does not match its schema: the SDK’s validator is left out', async () => {
  const servers = { asking: { ...server(ASKING), classes: { ask: 'read' } }, fixture: server(STDIO_SERVER) };
  const rig = askRig({ config: { mcpServers: servers } });
  const call = async (line: string) => (await rig.events(['--approve', 'all', line])).events;
  const tooLong = await call(`/asking__ask ${JSON.stringify(field({ default: 'Ada', maxLength: 2 }))}`);
  expect(JSON.parse(resultOf(tooLong))).toEqual({ result: { action: 'cancel' } });
  const mismatching = await call('/fixture__parts {}');
  expect(ofType(mismatching, 'tool_result')).toMatchObject([
    { text: expect.stringContaining('the note'), isError: false },
  ]);
});

test('`ask` opens addresses for servers with `--sign-in` only', async (context) => {
  needPosix(context);
  const rig = askRig({ config: { mcpServers: { asking: server(ASKING) } } });
  const folder = mkdtempSync(join(tmpdir(), 'browser-'));
  const log = join(folder, 'opened');
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho "$1 $ANTHROPIC_API_KEY" > '${log}'\n`);
    chmodSync(join(folder, name), 0o755);
  }
  // Nothing is opened unless there is a display.
  const env = { PATH: `${folder}:${process.env.PATH}`, DISPLAY: ':0', ANTHROPIC_API_KEY: 'sk-ant-fixture' };
  const url = 'https://login.example.org/a?b=c&d';
  const question = {
    method: 'elicitation/create',
    params: { mode: 'url', message: 'Sign in', url, elicitationId: '1' },
  };
  const ask = (...flags: string[]) =>
    rig.events(['--approve', 'all', ...flags, `/asking__ask ${JSON.stringify(question)}`], { env });
  expect(resultOf((await ask()).events)).toContain('"decline"');
  expect(existsSync(log)).toBe(false);
  const opened = await ask('--sign-in');
  expect(resultOf(opened.events)).toContain('"accept"');
  expect(opened.stderr).toContain(url);
  await expect.poll(() => existsSync(log) && readFileSync(log, 'utf8')).toBe(`${url} \n`);
});

test('a server asks the model with nothing but its own text, and the turn of its call pays', async () => {
  const api = await startMessagesApi({ turns: [{ text: 'The model’s answer.' }] });
  onTestFinished(() => api.close());
  const rig = askRig({
    api: api.url,
    config: { mcpServers: { everything: { ...server(EVERYTHING), classes: { 'trigger-sampling-request': 'read' } } } },
  });
  const line = '/everything__trigger-sampling-request {"prompt":"What is new?","maxTokens":50}';
  const { events } = await rig.events(['--approve', 'all', line]);
  expect(resultOf(events)).toContain('The model’s answer.');
  expect(ofType(events, 'usage')).toHaveLength(1);
  expect(askedOf(events)).toBe(1);
  expect(api.requests).toHaveLength(1);
  const body = api.requests[0]?.body;
  expect(body).toMatchObject({ max_tokens: 50 });
  expect(JSON.stringify(body)).toContain('You are a helpful test server.');
  // The request contains neither the line that the user wrote nor any tool of Steward's.
  expect(JSON.stringify(body)).not.toContain('/everything__');
  expect(body).not.toHaveProperty('tools');

  const refused = await rig.events(['--approve', 'reads', line]);
  expect(resultOf(refused.events)).not.toContain('The model’s answer.');
  expect(api.requests).toHaveLength(1);
});

test('`ask` tells servers on this machine its workspace', async () => {
  const rig = askRig({ config: { mcpServers: { everything: server(EVERYTHING) } } });
  const { events } = await rig.events(['--approve', 'all', '/everything__get-roots-list {}']);
  expect(resultOf(events)).toContain(pathToFileURL(rig.workspace).href);
});
