import { expect, test } from 'vitest';
import { canonicalHash } from '../../src-main/base/canonical-json.ts';
import { askRig, ofType } from '../fixtures/ask.ts';
import { STDIO_SERVER } from '../fixtures/mcp/connections.ts';

/** A server whose JSON is nested so deeply that code which calls itself for each level fails with it. */

test('the control: a schema can be nested so that it can be stored, and not compared any more', () => {
  const nested: unknown = JSON.parse(`${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`);
  expect(() => JSON.stringify(nested)).not.toThrow();
  expect(() => canonicalHash(nested)).toThrow(RangeError);
});

test('other servers work beside one with such a tool, now and after the next start', async () => {
  const server = (...behaviour: string[]) => ({ command: process.execPath, args: [STDIO_SERVER, ...behaviour] });
  const rig = askRig({ config: { mcpServers: { abyss: server('deep', 'schema'), fixture: server() } } });
  for (const said of ['first', 'second']) {
    const { events } = await rig.events(['--approve', 'all', `/fixture__echo {"text":"${said}"}`]);
    expect(ofType(events, 'tool_result')).toMatchObject([{ text: said, isError: false }]);
  }
});
