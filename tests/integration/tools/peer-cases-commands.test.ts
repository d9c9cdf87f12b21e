import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStorage, type Storage } from '../../../src-main/storage/storage.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import {
  accessDenied,
  cannotStart,
  commandFailed,
  completedWithoutOutput,
  factDeleted,
  factStored,
  isRequired,
  mustBe,
  noSuchWorkingDirectory,
  nothingArchived,
  openQuote,
  pathProblem,
  processTimedOut,
} from '../../fixtures/tool-texts.ts';

/*
 * What the tests and issue threads of comparable assistants ask of tools that run commands, keep facts, or read JSON, answered
 * as the tool catalogue has it.
 */

let tools: ToolHarness;
let storage: Storage;
beforeAll(async () => {
  tools = new ToolHarness({ consent: allowAll, env: { PATH: process.env.PATH, PLAIN: 'yes' } });
  storage = await openStorage({ directory: join(tools.base, 'profile'), now: () => new Date('2026-11-21T10:00:00Z') });
  mkdirSync(join(tools.workspace, 'sub'));
  tools.put('file.txt', 'x');
});
afterAll(async () => {
  await storage.close();
  await tools.dispose();
});

const text = (name: string, input: unknown) => tools.text(name, input, { memory: storage.memory });
const filled = (expected: string) => expected.replaceAll('$W', tools.workspace);

describe('a shell without input', () => {
  test.each<[string, string]>([
    ['echo out; echo err 1>&2', 'out\nerr'],
    ['exit 3', '[exit code 3]'],
    ['exit 256', ''],
    ['exit -1', '[exit code 255]'],
    ['false | true', ''],
    ['set -o pipefail; false | true', '[exit code 1]'],
    ['kill -9 $$', '[exit code 137]'],
    ['printf "a\\n\\n\\n"', 'a'],
    ['printf "  lead"', '  lead'],
    ['printf "a\\rb\\r\\n"', 'a\rb'],
    ['printf "\\033[31mred\\033[0m"', '\u001b[31mred\u001b[0m'],
    ['cat', ''],
    ['read x; echo "[$x]"', '[]'],
    ['cat <<END\nsum $((1+1))\nEND', 'sum 2'],
    ['echo {1..3}; [[ a == a ]] && echo yes', '1 2 3\nyes'],
    ['echo \'single $HOME\' "two  blanks"', 'single $HOME two  blanks'],
    ['cd sub && pwd', '$W/sub'],
    ['pwd', '$W'],
    ['echo $0 $#', 'bash 0'],
    ['# only a comment', ''],
    [' \n ', ''],
    ['yes | head -n 2', 'y\ny'],
    ['exec 1>&-; echo hidden 2>/dev/null', '[exit code 1]'],
    // What goes on holds the output open; the answer does not wait for it.
    ['sleep 60 & echo done', 'done'],
    ['sleep 60 </dev/null >/dev/null & echo quiet', 'quiet'],
    ['nohup sleep 60 >/dev/null 2>&1 & echo kept', 'kept'],
  ])('bash %j', async (command, expected) => {
    expect(await text('bash', { command })).toBe(filled(expected));
  });

  test.each<[Record<string, unknown>, unknown]>([
    [{ command: 'echo hi', timeout: '5000', run_in_background: 'false' }, 'hi'],
    [{ command: 'echo hi', timeout: 'soon' }, 'hi'],
    [{ command: ['echo', 'hi'] }, mustBe('command', 'string', 'Error executing command: ')],
    [{ command: 'echo a\0b' }, expect.stringMatching(/^Error executing command: .*NUL/)],
    [{ cmd: 'echo hi' }, isRequired('command', 'Error executing command: ')],
  ])('bash %j', async (input, expected) => {
    expect(await text('bash', input)).toEqual(expected);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ command: 'exit 42' }, commandFailed(42)],
    [{ command: 'kill -9 $$' }, commandFailed(137)],
    [{ command: 'echo out; echo err >&2; exit 1' }, 'out\nerr'],
    [{ command: 'echo out; echo err >&2' }, 'out'],
    [{ command: 'echo err >&2' }, completedWithoutOutput],
    [{ command: 'printf "\\n"' }, completedWithoutOutput],
    [{ command: 'pwd', working_dir: '' }, '$W'],
    [{ command: 'pwd', working_dir: '$W/sub' }, '$W/sub'],
    [{ command: 'pwd', working_dir: '..' }, accessDenied('directory', '$W')],
    [{ command: 'pwd', working_dir: 'file.txt' }, noSuchWorkingDirectory('file.txt')],
    [{ command: 'echo $0' }, 'sh'],
  ])('execute_command %j', async ({ working_dir, ...input }, expected) => {
    const given = working_dir === undefined ? {} : { working_dir: filled(String(working_dir)) };
    expect(await text('execute_command', { ...input, ...given })).toBe(filled(expected));
  });

  test.each<[Record<string, unknown>, string]>([
    [{ command: 'echo', arguments: '* > x | y `z`' }, '* > x | y `z`'],
    [{ command: 'echo', arguments: '"a  b" \'c "d"\' e\\ f' }, 'a  b c "d" e\\ f'],
    [{ command: 'printf', arguments: '%s\\n a "" b' }, 'a\n\nb'],
    [{ command: 'echo', arguments: 'line1\nline2' }, 'line1 line2'],
    [{ command: 'echo', arguments: 5 }, '5'],
    [{ command: 'echo && ls' }, '&& ls'],
    [{ command: 'sh -c "echo $0; exit 7"' }, 'sh'],
    [{ command: 'sh', arguments: '-c "echo Error >&2"' }, 'Error'],
    [{ command: 'cat' }, ''],
    [{ command: 'echo', arguments: '-n "open' }, openQuote('double')],
    [{ command: '' }, isRequired('command', 'Error running command: ')],
    [{ command: 'sleep', arguments: '60', timeout: 0.1 }, processTimedOut],
  ])('run_command %j', async (input, expected) => {
    expect(await text('run_command', input)).toBe(expected);
  });

  test.each([
    ['no-such-program-x', 'ENOENT'],
    ['./nope', 'ENOENT'],
    ['sub', 'ENOENT'],
    ['~/x', 'ENOENT'],
    ['.', 'EACCES'],
  ] as const)('run_command %s cannot be started: %s', async (command, code) => {
    expect(await text('run_command', { command, timeout_seconds: 'invalid' })).toBe(cannotStart(command, code));
  });

  test.each<[Record<string, unknown>, string]>([
    [{ name: 'PLAIN' }, 'PLAIN=yes'],
    [{ name: 'NOT_SET_X', default: 5 }, 'NOT_SET_X=5'],
    [{ name: 'NOT_SET_X', default: null }, 'NOT_SET_X='],
    [{ name: '$PLAIN' }, '$PLAIN='],
    [{ name: 'constructor' }, 'constructor='],
    [{ name: '' }, isRequired('name')],
  ])('get_env %j', async (input, expected) => {
    expect(await text('get_env', input)).toBe(expected);
  });
});

describe('memories are found', () => {
  beforeAll(async () => {
    for (const [question, answer] of [
      ['capital of France', 'Paris'],
      ['Where does the café meet?', 'In the blue room'],
      ['東京タワーの高さは', '333メートル'],
      ['C++ style', 'foo_bar names, mail bob@example.com, node.js 20.18'],
      ['Как зовут кота', 'Мурзик'],
      ['mood', 'party 🎉'],
    ])
      await text('store_memory', { question, answer });
  });

  test.each<[string, string | undefined]>([
    ['what is the capital of France?', 'Paris'],
    ['FRANCE', 'Paris'],
    ['-France', 'Paris'],
    ['France*', 'Paris'],
    ['France OR zzz', 'Paris'],
    ['"capital of France"', 'Paris'],
    ['"France capital"', undefined],
    ['cafe', 'In the blue room'],
    ['東京', '333メートル'],
    ['メートル', '333メートル'],
    ['foo_bar', 'foo_bar names'],
    ['bob@example.com', 'bob@example.com'],
    ['node.js', 'node.js 20.18'],
    ['МУРЗИК', 'Мурзик'],
    ['🎉', 'party 🎉'],
    ['NEAR(a b)', undefined],
    ['{answer} : x', undefined],
    ['"', undefined],
    ["'; DROP TABLE memories; --", undefined],
    ['\0', undefined],
    ['x'.repeat(20_000), undefined],
  ])('search_memory %j', async (query, answer) => {
    const found = await text('search_memory', { query });
    if (answer === undefined) expect(found).toBe(nothingArchived(query));
    else expect(found).toMatch(new RegExp(`^Found 1 archived .*Answer: .*${answer.replaceAll('.', '\\.')}`, 's'));
  });

  test.each([' k ', 'multi\nline', '__proto__', "' OR 1=1 --", '🎉', 'x'.repeat(5000)])('set_fact %j', async (key) => {
    expect(await text('get_fact', { key })).toBe(`Fact not found: ${key}`);
    expect(await text('set_fact', { key, value: `a\nb\0${key}` })).toBe(factStored(key));
    expect(await text('get_fact', { key })).toBe(`a\nb\0${key}`);
    expect(await text('get_fact', { key: `${key} ` })).toBe(`Fact not found: ${key} `);
    expect(await text('clear_fact', { key })).toBe(factDeleted(key));
  });
});

describe('JSON as models write it', () => {
  const STORE = JSON.stringify({
    book: [
      { t: 'A', p: 8.95, c: 'ref' },
      { t: 'B', p: 12.99, c: 'fic', isbn: '0' },
    ],
    'a key': 1,
    'a.b': 2,
    '': 3,
    none: null,
    $ref: 'x',
    'k-d': 4,
    日: 5,
    rows: [[1, 2], [3]],
  });

  test.each<[string, string]>([
    ['$.book[*].t', '[\n  "A",\n  "B"\n]'],
    ['book[1].t', '"B"'],
    ['.book[0].t', '"A"'],
    ['$.book[-1].t', '"B"'],
    ['$.book[ 0 ].t', '"A"'],
    ['$.book[9]', 'null'],
    ['$.book[?(@.p < 10)].t', '"A"'],
    ['$.book[?(@.p<=12.99)].t', '[\n  "A",\n  "B"\n]'],
    ['$.book[?(@.c=="fic")].isbn', '"0"'],
    ["$.book[?(@.t != 'A')].t", '"B"'],
    ['$.book[?(@.p > 100)]', 'null'],
    ["$['a key']", '1'],
    ['$["a.b"]', '2'],
    ["$['']", '3'],
    ['$.none', 'null'],
    ['$.none.x', 'null'],
    ['$.$ref', '"x"'],
    ['$.k-d', '4'],
    ['$.日', '5'],
    ['$.rows[*][0]', '[\n  1,\n  3\n]'],
    ['$.book.length', 'null'],
    ['$.constructor', 'null'],
    ['$.__proto__', 'null'],
  ])('query_json %s', async (path, expected) => {
    expect(await text('query_json', { json: STORE, path })).toBe(expected);
  });

  test.each([
    '$.',
    '$..p',
    '$.a key',
    '$.book[',
    '$.book[0:2]',
    '$.book[0,1]',
    '$.book[(@.length-1)]',
    '$.book[?(@.p)]',
    '$store',
  ])('query_json %s says where the path ends to be one', async (path) => {
    expect(await tools.call('query_json', { json: STORE, path })).toEqual({
      text: expect.stringMatching(pathProblem),
      isError: true,
    });
  });

  test.each<[unknown, string]>([
    [[{ content: 'A', status: 'completed', id: '1', priority: 'high' }], 'Todos updated\n[x] A'],
    ['[{"content":"A"}]', 'Todos updated\n[ ] A'],
    [{ content: 'one', status: 'in_progress' }, 'Todos updated\n[~] one'],
    [[{ content: 5, status: null }], 'Todos updated\n[ ] 5'],
    [[{ content: 'a\nb', status: 'done' }], 'Todos updated\n[ ] a b'],
    ['[]', 'Todos updated'],
    [[{ status: 'pending' }], 'Error: todos[0].content is required'],
    [null, isRequired('todos')],
  ])('todo_write %j', async (todos, expected) => {
    expect(await text('todo_write', { todos })).toBe(expected);
  });
});
