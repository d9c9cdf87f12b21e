import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { builtInTools, registerBuiltInTools } from '../../../src-main/tools/built-in-tools.ts';
import type { ToolInput } from '../../../src-main/tools/contract.ts';
import { defineTool } from '../../../src-main/tools/define-tool.ts';
import { ToolRegistry } from '../../../src-main/tools/registry/registry.ts';
import { callWords, toolTitle } from '../../../src-main/tools/words/call-words.ts';
import type { CallWords } from '../../../src-preload/contract/tool-words.ts';
import { registryPorts } from '../../fixtures/registry-ports.ts';

interface Row extends Omit<CallWords, 'command'> {
  readonly name: string;
  readonly input: ToolInput;
  readonly isCommand: boolean;
}

/** What the window's own table of words gave for these calls, until each tool brought its words. */
const rows = readFileSync(fileURLToPath(new URL('call-words.jsonl', import.meta.url)), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line): Row => JSON.parse(line));

const registry = new ToolRegistry(registryPorts());
registerBuiltInTools(registry);

describe('a call is described in the words of its tool', () => {
  test('of which none is missing here', () => {
    const names = new Set(rows.map(({ name }) => name));
    expect(builtInTools.map(({ tool }) => tool.name).filter((name) => !names.has(name))).toEqual([]);
  });

  test.each(rows)('$name with $input', ({ name, input, isCommand, ...words }) => {
    const { command, ...said } = registry.words(name, input);
    expect(said).toEqual(words);
    expect(command !== undefined).toBe(isCommand);
  });

  test('whatever the letter case of its name, and also while it is not available', () => {
    const input = { file_path: 'a.txt', path: 'b.txt' };
    expect(registry.words('READ_FILE', input)).toMatchObject({ title: 'Read file', done: 'Read', about: 'a.txt' });
    expect(registry.get('web_search')).toBeUndefined();
    expect(registry.words('web_search', { query: 'x' })).toMatchObject({ done: 'Searched the web:', about: 'x' });
  });

  test('a command is one line, as typed, and cut if it is too long to read', () => {
    expect(registry.words('run_command', { command: 'git', arguments: 'log  -p' }).command).toBe('git log  -p');
    const long = registry.words('bash', { command: 'x'.repeat(5_000) });
    expect([long.about.length, long.command?.length]).toEqual([160, 2_000]);
  });

  test('megabytes of arguments are not gone through for it', () => {
    const { about } = registry.words('parse_json', { json: `{"a":"${' x'.repeat(10_000_000)}"}` });
    expect([about.length, about.at(-1)]).toEqual([160, '…']);
  });
});

test('a tool that brings no words is spoken of by its name, and what it says of itself does not count', () => {
  const tool = { name: 'files__read_text', parameterAliases: {} };
  const words = { title: 'Files: read text', done: 'Files: read text', about: 'a.txt', icon: 'file-text' };
  expect(callWords(tool, { path: 'a.txt' })).toEqual(words);
  expect(callWords('files__read_text', { path: 'a.txt' })).toEqual(words);
  expect(toolTitle(tool)).toBe('Files: read text');
  expect(callWords('toString', {})).toMatchObject({ title: 'ToString', about: '' });
  expect(callWords('show_message', { text: 'Done' }).icon).toBe('message-square');
  expect(callWords('send_message', { text: 'Done' }).icon).toBe('mail');
});

test.each([
  [{ path: 'a.txt' }, 'a.txt'],
  [{ command: 'git', arguments: 'status' }, 'git status'],
  [{ command: 'ls', args: ['-l', 'x'] }, 'ls -l x'],
  [{ source: 'a', destination: 'b' }, 'a → b'],
  [{ path: 'src', pattern: 'TODO' }, 'TODO · src'],
  [{ n: 3, deep: { a: [1] } }, 'n: 3, deep: {"a":[1]}'],
  [{ path: 'a\n\n  b' }, 'a b'],
  [{}, ''],
])('a call of it with %j is summed up as %j', (input, text) => {
  expect(callWords('some_tool', input).about).toBe(text);
});

test('an alias sets its parameter, which takes precedence', () => {
  const tool = defineTool({
    name: 'put',
    access: 'read',
    description: 'Puts something somewhere.',
    input: z.object({ what: z.string(), where: z.string() }),
    aliases: { place: 'where', thing: 'what' },
    words: { title: 'Put', done: 'Put', icon: 'wrench', about: ['what', 'where'] },
    execute: async () => '',
  });
  expect(callWords(tool, { thing: 'cup', place: 'table' }).about).toBe('cup · table');
  expect(callWords(tool, { what: 'mug', thing: 'cup' }).about).toBe('mug');
});
