import fc from 'fast-check';
import { parse, stringify } from 'lossless-json';
import { expect, test } from 'vitest';
import { costInUsd, usdFromCents } from '../../../src-main/tools/anthropic/cost-in-usd.ts';
import { usageCard } from '../../../src-main/tools/anthropic/usage-card.ts';
import { usagePath } from '../../../src-main/tools/anthropic/usage-request.ts';

test.each([
  ['12345.67', '123.46'],
  ['123.78912', '1.24'],
  ['250', '2.5'],
  ['200.00', '2'],
  ['0', '0'],
  ['0.5', '0.01'],
  ['0.49999999999999999999', '0'],
  ['2.675', '0.03'],
  ['2.5', '0.03'],
  ['100.5', '1.01'],
  ['-0.5', '-0.01'],
  ['-0.4', '0'],
  ['+7', '0.07'],
  ['.5', '0.01'],
  ['5.', '0.05'],
  ['1.5e2', '1.5'],
  ['1e-3', '0'],
  ['123456789012345678901234.5', '1234567890123456789012.35'],
])('%s cents are %s dollars', (cents, usd) => {
  expect(usdFromCents(cents)).toBe(usd);
});

test.each(['', ' ', '.', '-', 'free', '1,5', '0x10', 'NaN', 'Infinity', '1e999', '1 2', '--1'])(
  '%j is no amount',
  (text) => {
    expect(usdFromCents(text)).toBeUndefined();
  },
);

test('whole cents are exact at any size', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.boolean(), (cents, isNegative) => {
      const usd = usdFromCents(`${isNegative ? '-' : ''}${cents}`) ?? '';
      const [whole = '', decimals = ''] = usd.replace('-', '').split('.');
      expect(BigInt(whole + decimals.padEnd(2, '0'))).toBe(cents);
      expect(usd.startsWith('-')).toBe(isNegative && cents !== 0n);
    }),
  );
});

async function converted(json: string): Promise<string | undefined> {
  return stringify(await costInUsd(parse(json)));
}

test('amounts become dollars at any depth, and nothing else changes', async () => {
  const report =
    '{"data":[{"results":[{"currency":"USD","amount":"12345.67","model":null,"n":12345678901234567890}]}],"x":{"y":[{"amount":250,"currency":"USD"}]}}';
  expect(await converted(report)).toBe(
    '{"data":[{"results":[{"currency":"USD","model":null,"n":12345678901234567890,"amount_usd":123.46}]}],"x":{"y":[{"currency":"USD","amount_usd":2.5}]}}',
  );
  expect(await converted('{"currency":"USD","amount":{"amount":"1","currency":"USD"}}')).toBe(
    '{"currency":"USD","amount":{"currency":"USD","amount_usd":0.01}}',
  );
});

test.each([
  '{"amount":"n/a","currency":"USD"}',
  '{"amount":"","currency":"USD"}',
  '{"amount":null,"currency":"USD"}',
  '{"amount":true,"currency":"USD"}',
  '{"amount":"5"}',
  '{"currency":"USD"}',
  '[1.0,"a",null]',
  '"text"',
])('%s stays as it is', async (json) => {
  expect(await converted(json)).toBe(json);
});

test('each report is asked only what it knows', () => {
  const all = {
    starting_at: '2025-08-01T00:00:00Z',
    ending_at: '2025-08-03T00:00:00Z',
    bucket_width: '1h',
    group_by: ['model', 'workspace_id'],
    limit: 3,
  };
  const times = 'starting_at=2025-08-01T00%3A00%3A00Z&ending_at=2025-08-03T00%3A00%3A00Z';
  const groups = 'group_by[]=model&group_by[]=workspace_id';
  expect(usagePath('usage', all)).toBe(
    `/v1/organizations/usage_report/messages?${times}&bucket_width=1h&${groups}&limit=3`,
  );
  expect(usagePath('cost', all)).toBe(`/v1/organizations/cost_report?${times}&bucket_width=1d&${groups}&limit=3`);
  expect(usagePath('claude_code', all)).toBe(
    '/v1/organizations/usage_report/claude_code?starting_at=2025-08-01&limit=3',
  );
  expect(usagePath('cost', { starting_at: '2025-08-01T00:00:00Z' })).toBe(
    '/v1/organizations/cost_report?starting_at=2025-08-01T00%3A00%3A00Z',
  );
  expect(usagePath('claude_code', { starting_at: 'yesterday at noon' })).toContain('yesterday%20at%20noon');
});

test('a value cannot leave its parameter', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), (startingAt, groups) => {
      const { searchParams, pathname } = new URL(
        usagePath('usage', { starting_at: startingAt, group_by: groups }),
        'https://api.example',
      );
      expect(pathname).toBe('/v1/organizations/usage_report/messages');
      const sent = [startingAt, ...groups].map((text) => text.trim()).filter((text) => text !== '');
      expect([...searchParams.values()]).toEqual(sent);
    }),
  );
});

test('the card has one row per result and one bar per bucket', () => {
  const usage = parse(
    '{"data":[{"starting_at":"2025-08-01T00:00:00Z","results":[{"model":"m1","uncached_input_tokens":1500,"cache_creation":{"ephemeral_1h_input_tokens":1000,"ephemeral_5m_input_tokens":500},"cache_read_input_tokens":200,"output_tokens":500},{"model":null,"uncached_input_tokens":1,"output_tokens":2}]},{"starting_at":"2025-08-01T13:00:00Z","results":[]}]}',
  );
  expect(usageCard('usage', usage, ['model'])).toEqual({
    kind: 'table',
    title: 'Token usage',
    columns: [
      { label: 'Start', isNumber: false },
      { label: 'Model', isNumber: false },
      ...['Input', 'Cache write', 'Cache read', 'Output'].map((label) => ({ label, isNumber: true })),
    ],
    rows: [
      ['2025-08-01', 'm1', 1500, 1500, 200, 500],
      ['2025-08-01', null, 1, 0, 0, 2],
    ],
    chart: {
      label: 'Tokens',
      unit: 'tokens',
      points: [
        { label: '2025-08-01', value: 3703 },
        { label: '2025-08-01 13:00', value: 0 },
      ],
    },
  });

  const cost = parse(
    '{"data":[{"starting_at":"2025-08-01T00:00:00Z","results":[{"amount":"0.4","currency":"USD"},{"amount":"0.4","currency":"USD"}]}]}',
  );
  expect(usageCard('cost', cost, [])).toMatchObject({
    rows: [
      ['2025-08-01', 0],
      ['2025-08-01', 0],
    ],
    chart: { unit: 'usd', points: [{ label: '2025-08-01', value: 0.01 }] },
  });

  const user = (added: number, cents: number) =>
    `{"actor":{"type":"user_actor","email_address":"a@b.example"},"core_metrics":{"num_sessions":1,"lines_of_code":{"added":${added},"removed":1},"commits_by_claude_code":2,"pull_requests_by_claude_code":0},"model_breakdown":[{"estimated_cost":{"amount":${cents},"currency":"USD"}}]}`;
  const code = parse(`{"data":[${user(10, 186)},${user(5, 42)},{"actor":{"type":"api_actor","api_key_name":"ci"}}]}`);
  expect(usageCard('claude_code', code, [])).toMatchObject({
    rows: [
      ['a@b.example', 2, 15, 2, 4, 0, 2.28],
      ['ci', 0, 0, 0, 0, 0, 0],
    ],
  });
});

test('a card is drawn of whatever came', () => {
  fc.assert(
    fc.property(fc.constantFrom('usage', 'cost', 'claude_code'), fc.jsonValue(), (action, value) => {
      const card = usageCard(action, parse(JSON.stringify({ data: [value, { results: [value] }] })), ['model']);
      for (const row of card.rows) expect(row).toHaveLength(card.columns.length);
      expect(card.rows.flat().every((cell) => cell === null || !Number.isNaN(cell))).toBe(true);
    }),
  );
});
