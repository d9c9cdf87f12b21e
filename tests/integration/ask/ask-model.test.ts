import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { UnconfirmedProviderError } from '../../../src-main/models/registry.ts';
import { type AskRigOptions, askRig, eventsOf, ofType, writeConfig } from '../../fixtures/ask.ts';
import { type AnswerFunction, type MessagesApi, startMessagesApi } from '../../fixtures/messages-api/server.ts';
import type { ServiceRequest } from '../../fixtures/scripted-service.ts';

const Body = z.object({ tools: z.array(z.object({ name: z.string() })).default([]), messages: z.unknown() });
const MODEL = 'claude-sonnet-4-5';
const apis: MessagesApi[] = [];
afterEach(async () => {
  await Promise.all(apis.splice(0).map((api) => api.close()));
});

/** A Messages API for each provider; `main` answers the user. */
async function rig(answers: Readonly<Record<string, AnswerFunction>>, more: AskRigOptions = {}) {
  const started: Record<string, MessagesApi> = {};
  for (const [name, answer] of Object.entries(answers)) {
    const api = await startMessagesApi({ answer });
    apis.push(api);
    started[name] = api;
  }
  const providers = Object.fromEntries(
    Object.entries(started).map(([name, { url }]) => [name, { type: 'anthropic', model: MODEL, baseUrl: url }]),
  );
  const config = { model: `main:${MODEL}`, providers, ...more.config };
  const ask = askRig({ ...more, config, api: 'http://127.0.0.1:9' });
  const toolsOf = (name: string) =>
    (started[name]?.requests ?? []).map(({ body }) =>
      Body.parse(body)
        .tools.map((tool) => tool.name)
        .filter((tool) => tool.startsWith('ask_')),
    );
  return { ask, apis: started, toolsOf };
}

const messagesOf = (request: ServiceRequest | undefined) => JSON.stringify(Body.parse(request?.body).messages);
const say = (text: string) => () => ({ text });
const use = (name: string, input: unknown) => ({ blocks: [{ type: 'tool_use', name, input }] }) as const;
const all = ['--approve', 'all'];

test('every provider but the one that answers is offered; another one in use changes that before its first request', async () => {
  const { ask, toolsOf } = await rig({ main: say('a'), second: say('b'), third: say('c') });
  expect(await ask.run([...all, 'hello'])).toMatchObject({ code: 0, stdout: 'a\n' });
  expect((await ask.run(['/tools'])).stdout).not.toContain('ask_main ');
  await ask.run(['/provider use second']);
  expect(await ask.run(['hello'])).toMatchObject({ code: 0, stdout: 'b\n' });
  expect([...toolsOf('main'), ...toolsOf('second')]).toEqual([
    ['ask_second', 'ask_third', 'ask_anthropic'],
    ['ask_main', 'ask_third', 'ask_anthropic'],
  ]);
  const listed = (await ask.run(['/tools'])).stdout;
  expect(['ask_main ', 'ask_second ', 'ask_third '].map((name) => listed.includes(name))).toEqual([true, false, true]);
});

test('the answer of a model that used tools: events say what was inside, the terminal indents it, undo and export know it', async () => {
  const { ask, apis } = await rig({
    main: (_request, index) =>
      index % 2 === 0 ? use('ask_flash', { prompt: 'Note the time. '.repeat(6).trim() }) : { text: 'It is noted.' },
    flash: (_request, index) =>
      [
        use('write_file', { file_path: 'note.txt', content: 'twelve' }),
        use('get_time', {}),
        { text: 'Noted: **twelve**.' },
      ][index % 3] ?? { text: '' },
  });
  const { code, events } = await ask.events([...all, 'note the time']);
  expect(code).toBe(0);
  const [outer, write, time] = ofType(events, 'tool_call');
  expect([outer?.name, write?.name, time?.name]).toEqual(['ask_flash', 'write_file', 'get_time']);
  expect([outer?.inside, write?.inside, time?.inside]).toEqual([undefined, outer?.id, outer?.id]);
  expect(ofType(events, 'tool_result').find(({ id }) => id === outer?.id)?.text).toBe('Noted: **twelve**.');
  const usage = ofType(events, 'usage');
  expect(usage.map(({ inside }) => inside)).toEqual([undefined, outer?.id, outer?.id, outer?.id, undefined]);
  expect(usage.filter(({ inside, provider }) => inside !== undefined && provider === 'flash')).toHaveLength(3);
  // The model that answers was given the answer, and nothing of what led to it.
  const [, second] = apis.main?.requests ?? [];
  expect(messagesOf(second)).toContain('Noted: **twelve**.');
  expect(messagesOf(second)).not.toContain('write_file');
  expect(apis.flash?.requests[0]?.body).toMatchObject({ max_tokens: 1_024, messages: [{ role: 'user' }] });
  expect(apis.flash?.requests[0]?.body).not.toHaveProperty('system');

  const note = join(ask.workspace, 'note.txt');
  expect(readFileSync(note, 'utf8')).toBe('twelve');
  expect(await ask.run([...all, '--conversation', 'last', '/undo'])).toMatchObject({ code: 0 });
  expect(existsSync(note)).toBe(false);
  const exported = (await ask.run(['--conversation', 'last', '/export markdown'])).stdout;
  expect(exported).toMatch(/^\*\*Tool call\*\* `ask_flash`[\s\S]*^> \*\*Tool call\*\* `get_time`[\s\S]*^Noted/m);

  const { stderr, stdout } = await ask.run([...all, 'note the time']);
  expect(stdout).toBe('It is noted.\n');
  const lines = stderr.split('\n');
  const at = lines.findIndex((line) => line.startsWith('ask_flash('));
  expect(lines.slice(at, at + 6)).toEqual([
    'ask_flash(prompt="Note the time. Note the time. Note the time. Note the tim...")',
    expect.stringMatching(/^ {2}write_file\(\{"file_path":"note\.txt","content":"twelve"\}\)$/),
    expect.stringMatching(/^ {4}\S/),
    '  get_time({})',
    expect.stringMatching(/^ {4}\d/),
    '  Noted: **twelve**.',
  ]);
});

test('the user can ask by name; a missing key and a service that is not there are errors of that call only', async () => {
  const { ask } = await rig({ main: say('a'), flash: say('From flash.') }, { config: { model: 'guide' } });
  expect(await ask.run([...all, '/ask_flash {"prompt":"Well?"}'])).toMatchObject({ code: 0, stdout: 'From flash.\n' });
  const none = { env: { ANTHROPIC_API_KEY: '' } };
  expect((await ask.run([...all, '/ask_flash {"prompt":"Well?"}'], none)).stdout).toBe(
    'Error: Failed to connect to provider: flash\n',
  );
  expect((await ask.run([...all, '/ask_flash {"prompt":"Well?"}'])).stdout).toBe('From flash.\n');
});

test('a terminal shows denied calls and tokens without a price, and a blank prompt is refused', async () => {
  const { ask } = await rig({
    main: (_request, index) => (index === 0 ? use('ask_flash', { prompt: 'p' }) : { text: 'Done.' }),
    flash: (_request, index) =>
      index === 0 ? use('write_file', { file_path: 'a.txt', content: 'a' }) : { text: 'No.' },
  });
  // Confirms the addresses.
  await ask.run([...all, '/provider list']);
  const { providers } = JSON.parse(readFileSync(join(ask.profile, 'config.json'), 'utf8'));
  const flash = { ...providers.flash, model: 'nobody-knows-its-price' };
  writeConfig(ask, { model: `main:${MODEL}`, providers: { ...providers, flash } });
  const { stderr } = await ask.run(['--approve', 'reads', 'go']);
  const lines = stderr.split('\n');
  const at = lines.findIndex((line) => line.startsWith('  write_file('));
  expect(lines[at + 1]).toMatch(/^ {4}not allowed \(flag\)/);
  expect(stderr).toMatch(/tokens, at least \$0\.\d+/);
  expect((await ask.run([...all, '/ask_flash {"prompt":" \\n "}'])).stdout).toBe(
    'Error: prompt parameter is required\n',
  );
});

test('a provider whose address is not confirmed is named as that, in every place that chooses one', async () => {
  const { ask } = await rig({ main: say('a') }, { config: { model: 'guide' } });
  const { message } = new UnconfirmedProviderError('main');
  for (const args of [['--model', 'MAIN:', 'hi'], ['/provider use main']]) {
    const { code, stderr } = await ask.run(args);
    expect([code, stderr.trim().split('\n').at(-1)]).toEqual([2, expect.stringContaining(message)]);
  }
  expect(await ask.run([...all, '--model', 'main:', 'hi'])).toMatchObject({ code: 0, stdout: 'a\n' });
});

test('a process killed inside a call leaves a conversation that goes on', async () => {
  const { ask, apis } = await rig({
    main: (_request, index) => (index === 0 ? use('ask_flash', { prompt: 'p' }) : { text: 'Going on.' }),
    flash: () => use('bash', { command: 'sleep 60' }),
  });
  const child = await ask.start(['--json', ...all, 'begin']);
  child.stdin.end();
  const closed = new Promise((resolve) => child.once('close', resolve));
  const seen: string[] = [];
  for await (const event of eventsOf(child)) {
    seen.push(event.type === 'tool_call' ? event.name : event.type);
    if (seen.includes('bash') && event.type === 'decision' && seen.filter((each) => each === 'decision').length === 2) {
      child.kill('SIGKILL');
      break;
    }
  }
  await closed;
  expect(await ask.run([...all, '--conversation', 'last', 'go on'])).toMatchObject({ code: 0, stdout: 'Going on.\n' });
  const messages = messagesOf(apis.main?.requests.at(-1));
  expect(messages).toContain('interrupted before it returned');
  expect(messages).not.toContain('sleep 60');
});
