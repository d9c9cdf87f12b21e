import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { askRig, ofType } from '../../fixtures/ask.ts';
import { CONTENT_SERVER, STDIO_SERVER } from '../../fixtures/mcp/connections.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';

const MODEL = ['--approve', 'all', '--model', 'claude-sonnet-4-5'];
const server = (...args: string[]) => ({ command: process.execPath, args: [STDIO_SERVER, ...args] });

/** A server that is silent until `open` is called. */
function gated() {
  const sign = join(mkdtempSync(join(tmpdir(), 'mcp-gate-')), 'open');
  return { entry: server('gated', sign), sign, open: () => writeFileSync(sign, '') };
}

test('a turn goes on without a server that does not answer, says so, and has its tools as soon as they are there', async () => {
  const { entry, sign } = gated();
  const open = { command: 'touch', arguments: sign };
  // This waits until the server is ready.
  const list = { type: 'tool_use', name: 'list_mcp_resources', input: { server: 'gated' } } as const;
  const api = await startMessagesApi({
    turns: [
      { blocks: [{ type: 'tool_use', name: 'get_date', input: {} }] },
      // Nothing opens it before the second request has left.
      { blocks: [{ type: 'tool_use', name: 'run_command', input: open }, list] },
      { text: 'Done.' },
    ],
  });
  onTestFinished(() => api.close());
  const rig = askRig({ api: api.url, config: { mcpServers: { gated: { ...entry, start: 'lazy' } } } });
  const { events, code } = await rig.events([...MODEL, 'hello']);
  expect(code).toBe(0);
  const said = ofType(events, 'notice').filter(({ code }) => code === 'mcp_not_listed');
  expect(said).toEqual([expect.objectContaining({ message: expect.stringContaining("MCP server 'gated'") })]);
  const offered = api.requests.map(({ body }) => {
    const { tools } = body as { readonly tools: readonly { readonly name: string }[] };
    return tools.some(({ name }) => name === 'gated__echo');
  });
  expect(offered).toEqual([false, false, true]);
});

test.each([
  ['a list of all tools', '/tools list', 'silent__echo'],
  ['a call of a tool by its name', '/silent__echo {"text":"there it is"}', 'there it is'],
])('%s waits for the server, and says for whom', async (_what, line, shown) => {
  const silent = gated();
  const rig = askRig({ config: { mcpServers: { plain: server(), silent: silent.entry } } });
  const child = await rig.start(['--approve', 'all', line]);
  child.stdin.end();
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    written.stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    written.stderr += String(chunk);
    if (written.stderr.includes('Waiting for the tools of silent, at most 30 seconds.')) silent.open();
  });
  await new Promise((closed) => child.once('close', closed));
  expect(written.stderr).toContain('Waiting for the tools of silent');
  expect(written.stdout).toContain(shown);
});

test('tools that a server lists and that are not used are named in a notice, once', async () => {
  const rig = askRig({ config: { mcpServers: { untyped: server('untyped') } } });
  const run = async () => {
    const { events } = await rig.events(['--approve', 'all', '/tools list']);
    return ofType(events, 'notice').flatMap(({ code, message }) => (code === 'mcp_left_out' ? [message] : []));
  };
  const [said, ...more] = await run();
  expect(more).toEqual([]);
  expect(said).toMatch(
    /^Left out of the tools of MCP server 'untyped': .*the name of another one: plain; .*: window\.$/,
  );
  expect(await run()).toEqual([]);
});

test('resources and prompts that are listed and not used are named too', async () => {
  const content = { command: process.execPath, args: [CONTENT_SERVER] };
  const rig = askRig({ config: { mcpServers: { content } } });
  const { stdout, stderr } = await rig.run(['--approve', 'all', '/list_mcp_resources {}']);
  expect(`${stdout}${stderr}`).toContain(
    "Left out of the resources and prompts of MCP server 'content': a resource that is malformed: malformed",
  );
});
