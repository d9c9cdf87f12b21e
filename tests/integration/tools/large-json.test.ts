import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { MAX_INPUT_LENGTH } from '../../../src-main/base/bounded-json.ts';
import { doJsonWork } from '../../../src-main/tools/json/json-work.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { requestsAnsweredDuring } from '../../fixtures/requests-answered.ts';
import { startedThreads } from '../../fixtures/started-threads.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';

let tools: ToolHarness;
beforeEach(() => {
  tools = new ToolHarness({ consent: allowAll });
  onTestFinished(() => tools.dispose());
});

/** Empty objects take longest, and twice as long beside a number that a double does not hold. */
const LONGEST = `[${'{},'.repeat(MAX_INPUT_LENGTH / 3 - 10)}12345678901234567890]`;

// The first one: there is no thread yet.
test('Stop ends the reading', async () => {
  const threads = startedThreads();
  const stop = new AbortController();
  const reading = tools.text('parse_json', { json: LONGEST }, { signal: stop.signal });
  await expect.poll(() => threads).toHaveLength(1);
  stop.abort(new Error('stopped by the user'));
  expect(await reading).toBe('Error: error parsing JSON: stopped by the user');
  await expect.poll(() => threads.filter(({ threadId }) => threadId !== -1)).toEqual([]);
});

test('a large text gives the same result as a small one, and numbers too large for a double keep their digits', async () => {
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

test('the window is answered while the longest text is read; control: without a thread it is not', async () => {
  let text = '';
  const answered = await requestsAnsweredDuring(async () => {
    text = await tools.text('parse_json', { json: LONGEST });
  });
  expect(text).toMatch(/^Parsed JSON array /);
  expect(answered).toBeGreaterThan(10);
  expect(await requestsAnsweredDuring(() => doJsonWork({ kind: 'parse', json: LONGEST }))).toBeLessThan(5);
});
