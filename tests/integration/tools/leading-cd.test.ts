import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { allowAll } from '../../fixtures/allow-all.ts';
import { needPosix } from '../../fixtures/machine-needs.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';

let tools: ToolHarness;
beforeEach((context) => {
  needPosix(context);
  tools = new ToolHarness({ consent: allowAll });
  tools.put('sub/a b/x.txt', 'x\n');
  tools.put('../outside/y.txt', 'y\n');
  symlinkSync('../outside', join(tools.workspace, 'link'));
});
afterEach(() => tools?.dispose());

const placed = async (command: string) => {
  const { access } = await tools.effectsOf('bash', { command });
  const [only] = access;
  if (only?.class !== 'execute' || only.command.kind !== 'shell') throw new TypeError('A command was to be assessed');
  return { line: only.command.line, directory: only.directory.slice(tools.workspace.length) };
};

test.each([
  ['cd sub && make', 'make', '/sub'],
  ['cd ./sub/ && make all | tail -5', 'make all | tail -5', '/sub'],
  ['cd "sub/a b" && make && make install', 'make && make install', '/sub/a b'],
  ["cd 'sub/a b' && make", 'make', '/sub/a b'],
  ['cd {workspace}/sub && make', 'make', '/sub'],
  ['cd sub/.. && make', 'make', ''],
])('%s is what comes then, in that folder', async (command, line, directory) => {
  expect(await placed(command.replace('{workspace}', tools.workspace))).toEqual({ line, directory });
});

test.each([
  'cd sub && sleep 0 & touch x',
  'cd sub && a; b',
  'cd sub && a || b',
  'cd sub; make',
  'cd sub || make',
  'cd sub | make',
  'cd - && make',
  'cd -P sub && make',
  'cd && make',
  'cd sub sub && make',
  'cd ~ && make',
  'cd s* && make',
  'cd $X && make',
  'cd ../outside && make',
  'cd link && make',
  'cd /etc && make',
  'cd missing && make',
  'cd sub/a\\ b && make',
  'cd sub/a"b" && make',
  'cd sub 2>/dev/null && make',
  'cd sub &&',
  'pwd && cd sub && make',
])('%s stays as it is written', async (command) => {
  const { line, directory } = await placed(command);
  expect({ line, directory }).toEqual({ line: command, directory: '' });
});

test('it runs there, and reading there does not ask', async () => {
  const { decision, result } = await tools.turn('bash', { command: "cd 'sub/a b' && ls && pwd" });
  expect(decision).toMatchObject({ by: 'default', reason: { code: 'command_reads' } });
  expect(result.text).toBe(`x.txt\n${join(tools.workspace, 'sub/a b')}`);
  const other = await tools.turn('execute_command', { command: "cd 'a b' && pwd -P", working_dir: 'sub' });
  expect(other.result.text).toBe(join(tools.workspace, 'sub/a b'));
});
