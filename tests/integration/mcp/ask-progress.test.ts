import { expect, test } from 'vitest';
import { askRig } from '../../fixtures/ask.ts';
import { STDIO_SERVER } from '../../fixtures/mcp/connections.ts';

test('`ask --json` prints the progress of a call between its decision and its result', async () => {
  const rig = askRig({ config: { mcpServers: { fixture: { command: process.execPath, args: [STDIO_SERVER] } } } });
  const { events } = await rig.events(['--approve', 'all', '/fixture__progress {"steps":2,"everyMs":20}']);
  const ofCall = events.filter(({ type }) => ['tool_call', 'decision', 'progress', 'tool_result'].includes(type));
  expect(ofCall.map(({ type }) => type)).toEqual(['tool_call', 'decision', 'progress', 'progress', 'tool_result']);
  const [call, , first, second] = ofCall;
  const id = expect.any(String);
  expect(call).toMatchObject({ id });
  expect(first).toEqual({ type: 'progress', id, progress: 1, total: 2 });
  expect(second).toEqual({ type: 'progress', id, progress: 2, total: 2 });
});
