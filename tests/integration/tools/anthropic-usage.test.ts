import { afterEach, expect, test } from 'vitest';
import { allowAll } from '../../fixtures/allow-all.ts';
import { ADMIN_KEY, type AdminOptions, startAdminApi } from '../../fixtures/anthropic-admin/server.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import { isRequired } from '../../fixtures/tool-texts.ts';

let tools: ToolHarness | undefined;
afterEach(async () => {
  await tools?.dispose();
  tools = undefined;
});

async function adminApi(options: AdminOptions = {}, key: string | undefined = ADMIN_KEY) {
  const server = await startAdminApi(options);
  const harness = new ToolHarness({
    consent: allowAll,
    endpoints: { anthropic: server.url },
    keys: key === undefined ? {} : { 'anthropic-admin-api-key': key },
  });
  tools = harness;
  return { server, tools: harness, text: (input: unknown) => harness.text('anthropic_usage', input) };
}

const DAY = '2025-08-01T00:00:00Z';
const bucket = (...results: unknown[]) => ({ starting_at: DAY, ending_at: '2025-08-02T00:00:00Z', results });

test('a cost report is JSON in dollars', async () => {
  const row = { currency: 'USD', amount: '12345.67', workspace_id: null, description: 'Claude – Input Tokens' };
  const api = await adminApi({ cost: [bucket(row, { ...row, amount: 'n/a' }), bucket()] });
  const text = await api.text({ action: 'cost', starting_at: DAY, bucket_width: '1h', limit: 1 });
  const { amount: _cents, ...others } = row;
  expect(text).toBe(
    `Cost Report:\n${JSON.stringify(
      {
        data: [bucket({ ...others, amount_usd: 123.46 }, { ...row, amount: 'n/a' })],
        has_more: true,
        next_page: 'page_MjAyNS0wOC0wMlQwMDowMDowMFo=',
      },
      null,
      2,
    )}`,
  );
  expect(text).toContain('"amount_usd": 123.46');
  const [request] = api.server.requests;
  expect(request?.target).toBe(
    '/v1/organizations/cost_report?starting_at=2025-08-01T00%3A00%3A00Z&bucket_width=1d&limit=1',
  );
  expect(request?.headers).toMatchObject({ 'x-api-key': ADMIN_KEY, 'anthropic-version': '2023-06-01' });
  expect(api.tools.marks).toEqual([{ kind: 'private', source: 'Anthropic Cost Report' }]);
  expect(api.tools.cards).toEqual([expect.objectContaining({ kind: 'table', title: 'Cost' })]);
});

test('token usage comes as the API gives it, large numbers whole', async () => {
  const body =
    '{"data":[{"starting_at":"2025-08-01T00:00:00Z","results":[{"output_tokens":12345678901234567890,"amount":"5","currency":"USD"}]}],"has_more":false,"next_page":null}';
  const api = await adminApi({ answer: { body } });
  const text = await api.text({ action: 'usage', starting_at: DAY, group_by: ['model', 'workspace_id'] });
  expect(text).toMatch(/^Token Usage Report:\n\{\n {2}"data": \[/);
  expect(text).toContain('"output_tokens": 12345678901234567890');
  expect(text).toContain('"amount": "5"');
  expect(api.server.requests[0]?.target).toContain('&group_by[]=model&group_by[]=workspace_id');
  expect(api.server.requests[0]?.path).toBe('/v1/organizations/usage_report/messages');
});

test('claude_code is asked for one day', async () => {
  const record = { date: DAY, actor: { type: 'user_actor', email_address: 'a@b.example' } };
  const api = await adminApi({ claudeCode: [record] });
  const input = { action: 'claude_code', starting_at: '2025-08-01T12:00:00Z', ending_at: DAY, bucket_width: '1d' };
  expect(await api.text({ ...input, group_by: 'model' })).toBe(
    `Claude Code Usage Report:\n${JSON.stringify({ data: [record], has_more: false, next_page: null }, null, 2)}`,
  );
  expect(api.server.requests[0]?.target).toBe('/v1/organizations/usage_report/claude_code?starting_at=2025-08-01');
});

test('refusals are told in the words of the API, and no key is shown', async () => {
  const api = await adminApi();
  expect(await api.tools.call('anthropic_usage', { action: 'spend', starting_at: DAY })).toEqual({
    text: "Unknown action 'spend'. Must be one of: usage, cost, claude_code.",
    isError: true,
  });
  expect(await api.text({ action: 'constructor', starting_at: DAY })).toMatch(/^Unknown action 'constructor'/);
  expect(await api.text({ action: 'usage' })).toBe(isRequired('starting_at'));
  expect(await api.text({ starting_at: DAY })).toBe(isRequired('action'));
  expect(api.server.requests).toEqual([]);
  const refused = await api.text({ action: 'cost', starting_at: 'yesterday' });
  expect(refused).toBe(
    `Anthropic Admin API error: HTTP 400 — ${JSON.stringify({
      type: 'error',
      error: { type: 'invalid_request_error', message: 'starting_at: not an RFC 3339 timestamp' },
      request_id: 'req_fixture',
    })}`,
  );

  const wrong = 'sk-ant-admin01-another-organisation';
  const unauthorized = await (await adminApi({}, wrong)).text({ action: 'cost', starting_at: DAY });
  expect(unauthorized).toMatch(/^Anthropic Admin API error: HTTP 401 — .*invalid x-api-key: \[redacted\]/);
  expect(unauthorized).not.toContain(wrong);
});

test('an invalid report is an error', async () => {
  const ask = async (options: AdminOptions) => (await adminApi(options)).text({ action: 'usage', starting_at: DAY });
  expect(await ask({ answer: { body: '<html>' } })).toBe('Error querying Anthropic Admin API: the answer is not JSON');
  const elsewhere = await startAdminApi();
  const headers = { location: `${elsewhere.url}/v1/organizations/usage_report/messages?starting_at=${DAY}` };
  expect(await ask({ answer: { status: 307, headers } })).toBe('Anthropic Admin API error: HTTP 307 — ');
  expect(elsewhere.requests).toEqual([]);

  const unreachable = new ToolHarness({
    consent: allowAll,
    endpoints: { anthropic: 'http://127.0.0.1:1' },
    keys: { 'anthropic-admin-api-key': ADMIN_KEY },
  });
  expect(await unreachable.text('anthropic_usage', { action: 'usage', starting_at: DAY })).toMatch(
    /^Error querying Anthropic Admin API: ./,
  );
  await unreachable.dispose();
  const withoutKey = new ToolHarness({ consent: allowAll });
  expect(await withoutKey.text('anthropic_usage', { action: 'usage', starting_at: DAY })).toMatch(
    /^Error querying Anthropic Admin API: no admin key is set/,
  );
  await withoutKey.dispose();
});
