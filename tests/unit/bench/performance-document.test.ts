import { expect, test } from 'vitest';
import { performanceDocument } from '../../bench/performance-document.ts';
import { comparison, figure } from '../../bench/report.ts';

const MACHINE = {
  node: 'v24.0.0',
  platform: 'linux x64',
  processors: '2 × Any processor',
  measuredAt: '2026-11-28T10:00:00.000Z',
};
const bench = (name: string, meaning: string) => ({ name, meaning, run: async () => [] });

test('each bench has its meaning, and each row its ratio, its goal and whether that is met', () => {
  const rows = [
    comparison(
      { what: 'to its first word', unit: 'ms', ours: [30, 20, 40] },
      { name: 'a | b', theirs: [10, 10, 10] },
      { ratioAtMost: 2.5 },
    ),
    figure({ what: 'longest block', unit: 'ms', ours: [3, 4] }, { atMost: 5 }),
    figure({ what: 'for information', unit: 'kB', ours: [7] }),
  ];
  const text = performanceDocument({ machine: MACHINE, results: [{ bench: 'mcp', rows }] }, [
    bench('mcp', 'What a user waits for.'),
  ]);
  expect(text).toContain('Measured on 2026-11-28 with Node 24.0.0 on linux x64,\n2 × Any processor,');
  expect(text).toContain('1 of 2 goals');
  expect(text.split('\n').slice(text.split('\n').indexOf('## MCP'))).toEqual([
    '## MCP',
    '',
    'What a user waits for.',
    '',
    '| What | Ours | Against | Ratio | Goal |',
    '| --- | --- | --- | --- | --- |',
    '| to its first word | 30.0 ms (20.0–40.0) | a \\| b: 10.0 ms (10.0–10.0) | 3.00× (2.00–4.00) | ✗ ≤ 2.5× |',
    '| longest block | 3.50 ms (3.00–4.00) |  |  | ✓ never > 5 ms |',
    '| for information | 7.00 kB (7.00–7.00) |  |  |  |',
    '',
  ]);
});
