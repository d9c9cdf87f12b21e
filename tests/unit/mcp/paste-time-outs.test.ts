import { expect, test } from 'vitest';
import { pastedServers } from '../../../src-main/mcp/setup/pasted-servers.ts';
import { splitCommandWords } from '../../../src-main/policy/shell-words.ts';

function read(text: string) {
  const result = pastedServers(text, splitCommandWords);
  const [server] = 'problem' in result ? [] : result.servers;
  return [server?.timeoutSeconds, ...(server?.remarks ?? [])];
}

/**
 * The same name means seconds in some programs and milliseconds in others: a call of more than an hour is none that
 * anybody waits for.
 */
test.each([
  [{ timeout: 60 }, 60],
  [{ timeout: '60' }, 60],
  [{ timeout: 3_600 }, 3_600],
  [{ timeout: 3_601 }, 3.601, { code: 'time_out', written: 3_601, seconds: 3.601 }],
  [{ timeout: 60_000 }, 60, { code: 'time_out', written: 60_000, seconds: 60 }],
  [{ timeout_ms: 500 }, 0.5, { code: 'time_out', written: 500, seconds: 0.5 }],
  [{ tool_timeout_sec: 90 }, 90],
  [{ timeoutSeconds: 7_200 }, 7_200],
  [{ timeout: 0 }, null],
  [{ timeout: -5 }, null],
  [{ timeout: 'soon' }, null],
  [{ timeout: 1e12 }, null],
  [{ timeout: { seconds: 5 } }, null],
])('%j', (given, ...expected) => {
  expect(read(JSON.stringify({ mcpServers: { it: { command: 'npx', args: ['some-mcp'], ...given } } }))).toEqual(
    expected,
  );
});

test('time-outs of other formats are read', () => {
  expect(read('[mcp_servers.it]\ncommand = "npx"\nargs = ["some-mcp"]\ntool_timeout_sec = 90')).toEqual([90]);
  expect(read('extensions:\n  it:\n    type: stdio\n    cmd: npx\n    args: [some-mcp]\n    timeout: 300')).toEqual([
    300,
  ]);
  expect(read('gemini mcp add --timeout 30000 it npx some-mcp')).toEqual([
    30,
    { code: 'time_out', written: 30_000, seconds: 30 },
  ]);
  expect(read('goose://extension?cmd=npx&arg=some-mcp&id=it&timeout=300')).toEqual([300]);
});
