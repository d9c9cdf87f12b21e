import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failureDetails, ToolFailure } from '../../../src-main/tools/contract.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import { startWebSite } from '../../fixtures/web/site.ts';

let harness: ToolHarness;
const stop = () => {
  const controller = new AbortController();
  controller.abort(new Error('the reason'));
  return controller.signal;
};

beforeEach(() => {
  harness = new ToolHarness({ consent: allowAll });
  harness.put('a.txt', 'one\ntwo\n');
});
afterEach(() => harness.dispose());

test.each([
  ['bash', { command: 'echo hi' }],
  ['bash', { command: 'echo hi', run_in_background: true }],
  ['execute_command', { command: 'echo hi' }],
  ['run_command', { command: 'echo' }],
  ['grep', { pattern: 'one' }],
  ['search_code', { query: 'one' }],
  ['glob', { pattern: '*.txt' }],
  ['list_files', {}],
  ['read_file', { file_path: 'a.txt' }],
  ['read_file', { file_path: 'a.txt', offset: 1, limit: 1 }],
  ['edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' }],
  ['web_fetch', { url: 'http://127.0.0.1:9/' }],
  ['http_get', { url: 'http://127.0.0.1:9/' }],
  ['http_request', { url: 'http://127.0.0.1:9/', method: 'POST' }],
  ['linkedin_jobs', { keyword: 'x' }],
  ['linkedin_job_detail', { url: 'https://www.linkedin.com/jobs/view/1' }],
  ['anthropic_usage', { action: 'cost', starting_at: '2026-01-01' }],
])('%s that is stopped says so as data: %j', async (name, input) => {
  const keys = { 'anthropic-admin-api-key': 'sk-ant-admin' } as const;
  const vendors = { ...harness.environment.vendors, keyOf: async (key: string) => keys[key as keyof typeof keys] };
  // Stopped when it was allowed already.
  const execute = await harness.allowed(name, input, { vendors });
  const result = await execute(stop());
  expect(result).toMatchObject({ isError: true, outcome: 'stopped' });
});

test('a stopped filter over shell output says so', async () => {
  await harness.call('bash', { command: 'echo hi', run_in_background: true });
  await expect.poll(() => harness.text('bash_output', { bash_id: 'shell_1' })).toContain('hi');
  const execute = await harness.allowed('bash_output', { bash_id: 'shell_1', filter: 'h' });
  const result = await execute(stop());
  expect(result).toEqual({ text: 'Error: Stopped by the user', isError: true, outcome: 'stopped' });
});

test('a page that does not come is stopped while it is waited for', async () => {
  const site = await startWebSite({ '/slow': () => undefined });
  const controller = new AbortController();
  const fetched = harness.call('web_fetch', { url: `${site.url}/slow` }, { signal: controller.signal });
  await expect.poll(() => site.requests.length).toBe(1);
  controller.abort(new Error('the reason'));
  expect(await fetched).toEqual({ text: 'Error: the reason', isError: true, outcome: 'stopped' });
});

test('whatever is wrapped around a stop, and whatever only sounds like one', async () => {
  const { signal } = new AbortController();
  const stopped = stop();
  const abort = await readFile('/dev/null', { signal: stopped }).catch((error: unknown) => error);
  expect(failureDetails(new ToolFailure('x', { cause: new Error('y', { cause: stopped.reason }) }), stopped)).toEqual({
    outcome: 'stopped',
  });
  expect(failureDetails(new ToolFailure('x', { cause: abort }), stopped)).toEqual({ outcome: 'stopped' });
  expect(failureDetails(abort, signal)).toEqual({});
  expect(failureDetails(new ToolFailure('Error: stopped by the user'), stopped)).toEqual({});
  expect(failureDetails(new Error('the reason'), stopped)).toEqual({});
  expect(failureDetails(new ToolFailure('x', { outcome: 'declined' }), stopped)).toEqual({ outcome: 'declined' });
  expect(failureDetails('thrown text', stopped)).toEqual({});
});

test.each([
  ['bash', { command: 'printf "one\\ntwo\\n"; exit 3' }, 'one\ntwo'],
  ['bash', { command: 'exit 3' }, ''],
  ['bash', { command: 'echo "[exit code 3]"' }, '[exit code 3]'],
  ['bash', { command: 'echo begun; sleep 5', timeout: 1_000 }, 'begun'],
  ['bash', { command: 'sleep 30', run_in_background: true }, ''],
  ['execute_command', { command: 'true' }, ''],
  ['execute_command', { command: 'echo said; exit 4' }, 'said'],
  ['execute_command', { command: 'exit 5' }, ''],
  ['execute_command', { command: 'echo begun; sleep 5', timeout: 1 }, 'begun'],
  ['run_command', { command: 'echo', arguments: 'hi' }, 'hi'],
  ['run_command', { command: 'sleep', arguments: '5', timeout_seconds: 0.3 }, ''],
] as const)('a card tells what was printed from what %s added: %j', async (name, input, printed) => {
  const { text } = await harness.call(name, input);
  expect(printedIn(text)).toBe(printed);
});

test('and so do the cards of a shell in the background', async () => {
  await harness.call('bash', { command: 'sleep 0.2; echo hi; sleep 30', run_in_background: true });
  expect(printedIn(await harness.text('bash_output', { bash_id: 'shell_1' }))).toBe('');
  await expect.poll(async () => printedIn(await harness.text('bash_output', { bash_id: 'shell_1' }))).toBe('hi');
  expect(printedIn(await harness.text('kill_shell', { shell_id: 'shell_1' }))).toBe('');
  expect(printedIn(await harness.text('bash_output', { bash_id: 'shell_1' }))).toBe('hi');
  expect(harness.cards.at(-1)).toMatchObject({ ending: 'stopped', exitCode: 143 });
});

/** What the last card printed. */
function printedIn(text: string): string {
  const card = harness.cards.at(-1);
  return card?.kind === 'terminal' ? text.slice(0, text.length - (card.addedByTool ?? 0)) : `no terminal: ${text}`;
}
