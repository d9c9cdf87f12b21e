import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { requestsAnsweredDuring } from '../../fixtures/requests-answered.ts';
import { startedThreads } from '../../fixtures/started-threads.ts';
import { ToolHarness } from './tool-harness.ts';

let tools: ToolHarness;
beforeEach(() => {
  tools = new ToolHarness();
  onTestFinished(() => tools.dispose());
});

/** Nearly 8 MiB: two seconds of work. */
const HUGE = `{${Array.from({ length: 600_000 }, (_, index) => `"${index}x":1`).join(',')}}`;

// The first one: there is no thread yet.
test('Stop ends the reading', async () => {
  const threads = startedThreads();
  const stop = new AbortController();
  const reading = tools.text('parse_json', { json: HUGE }, { signal: stop.signal });
  await expect.poll(() => threads).toHaveLength(1);
  stop.abort(new Error('stopped by the user'));
  expect(await reading).toBe('Error: error parsing JSON: stopped by the user');
  await expect.poll(() => threads.filter(({ threadId }) => threadId !== -1)).toEqual([]);
});

test('a large text gives what a small one gives, and a number that a double does not hold keeps its digits', async () => {
  const items = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `n${id}` }));
  const json = JSON.stringify({ items, exact: 0 }).replace('"exact":0', '"exact":12345678901234567890');
  const threads = startedThreads();
  expect(await tools.text('parse_json', { json })).toMatch(
    /^Parsed JSON object \(2 keys\)\n\{[\s\S]*12345678901234567890\n\}$/,
  );
  expect(await tools.text('query_json', { json, path: '$.items[-1].name' })).toBe('"n19999"');
  expect(await tools.text('query_json', { json: `${json}]`, path: '$' })).toMatch(/^Error: error querying JSON: ./);
  expect(await tools.text('query_json', { json, path: '$[' })).toMatch(/^Error: error querying JSON: in the path/);
  expect(threads).toHaveLength(1);
  expect(await tools.text('parse_json', { json: '[1]' })).toBe('Parsed JSON array (1 items)\n[\n  1\n]');
  expect(threads).toHaveLength(1);
});

test('the window is answered while the longest text is read', async () => {
  let text = '';
  const answered = await requestsAnsweredDuring(async () => {
    text = await tools.text('parse_json', { json: HUGE });
  });
  expect(text).toMatch(/^Parsed JSON object \(600000 keys\)\n/);
  expect(answered).toBeGreaterThan(20);
});
