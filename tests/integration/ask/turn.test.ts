import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { builtOutput } from '../../../scripts/built-output.mjs';
import { MAX_LEVELS } from '../../../src-main/base/bounded-json.ts';
import { GREETING } from '../../../src-main/models/guide/texts.ts';
import { type AskRigOptions, askRig, ofType } from '../../fixtures/ask.ts';
import { docxWith, paragraph } from '../../fixtures/docx.ts';
import { type MessagesApi, type MessagesApiOptions, startMessagesApi } from '../../fixtures/messages-api/server.ts';

let api: MessagesApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

async function withApi(options: MessagesApiOptions, rig: AskRigOptions = {}) {
  api = await startMessagesApi(options);
  return { api, ask: askRig({ ...rig, api: api.url }) };
}

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const call = (id: string, name: string, input: unknown) => ({ type: 'tool_use', id, name, input }) as const;

test('a newcomer without a key gets a true answer from the Guide, and is told that it is not an AI', async () => {
  const ask = askRig({ files: { 'README.md': 'hello', 'b.txt': '' } });
  const listed = await ask.run(['list the files here']);
  expect(listed).toMatchObject({ code: 0 });
  expect(listed.stdout).toContain('README.md\nb.txt');
  expect((await ask.run(['hello'])).stdout).toContain(GREETING);
});

test('the built product reads a Word document, in the thread that is built for it', async () => {
  const ask = askRig();
  writeFileSync(join(ask.workspace, 'letter.docx'), docxWith(paragraph('Dear all') + paragraph('Bye')));
  const read = await ask.run(['/read_file {"path": "letter.docx"}']);
  expect(read).toMatchObject({ code: 0, stdout: 'Dear all\nBye\n' });
});

test('the built product searches and keeps a copy of each day, and says where a copy could not be made', async () => {
  const ask = askRig();
  expect((await ask.run(['hello from the harbour'])).code).toBe(0);
  const [copy = '', ...more] = readdirSync(join(ask.profile, 'backups'));
  expect(more).toEqual([]);
  expect((await ask.run(['/search harbour'])).stdout).toContain('hello from the harbour');
  expect((await ask.run(['/data'])).stdout).toContain(copy);
  expect((await ask.run(['/data log'])).stdout).toMatch(
    /logs\/steward\.log\n.*logs\/servers\nNothing was logged yet\./,
  );
  expect((await ask.run([`/data restore ${copy}`])).code).toBe(0);

  const other = askRig();
  await other.run(['/help']);
  rmSync(join(other.profile, 'locks', 'copies.lock'), { force: true });
  mkdirSync(join(other.profile, 'locks', 'copies.lock'));
  const { code, events, stderr } = await other.events(['hello']);
  expect({ code, last: events.at(-1)?.type }).toEqual({ code: 0, last: 'done' });
  expect(stderr).toContain(other.profile);
});

test('an unknown model, and a working folder that was deleted, are reported and exit with 2', async () => {
  const ask = askRig();
  const unknown = await ask.events(['--model', 'nope:x', 'hi']);
  expect(unknown).toMatchObject({ code: 2, events: [{ type: 'error', code: 'model_choice' }, { type: 'done' }] });
  const entry = join(await builtOutput(), 'ask.js');
  const script = `rmdir "$PWD" && exec "$1" "$2" --profile "$3" --json hi`;
  const gone = mkdtempSync(join(tmpdir(), 'steward-gone-'));
  const { status, stdout } = spawnSync('sh', ['-c', script, 'sh', process.execPath, entry, ask.profile], {
    cwd: gone,
    encoding: 'utf8',
  });
  expect({ status, first: JSON.parse(stdout.split('\n')[0] ?? '') }).toEqual({
    status: 2,
    first: { type: 'error', code: 'workspace', message: expect.stringContaining('no longer exists') },
  });
});

test('a turn with Claude: text is streamed, tools run in one go, results go back in the order of the calls', async () => {
  const { ask, api } = await withApi(
    {
      turns: [
        {
          text: 'Let me look.',
          blocks: [call('a', 'read_file', { path: 'a.txt' }), call('b', 'READ_FILE', { file_path: 'b.txt' })],
        },
        { text: 'They differ: A and B. 日本語 👩‍👩‍👧', bytesPerWrite: 1 },
      ],
    },
    { files: { 'a.txt': 'A', 'b.txt': 'B' } },
  );
  const { code, events } = await ask.events(['--model', 'claude-sonnet-4-5', 'compare']);
  expect(code).toBe(0);
  expect(events[0]).toMatchObject({ type: 'start', model: 'claude-sonnet-4-5' });
  expect(events.at(-1)).toEqual({ type: 'done', stopReason: 'end_turn' });
  const text = ofType(events, 'text').map((event) => event.text);
  expect(text.join('')).toBe('Let me look.They differ: A and B. 日本語 👩‍👩‍👧');
  expect(ofType(events, 'tool_call').map(({ id, name }) => `${id} ${name}`)).toEqual(['a read_file', 'b read_file']);
  expect(ofType(events, 'decision').map(({ answer, by }) => `${answer} ${by}`)).toEqual([
    'allow default',
    'allow default',
  ]);
  expect(ofType(events, 'usage')).toHaveLength(2);
  expect(ofType(events, 'usage')[0]).toMatchObject({
    model: 'claude-sonnet-4-5',
    input: 10,
    output: 5,
    cacheRead: 0,
    cacheWrite: 0,
  });
  const second = api.requests[1]?.body as { messages: { content: unknown }[] };
  expect(second.messages[2]?.content).toMatchObject([
    { type: 'tool_result', tool_use_id: 'a', content: 'A' },
    { type: 'tool_result', tool_use_id: 'b', content: 'B' },
  ]);
});

test('the conversation continues: the next process sends all earlier messages', async () => {
  const { ask, api } = await withApi(
    {
      turns: [
        { blocks: [{ type: 'thinking', thinking: 'hm' }, call('a', 'read_file', { path: 'a.txt' })] },
        { text: 'first answer' },
        { text: 'second answer' },
      ],
    },
    { files: { 'a.txt': 'A' } },
  );
  const first = await ask.events(['--model', 'claude-sonnet-4-5', 'one']);
  const second = await ask.events(['--model', 'claude-sonnet-4-5', '--conversation', 'last', 'two']);
  expect(second.events[0]).toEqual(first.events[0]);
  const body = api.requests[2]?.body as { messages: { role: string }[] };
  expect(body.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
  expect(JSON.stringify(body.messages)).toContain('first answer');
  const unknown = await ask.run(['--conversation', 'no-such', 'two']);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('no-such');
});

describe('calls that would ask', () => {
  const write = {
    turns: [{ blocks: [call('w', 'write_file', { file_path: 'new.txt', content: 'x' })] }, { text: 'done' }],
  };

  test.each([
    [[], 'default', 'nobody_asked'],
    [['--approve', 'none'], 'flag', 'flag_denies'],
    [['--approve', 'reads'], 'flag', 'flag_denies'],
  ])(
    'a write is denied with %j and no terminal, the model is told, and nothing is written',
    async (flags, by, reasonCode) => {
      const { ask, api } = await withApi(write);
      const { code, events } = await ask.events([...flags, '--model', 'claude-sonnet-4-5', 'write it']);
      expect(code).toBe(0);
      expect(ofType(events, 'decision')).toMatchObject([{ id: 'w', answer: 'deny', by, reasonCode }]);
      const [result] = ofType(events, 'tool_result');
      expect(result).toMatchObject({ id: 'w', outcome: 'declined' });
      expect(existsSync(join(ask.workspace, 'new.txt'))).toBe(false);
      const second = api.requests[1]?.body as { messages: { content: unknown[] }[] };
      const told = { type: 'tool_result', tool_use_id: 'w', is_error: true, content: result?.text };
      expect(second.messages.at(-1)?.content).toMatchObject([told]);
    },
  );

  test('a write is made with --approve all', async () => {
    const { ask } = await withApi(write);
    const { events } = await ask.events(['--approve', 'all', '--model', 'claude-sonnet-4-5', 'write it']);
    expect(ofType(events, 'decision')).toMatchObject([{ answer: 'allow', by: 'flag' }]);
    expect(ofType(events, 'tool_result')).toMatchObject([{ text: 'OK', isError: false }]);
    expect(readFileSync(join(ask.workspace, 'new.txt'), 'utf8')).toBe('x');
  });

  test('outside the workspace nothing is allowed, not even with --approve all', async () => {
    const { ask } = await withApi({
      turns: [{ blocks: [call('r', 'read_file', { file_path: '/etc/passwd' })] }, { text: 'no' }],
    });
    const { events } = await ask.events(['--approve', 'all', '--model', 'claude-sonnet-4-5', 'read it']);
    expect(ofType(events, 'decision')).toMatchObject([
      { answer: 'deny', by: 'default', reasonCode: 'outside_roots', grantableFolder: '/etc' },
    ]);
    const [result] = ofType(events, 'tool_result');
    expect(result).toMatchObject({ outcome: 'declined', isError: true });
    expect(result?.text).toContain(ask.workspace);
  });
});

describe('a model that misbehaves', () => {
  test('invalid JSON, an unknown tool, a missing parameter: each gets one decision and a readable error', async () => {
    const { ask } = await withApi({
      turns: [
        {
          blocks: [
            { type: 'tool_use', id: 'j', name: 'read_file', rawInput: '{"file_path": ' },
            call('u', 'no_such_tool', {}),
            call('m', 'read_file', {}),
            call('n', 'read_file', { file_path: 'a\0b' }),
            { type: 'tool_use', id: 'd', name: 'serialize_json', rawInput: `{"data":${nested(5_000)}}` },
            call('t', 'todo_write', { todos: nested(5_000) }),
          ],
        },
        { text: 'sorry' },
      ],
    });
    const { code, events } = await ask.events(['--model', 'claude-sonnet-4-5', 'go']);
    expect(code).toBe(0);
    const results = Object.fromEntries(ofType(events, 'tool_result').map(({ id, text }) => [id, text]));
    expect(results).toEqual({
      j: expect.stringMatching(/^Error: ./),
      u: expect.stringContaining('no_such_tool'),
      m: expect.stringContaining('file_path'),
      n: expect.stringContaining('NUL'),
      d: expect.stringContaining(`${MAX_LEVELS} levels`),
      t: expect.stringContaining('todos'),
    });
    expect(ofType(events, 'tool_result').map(({ outcome }) => outcome)).toEqual(Array(6).fill('failed'));
    expect(
      ofType(events, 'decision')
        .map(({ id, answer, reasonCode }) => `${id} ${answer}: ${reasonCode}`)
        .sort(),
    ).toEqual([
      'd deny: invalid_json',
      'j deny: invalid_json',
      'm deny: invalid_input',
      'n deny: impossible',
      't deny: invalid_input',
      'u deny: unknown_tool',
    ]);
  });

  test('invalid tool input typed by a user is rejected like that of a model, and the conversation continues', async () => {
    const ask = askRig({ files: { 'a.txt': 'there' } });
    for (const levels of [MAX_LEVELS + 1, 5_000, 40_000]) {
      const run = await ask.run(['-'], { stdin: `/serialize_json {"data":${nested(levels - 1)}}` });
      expect(run).toMatchObject({ code: 0 });
      expect(run.stdout).toContain(`${MAX_LEVELS} levels`);
    }
    const next = await ask.run(['--conversation', 'last', '/read_file {"path": "a.txt"}']);
    expect(next).toMatchObject({ code: 0, stdout: 'there\n' });
  });

  test('500 calls in one message are all answered, in order', async () => {
    const blocks = Array.from({ length: 500 }, (_, index) => call(`c${index}`, 'read_file', { path: 'a.txt' }));
    const { ask, api } = await withApi({ turns: [{ blocks }, { text: 'done' }] }, { files: { 'a.txt': 'A' } });
    const { code, events } = await ask.events(['--model', 'claude-sonnet-4-5', 'go']);
    expect(code).toBe(0);
    expect(ofType(events, 'tool_result')).toHaveLength(500);
    const body = api.requests[1]?.body as { messages: { content: { tool_use_id: string }[] }[] };
    expect(body.messages[2]?.content.map((block) => block.tool_use_id)).toEqual(blocks.map((block) => block.id));
  });

  test('repeated and unusable call ids do not break the conversation', async () => {
    const again = call('same', 'get_date', {});
    const { ask } = await withApi({ turns: [{ blocks: [again] }, { blocks: [again] }, { text: 'done' }] });
    const { code, events } = await ask.events(['--model', 'claude-sonnet-4-5', 'go']);
    expect(code).toBe(0);
    expect(new Set(ofType(events, 'tool_result').map(({ id }) => id)).size).toBe(2);
  });

  test('a model that never stops calling tools is stopped at the round limit, and the next message continues', async () => {
    const { ask, api } = await withApi(
      { answer: (_, index) => (index < 3 ? { blocks: [call(`c${index}`, 'get_date', {})] } : { text: 'enough' }) },
      { config: { limits: { rounds: 3 } } },
    );
    const { code, events } = await ask.events(['--model', 'claude-sonnet-4-5', 'go']);
    expect(code).toBe(1);
    expect(api.requests).toHaveLength(3);
    expect(ofType(events, 'notice').at(-1)).toMatchObject({ code: 'round_limit' });
    expect(events.at(-1)).toEqual({ type: 'done', stopReason: 'round_limit' });
    expect(await ask.events(['--model', 'claude-sonnet-4-5', '--conversation', 'last', 'go on'])).toMatchObject({
      code: 0,
    });
  });
});

describe('stop reasons', () => {
  // After an overflow the older part is summarised first, which is a request of its own.
  test.each([
    ['max_tokens', 'max_tokens', 'max_tokens'],
    ['refusal', 'refusal', 'refusal'],
    ['model_context_window_exceeded', 'context_window_exceeded', 'context_window_exceeded'],
    ['stop_sequence', 'stop_sequence', undefined],
  ])('%s ends the turn with a notice', async (stopReason, ends, notice) => {
    const { ask } = await withApi({ turns: [{ text: 'part', stopReason }, { text: 'next' }], afterLast: 'repeat' });
    const { code, events } = await ask.events(['--model', 'claude-sonnet-4-5', 'go']);
    expect(code).toBe(0);
    expect(events.at(-1)).toEqual({ type: 'done', stopReason: ends });
    if (notice !== undefined) expect(ofType(events, 'notice').map((event) => event.code)).toContain(notice);
    expect(await ask.events(['--model', 'claude-sonnet-4-5', '--conversation', 'last', 'and now?'])).toMatchObject({
      code: 0,
    });
  });

  test('pause_turn continues automatically', async () => {
    const { ask, api } = await withApi({
      turns: [{ text: 'one ', stopReason: 'pause_turn' }, { text: 'two' }],
      allowPrefill: true,
    });
    const { events } = await ask.events(['--model', 'claude-sonnet-4-5', 'go']);
    expect(
      ofType(events, 'text')
        .map((event) => event.text)
        .join(''),
    ).toBe('one two');
    expect(api.requests).toHaveLength(2);
  });

  test('a refused turn is not sent again', async () => {
    const { ask, api } = await withApi({ turns: [{ text: 'I can', stopReason: 'refusal' }, { text: 'fine' }] });
    await ask.events(['--model', 'claude-sonnet-4-5', 'something refused']);
    await ask.events(['--model', 'claude-sonnet-4-5', '--conversation', 'last', 'something else']);
    expect(JSON.stringify(api.requests[1]?.body)).not.toContain('something refused');
  });
});

describe('errors of the service', () => {
  test.each([
    ['a wrong key', 401, undefined, 'wrong_key'],
    ['no permission', 403, undefined, 'no_permission'],
    ['an unknown model', 404, undefined, 'unknown_model'],
    ['a request that is too large', 413, undefined, 'request_too_large'],
    ['no credit', 400, 'Your credit balance is too low to access the Anthropic API.', 'no_credit'],
    ['a prompt that is too long', 400, 'prompt is too long: 210000 tokens > 200000 maximum', 'context_too_long'],
    ['any other refusal', 400, 'messages: nonsense', 'bad_request'],
  ])('%s: said once, exit 1, and the message can be tried again', async (_, status, message, code) => {
    const { ask, api } = await withApi({ turns: [{ error: { status, message } }, { text: 'now it works' }] });
    const failed = await ask.events(['--model', 'claude-sonnet-4-5', 'my message']);
    expect(failed.code).toBe(1);
    expect(ofType(failed.events, 'error')).toMatchObject([{ code }]);
    expect(failed.events.at(-1)).toEqual({ type: 'done', stopReason: 'error' });
    expect(failed.stdout + failed.stderr).not.toContain('sk-ant-api03-fixture');
    const retried = await ask.events(['--model', 'claude-sonnet-4-5', '/retry']);
    expect(retried.code).toBe(0);
    expect(
      ofType(retried.events, 'text')
        .map((event) => event.text)
        .join(''),
    ).toBe('now it works');
    expect(JSON.stringify(api.requests.at(-1)?.body)).toContain('my message');
  });

  test('overload is tried again, visibly', async () => {
    const { ask } = await withApi({
      turns: [
        { error: { status: 529, headers: { 'retry-after': '0' } } },
        { error: { status: 500, headers: { 'retry-after': '0' } } },
        { text: 'back' },
      ],
    });
    const { code, events } = await ask.events(['--model', 'claude-sonnet-4-5', 'go']);
    expect(code).toBe(0);
    expect(ofType(events, 'notice').map(({ code, message }) => [code, message])).toEqual([
      ['retrying', 'The service is overloaded. Retrying 1 of 4…'],
      ['retrying', 'The service failed (HTTP 500). Retrying 2 of 4…'],
    ]);
  });

  test('a stream that breaks off keeps what arrived, and the next turn works', async () => {
    const { ask, api } = await withApi({
      turns: [
        { text: 'This much arrived before the line went dead, and more was to come.', dropAfterEvents: 4 },
        { text: 'next' },
      ],
    });
    const { code, events } = await ask.events(['--model', 'claude-sonnet-4-5', 'go']);
    expect(code).toBe(1);
    expect(ofType(events, 'error')).toMatchObject([{ code: 'stream_broken' }]);
    const shown = ofType(events, 'text')
      .map((event) => event.text)
      .join('');
    expect(shown).not.toBe('');
    expect(await ask.events(['--model', 'claude-sonnet-4-5', '--conversation', 'last', 'go on'])).toMatchObject({
      code: 0,
    });
    expect(JSON.stringify(api.requests[1]?.body)).toContain(JSON.stringify(shown).slice(1, -1));
  });

  test('a stream that breaks off after a call leaves a conversation that the service accepts', async () => {
    const { ask } = await withApi({
      turns: [
        { blocks: [call('a', 'get_date', {}), { type: 'text', text: 'and then' }], dropAfterEvents: 7 },
        { text: 'next' },
      ],
    });
    expect((await ask.events(['--model', 'claude-sonnet-4-5', 'go'])).code).toBe(1);
    expect(await ask.events(['--model', 'claude-sonnet-4-5', '--conversation', 'last', 'go on'])).toMatchObject({
      code: 0,
    });
  });

  test('a refused connection is an error that names the host', async () => {
    const closed = await startMessagesApi();
    await closed.close();
    const ask = askRig({ api: closed.url });
    const { code, events } = await ask.events(['--model', 'claude-sonnet-4-5', 'go'], { env: { STEWARD_TEST: '1' } });
    expect(code).toBe(1);
    expect(ofType(events, 'error')[0]).toMatchObject({
      code: 'offline',
      message: expect.stringContaining('127.0.0.1'),
    });
  }, 60_000);

  test('without a key the error says how to add one', async () => {
    const { code, events } = await askRig().events(['--model', 'claude-sonnet-4-5', 'go']);
    expect(code).toBe(1);
    expect(ofType(events, 'error')[0]).toMatchObject({
      code: 'no_key',
      message: expect.stringContaining('ANTHROPIC_API_KEY'),
    });
  });
});

test('a conversation that outgrows the context window is visibly summarised and continues', async () => {
  const long = 'word '.repeat(30_000);
  const { ask, api } = await withApi({
    answer: ({ body }, index) => {
      const request = JSON.stringify(body);
      if (request.includes('<transcript>')) return { text: 'SUMMARY of what was said.' };
      return {
        text: index < 5 ? long : 'short',
        deltaCharacters: 50_000,
        usage: { input_tokens: Math.ceil(request.length / 4), output_tokens: 40_000 },
      };
    },
  });
  for (let turn = 0; turn < 6; turn += 1) {
    const { code, events } = await ask.events([
      '--model',
      'claude-sonnet-4-5',
      ...(turn === 0 ? [] : ['--conversation', 'last']),
      `message ${turn}`,
    ]);
    expect(code).toBe(0);
    if (ofType(events, 'notice').some((event) => event.code === 'compacted')) {
      expect(JSON.stringify(api.requests.at(-1)?.body)).toContain('SUMMARY of what was said.');
      expect(JSON.stringify(api.requests.at(-1)?.body).length).toBeLessThan(long.length * 3);
      return;
    }
  }
  throw new Error('The conversation was never summarised');
});

test('a prompt that begins with a path is a message; an unknown slash command is refused', async () => {
  const rig = askRig();
  const asked = await rig.events(['/etc/hosts what is this?', '--json']);
  expect(asked.events.map(({ type }) => type)).toContain('text');
  const refused = await rig.run(['--json', '/get_tmie']);
  expect(refused.code).toBe(2);
  const [error] = refused.stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  expect(error).toMatchObject({ type: 'error', code: 'usage', message: expect.stringContaining('/get_time') });
});
