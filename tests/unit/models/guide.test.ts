import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GuideProvider } from '../../../src-main/models/guide/guide-provider.ts';
import type { Message, UserBlock } from '../../../src-main/models/messages.ts';
import type { ModelStreamEvent, ToolDefinition } from '../../../src-main/models/provider.ts';
import type { AssistantBlock } from '../../../src-preload/contract/content-blocks.ts';

const TOOLS = [
  'list_files',
  'read_file',
  'search_code',
  'get_time',
  'get_date',
  'bash',
  'run_command',
  'web_fetch',
  'write_file',
  'append_file',
  'system-info__system_info',
];

describe('plain requests become the right tool call', () => {
  const cases: readonly (readonly [string, string, Record<string, unknown>])[] = [
    ['list the files here', 'list_files', {}],
    ['List files', 'list_files', {}],
    ['LIST THE FILES HERE!', 'list_files', {}],
    ['Could you please list the files here?', 'list_files', {}],
    ['please list all the files in this folder, thanks', 'list_files', {}],
    ['list all files recursively', 'list_files', { recursive: true }],
    ['list the files here recursively', 'list_files', { recursive: true }],
    ['list files in src', 'list_files', { directory: 'src' }],
    ['list the files in the src folder', 'list_files', { directory: 'src' }],
    ['list files in src/utils recursively', 'list_files', { directory: 'src/utils', recursive: true }],
    ['list the files in "my docs"', 'list_files', { directory: 'my docs' }],
    ['list files in src and its subfolders', 'list_files', { directory: 'src', recursive: true }],
    ['list files in ..', 'list_files', { directory: '..' }],
    ['list files in .', 'list_files', {}],
    ['show me the files in src', 'list_files', { directory: 'src' }],
    ['show files', 'list_files', {}],
    ['what files are here?', 'list_files', {}],
    ['what files are in src?', 'list_files', { directory: 'src' }],
    ["what's in this folder?", 'list_files', {}],
    ['what is in the src folder', 'list_files', { directory: 'src' }],
    ['what is in src/', 'list_files', { directory: 'src/' }],
    ['ls', 'list_files', {}],
    ['ls src', 'list_files', { directory: 'src' }],
    ['read README.md', 'read_file', { file_path: 'README.md' }],
    ['Read the file README.md.', 'read_file', { file_path: 'README.md' }],
    ['read file src/a b.txt', 'read_file', { file_path: 'src/a b.txt' }],
    ['read "my notes.txt" please', 'read_file', { file_path: 'my notes.txt' }],
    ['read `docs/x.md`', 'read_file', { file_path: 'docs/x.md' }],
    ['show me README.md', 'read_file', { file_path: 'README.md' }],
    ['open notes.txt', 'read_file', { file_path: 'notes.txt' }],
    ['what is in README.md?', 'read_file', { file_path: 'README.md' }],
    ["What's in package.json?", 'read_file', { file_path: 'package.json' }],
    ['cat /etc/hosts', 'read_file', { file_path: '/etc/hosts' }],
    ['read Makefile', 'read_file', { file_path: 'Makefile' }],
    ['read ../../../etc/passwd', 'read_file', { file_path: '../../../etc/passwd' }],
    ['search for TODO', 'search_code', { query: 'TODO' }],
    ['Search for TODO.', 'search_code', { query: 'TODO' }],
    ['search for "hello world"', 'search_code', { query: 'hello world' }],
    ['search for TODO in src', 'search_code', { query: 'TODO', directory: 'src' }],
    ['search for TODO in the src folder', 'search_code', { query: 'TODO', directory: 'src' }],
    ['search for TODO in *.ts files', 'search_code', { query: 'TODO', pattern: '*.ts' }],
    ['search for TODO in *.{js,ts}', 'search_code', { query: 'TODO', pattern: '*.{js,ts}' }],
    ['search for TODO in src in *.ts files', 'search_code', { query: 'TODO', directory: 'src', pattern: '*.ts' }],
    ['search for TODO in src/*.ts', 'search_code', { query: 'TODO', directory: 'src', pattern: '*.ts' }],
    ['search for TODO in all files', 'search_code', { query: 'TODO' }],
    ['search for foo bar', 'search_code', { query: 'foo bar' }],
    ['search for foo and bar', 'search_code', { query: 'foo and bar' }],
    ['search for hello in the world', 'search_code', { query: 'hello in the world' }],
    ['search src for TODO', 'search_code', { query: 'TODO', directory: 'src' }],
    ['grep needle', 'search_code', { query: 'needle' }],
    ['find the text needle in lib', 'search_code', { query: 'needle', directory: 'lib' }],
    ['look for "in the end" in docs', 'search_code', { query: 'in the end', directory: 'docs' }],
    ['which files contain needle?', 'search_code', { query: 'needle' }],
    ['what time is it', 'get_time', {}],
    ['What time is it?', 'get_time', {}],
    ["what's the time", 'get_time', {}],
    ['time', 'get_time', {}],
    ['what date is it?', 'get_date', {}],
    ["what is today's date", 'get_date', {}],
    ['what day is it today', 'get_date', {}],
    ['date', 'get_date', {}],
    ['run: git status', 'bash', { command: 'git status' }],
    ['Run: echo "a and then b" and then echo c', 'bash', { command: 'echo "a and then b" and then echo c' }],
    ['run `ls -la`', 'bash', { command: 'ls -la' }],
    ['please run `npm test`.', 'bash', { command: 'npm test' }],
    ['execute: echo hello please', 'bash', { command: 'echo hello please' }],
    ['execute uname -a', 'bash', { command: 'uname -a' }],
    ['run the command echo hi', 'bash', { command: 'echo hi' }],
    ['could you run ls?', 'bash', { command: 'ls' }],
    ['run: ls *.t?', 'bash', { command: 'ls *.t?' }],
    ['$ pwd', 'bash', { command: 'pwd' }],
    ['run:\n```sh\ncd src\nls\n```', 'bash', { command: 'cd src\nls' }],
    ['fetch https://example.org', 'web_fetch', { url: 'https://example.org' }],
    ['fetch http://127.0.0.1:8080/a?b=c&d=e#f', 'web_fetch', { url: 'http://127.0.0.1:8080/a?b=c&d=e#f' }],
    ['Fetch the page https://example.org/.', 'web_fetch', { url: 'https://example.org/' }],
    ['open https://example.org', 'web_fetch', { url: 'https://example.org' }],
    ['https://example.org/x', 'web_fetch', { url: 'https://example.org/x' }],
    ['fetch example.org', 'web_fetch', { url: 'https://example.org' }],
    ['system info', 'system-info__system_info', {}],
    ['show me the system information', 'system-info__system_info', {}],
    ['write file notes.txt with: hello there', 'write_file', { file_path: 'notes.txt', content: 'hello there' }],
    ['write a file called notes.txt with hello', 'write_file', { file_path: 'notes.txt', content: 'hello' }],
    ['create a file named a/b.txt with the content "x = 1"', 'write_file', { file_path: 'a/b.txt', content: 'x = 1' }],
    [
      'write file notes.txt with: line 1\nline 2\n\nrun: x',
      'write_file',
      { file_path: 'notes.txt', content: 'line 1\nline 2\n\nrun: x' },
    ],
    [
      'create file notes.txt with:\nline 1\nline 2',
      'write_file',
      { file_path: 'notes.txt', content: 'line 1\nline 2' },
    ],
    [
      'write notes.txt: read a.txt and then stop',
      'write_file',
      { file_path: 'notes.txt', content: 'read a.txt and then stop' },
    ],
    ['write "hello" to notes.txt', 'write_file', { file_path: 'notes.txt', content: 'hello' }],
    ['write hello world to notes.txt', 'write_file', { file_path: 'notes.txt', content: 'hello world' }],
    ['create an empty file named empty.txt', 'write_file', { file_path: 'empty.txt', content: '' }],
    ['create the file C:\\temp\\a.txt with: x', 'write_file', { file_path: 'C:\\temp\\a.txt', content: 'x' }],
    ['append to notes.txt: more', 'append_file', { path: 'notes.txt', content: 'more' }],
    ['append "more" to notes.txt', 'append_file', { path: 'notes.txt', content: 'more' }],
    ['add a line to the file notes', 'append_file', { path: 'notes', content: 'a line' }],
    ['/get_time', 'get_time', {}],
    ['/read_file {"file_path": "a.txt", "limit": 3}', 'read_file', { file_path: 'a.txt', limit: 3 }],
    ['/READ_FILE {"path":"a"}', 'read_file', { path: 'a' }],
    ['/read_file {\n  "file_path": "a.txt"\n}', 'read_file', { file_path: 'a.txt' }],
    ['/system-info__system_info {}', 'system-info__system_info', {}],
  ];
  test.each(cases)('%j', async (asked, name, input) => {
    const { calls, text } = await answerTo([user(asked)]);
    expect({ calls, text }).toEqual({ calls: [{ name, input }], text: '' });
  });
});

describe('several requests in one message become several calls', () => {
  test('"and then" and new lines separate requests, quotes and code do not', async () => {
    const { calls } = await answerTo([
      user(
        'list the files and then read "this and then that.txt", then what time is it\n- search for TODO\n2. run `a; b` and then system info',
      ),
    ]);
    expect(calls).toEqual([
      { name: 'list_files', input: {} },
      { name: 'read_file', input: { file_path: 'this and then that.txt' } },
      { name: 'get_time', input: {} },
      { name: 'search_code', input: { query: 'TODO' } },
      { name: 'bash', input: { command: 'a; b' } },
      { name: 'system-info__system_info', input: {} },
    ]);
  });

  test('explicit tool lines are one message with one call each, in order', async () => {
    const { calls, stopReason, ids } = await answerTo([
      user('/read_file {"file_path":"a"}\n/read_file {"file_path":"b"}\n/get_time {}'),
    ]);
    expect(calls.map((call) => call.input)).toEqual([{ file_path: 'a' }, { file_path: 'b' }, {}]);
    expect(stopReason).toBe('tool_use');
    expect(new Set(ids).size).toBe(3);
  });

  test('a list of files is read one by one, and "and" joins requests that both make sense', async () => {
    expect((await answerTo([user('read a.txt, b/c.md and d.ts')])).calls.map((call) => call.input.file_path)).toEqual([
      'a.txt',
      'b/c.md',
      'd.ts',
    ]);
    expect((await answerTo([user('what time is it and what date is it?')])).calls.map((call) => call.name)).toEqual([
      'get_time',
      'get_date',
    ]);
  });

  test('requests that are not understood are named, and the others are done', async () => {
    const { calls, text } = await answerTo([user('list the files\npaint my house')]);
    expect(calls).toEqual([{ name: 'list_files', input: {} }]);
    expect(text).toContain('"paint my house"');
  });
});

describe('results', () => {
  const history = (...results: readonly [string, string, boolean?][]): Message[] => [
    user('x'),
    { role: 'assistant', content: results.map(([name], i) => ({ type: 'tool_use', id: `t${i}`, name, input: {} })) },
    {
      role: 'user',
      content: results.map(([, content, isError = false], i) => ({
        type: 'tool_result',
        toolUseId: `t${i}`,
        content,
        isError,
      })),
    },
  ];

  test('every result is in the answer verbatim, and the turn ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...TOOLS), fc.string({ unit: 'binary', minLength: 1, maxLength: 3000 })), {
          minLength: 1,
          maxLength: 4,
        }),
        async (results) => {
          const { text, deltas, calls, stopReason } = await answerTo(history(...results));
          for (const [, content] of results) expect(text).toContain(content);
          expect(deltas).toBe(text);
          expect([calls, stopReason]).toEqual([[], 'end_turn']);
        },
      ),
    );
  });

  test('an error is introduced in one line, an empty result kindly', async () => {
    const failed = await answerTo(history(['read_file', "Error reading file: Could not find file 'a'", true]));
    expect(failed.text).toBe("read_file did not work:\nError reading file: Could not find file 'a'");
    const empty = {
      type: 'tool_result',
      toolUseId: 't0',
      content: '(no output)',
      isError: false,
      isEmpty: true,
    } as const;
    const [asked, called] = history(['list_files', '']);
    if (asked === undefined || called === undefined) throw new Error('A history has a question and a call');
    const told = await answerTo([asked, called, { role: 'user', content: [empty] }]);
    expect(told.text).toBe('list_files: nothing at all. (no output)');
    const printed = await answerTo(history(['list_files', '(no output)']));
    expect(printed.text).toBe('list_files:\n(no output)');
  });

  test('a request that came together with old results is still answered', async () => {
    const messages = history(['read_file', 'Interrupted', true]);
    const last = messages.pop();
    const content = [
      ...((last?.content ?? []) as readonly UserBlock[]),
      { type: 'text' as const, text: 'what time is it' },
    ];
    const { text, calls } = await answerTo([...messages, { role: 'user', content }]);
    expect(text).toContain('Interrupted');
    expect(calls).toEqual([{ name: 'get_time', input: {} }]);
  });
});

describe('requests it cannot fulfil', () => {
  test.each(['Write me a poem about the sea', 'run the tests', 'find files named x', 'read between the lines', 'süß'])(
    '%j gets help that says what the Guide is and how to connect a model',
    async (asked) => {
      const { text, calls, stopReason } = await answerTo([user(asked)]);
      expect(calls).toEqual([]);
      expect(stopReason).toBe('end_turn');
      expect(text).toMatch(/not an AI[\s\S]*read README\.md[\s\S]*Settings[\s\S]*ANTHROPIC_API_KEY/);
    },
  );

  test('a tool that is not offered is named, and never called', async () => {
    const { text, calls } = await answerTo([user('list the files here')], ['read_file']);
    expect(calls).toEqual([]);
    expect(text).toContain('list_files');
    expect((await answerTo([user('run: ls')], ['run_command'])).calls).toEqual([
      { name: 'run_command', input: { command: 'ls' } },
    ]);
  });

  test('a tool line with malformed JSON is explained', async () => {
    for (const line of ['/read_file {file_path: a}', '/read_file [1]', '/read_file "a"', '/read_file {"a":']) {
      const { text, calls } = await answerTo([user(line)]);
      expect(calls).toEqual([]);
      expect(text).toContain('/read_file {"parameter": "value"}');
    }
    expect((await answerTo([user('/no_such_tool {}')])).text).toContain('There is no tool "no_such_tool"');
  });

  test.each([
    ['help', 'Things I understand'],
    ['Hello!', 'Hello!'],
    ['hi guide', 'Hello!'],
    ['thanks', 'welcome'],
    ['Thank you very much!', 'welcome'],
    ['goodbye', 'Goodbye'],
    ['', 'Things I understand'],
  ])('%j is answered briefly', async (asked, answer) => {
    expect((await answerTo([user(asked)])).text).toContain(answer);
  });

  test('any text at all gets an answer, and only offered tools are called', async () => {
    const words = fc.constantFrom(
      'list',
      'read',
      'run:',
      'and then',
      '/bash',
      '{',
      '"',
      '`',
      'write',
      'in',
      'src',
      '\n',
      'search for',
      'with:',
      '```',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(words, fc.string({ unit: 'binary' })), { maxLength: 12 }),
        fc.subarray(TOOLS),
        async (parts, offered) => {
          const { text, calls } = await answerTo([user(parts.join(' '))], offered);
          expect(text !== '' || calls.length > 0).toBe(true);
          for (const { name } of calls) expect(offered).toContain(name);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a pasted megabyte is answered without a stall', async () => {
    for (const text of [
      'in '.repeat(350_000),
      `search for ${'a in '.repeat(200_000)}`,
      `write ${'to '.repeat(300_000)}x.txt`,
      "'".repeat(200_000),
    ]) {
      expect((await answerTo([user(text)])).calls.length).toBeLessThanOrEqual(1);
    }
  });

  test('any request is handled quickly, understood or not', async () => {
    const beginnings =
      'write,save a,put x to,append x to,run,run:,list,search for a in,find,read,fetch,what time,please,create a file called';
    const fillings = [
      ' ',
      '\t',
      ' to',
      ' in a',
      ' and',
      ' ,',
      '.',
      ' the',
      ' !',
      '"',
      '`',
      '\\"a',
      '; ',
      ' then',
      ' a/',
      '*',
      ' please',
    ];
    for (const beginning of beginnings.split(','))
      for (const filling of fillings)
        for (const length of [1_900, 9_900])
          expect(
            (await answerTo([user(`${beginning}${filling.repeat(length / filling.length)}x`)])).calls.length,
          ).toBeLessThan(2_000);
    for (const lines of ['/x {"a":\n', '/x {\n"a"\n', '{[\n', '\n/x\n'])
      expect((await answerTo([user(lines.repeat(40_000))])).calls).toEqual([]);
  });
});

test('the same conversation gives the same answer and ids, and ids never repeat within a conversation', async () => {
  const messages: Message[] = [user('what time is it')];
  const seen = new Set<string>();
  for (let round = 0; round < 5; round++) {
    const first = await answerTo(messages);
    expect(await answerTo(messages)).toEqual(first);
    for (const id of first.ids) {
      expect(seen.has(id)).toBe(false);
      expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      seen.add(id);
    }
    messages.push({ role: 'assistant', content: first.blocks });
    const results: UserBlock[] = first.ids.map((id) => ({
      type: 'tool_result',
      toolUseId: id,
      content: '12:00',
      isError: false,
    }));
    messages.push({ role: 'user', content: results });
    messages.push({ role: 'assistant', content: (await answerTo(messages)).blocks }, user('what time is it'));
    // A compacted conversation is shorter than before, and keeps its last calls.
    if (round === 2) messages.splice(0, 4);
  }
});

test('it is offline, free, and stops when told to', async () => {
  const guide = new GuideProvider();
  expect([guide.name, guide.isOffline]).toEqual(['guide', true]);
  const controller = new AbortController();
  controller.abort(new Error('stopped by the user'));
  const stream = guide.stream({
    model: 'guide',
    system: '',
    messages: [user('help')],
    tools: [],
    signal: controller.signal,
  });
  await expect(collect(stream)).rejects.toThrow('stopped by the user');
});

test('nothing outside its own folder and the ground floor is loaded at run time, so it costs nothing at start-up', () => {
  const folder = new URL('../../../src-main/models/guide/', import.meta.url);
  for (const file of ['guide-provider', 'plan', 'phrases', 'requests', 'tool-line', 'texts', 'results-text']) {
    const source = readFileSync(new URL(`${file}.ts`, folder), 'utf8');
    for (const [, clause, from] of source.matchAll(/^import (type )?.*? from '(.*?)';/gms)) {
      if (clause === undefined) expect(from).toMatch(/^(?:\.|\.\.\/\.\.\/base)\/[\w-]+\.ts$/);
    }
  }
});

interface Answer {
  readonly text: string;
  readonly deltas: string;
  readonly blocks: readonly AssistantBlock[];
  readonly calls: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[];
  readonly ids: readonly string[];
  readonly stopReason: string;
}

async function answerTo(messages: readonly Message[], offered: readonly string[] = TOOLS): Promise<Answer> {
  const tools: ToolDefinition[] = offered.map((name) => ({
    name,
    description: name,
    inputSchema: { type: 'object' },
    nothing: 'nothing at all.',
  }));
  const signal = new AbortController().signal;
  const events = await collect(new GuideProvider().stream({ model: 'guide', system: '', messages, tools, signal }));
  const blocks = events.flatMap((event) => (event.type === 'block' ? [event.block] : []));
  const calls = blocks.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
  const end = events.at(-1);
  expect(events.filter((event) => event.type === 'end')).toEqual([end]);
  return {
    text: blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    deltas: events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
    blocks,
    calls: calls.map(({ name, input }) => ({ name, input })),
    ids: calls.map((call) => call.id),
    stopReason: end?.type === 'end' ? end.stopReason : '',
  };
}

async function collect(stream: AsyncIterable<ModelStreamEvent>): Promise<ModelStreamEvent[]> {
  const events: ModelStreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

function user(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}
