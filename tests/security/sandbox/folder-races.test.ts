import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { needSandbox } from '../../fixtures/machine-needs.ts';
import { no } from '../../fixtures/memory-ports.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';

/** What calls must not get at together under a grant to work freely in a folder, though each alone could not. */

let tools: ToolHarness;
beforeEach((context) => {
  needSandbox(context);
  tools = new ToolHarness({ consent: { ask: async () => no }, remembers: true });
  const path = tools.workspace;
  tools.rules.add({ label: `work freely in ${path}`, tool: null, matcher: { kind: 'work-freely', path } }, null);
});
afterEach(() => tools?.dispose());

const bash = (command: string) => tools.turn('bash', { command });
/** Starts a command that goes on while others run, and is ended with the test. */
async function beside(command: string): Promise<void> {
  void bash(`touch ready; ${command}`);
  await expect.poll(() => existsSync(join(tools.workspace, 'ready')), { timeout: 10_000 }).toBe(true);
}

test('a secret file is not read by a command that starts while another one moves its folder', async () => {
  tools.put('config/.env', 'KEY=value-of-env\n');
  await beside(
    'for i in {1..500}; do mv config c2; mkdir config; touch config/.env; sleep 0.02; rm -rf config; mv c2 config; sleep 0.02; done',
  );
  const texts: string[] = [];
  for (let number = 0; number < 10; number += 1)
    texts.push((await bash('for i in {1..30}; do cat c2/.env config/.env; sleep 0.02; done')).result.text);
  expect(texts.filter((text) => text.includes('value-of-env'))).toEqual([]);
});

test('nothing outside is read by a command that only reads while another one swaps the file for a link', async () => {
  const outside = tools.put('../outside/notes', 'text-of-outside\n');
  tools.put('notes', 'mine\n');
  symlinkSync(outside, join(tools.workspace, 'link'));
  await beside('for i in {1..9000}; do mv -T notes keep; mv -T link notes; mv -T notes link; mv -T keep notes; done');
  const texts: string[] = [];
  for (let number = 0; number < 60; number += 1) texts.push((await bash('cat notes')).result.text);
  expect(texts.filter((text) => text.includes('text-of-outside'))).toEqual([]);
});
