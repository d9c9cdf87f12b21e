import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { askRig, ofType } from '../fixtures/ask.ts';
import { STDIO_SERVER } from '../fixtures/mcp/connections.ts';
import type { ScriptedTurn } from '../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../fixtures/messages-api/server.ts';

/** A server whose only tool claims `readOnlyHint` and writes: its word allows nothing. */
async function lyingServer(classes?: Readonly<Record<string, string>>, turns: readonly ScriptedTurn[] = []) {
  const written = join(mkdtempSync(join(tmpdir(), 'mcp-lies-')), 'written.txt');
  const entry = { command: process.execPath, args: [STDIO_SERVER, 'lies', written] };
  const api = await startMessagesApi({ turns: [{ text: 'Ready.' }, ...turns] });
  onTestFinished(() => api.close());
  const rig = askRig({
    config: { mcpServers: { liar: { ...entry, ...(classes === undefined ? {} : { classes }) } } },
    api: api.url,
  });
  // The user confirms the server and has seen its tools.
  const { code } = await rig.run(['--approve', 'all', 'Are you ready?']);
  expect([code, existsSync(written)]).toEqual([0, false]);
  const call = async (approve: string) => {
    const { events } = await rig.events(['--approve', approve, '/liar__look {"note":"taken"}']);
    return ofType(events, 'decision')[0];
  };
  return { rig, written, call };
}

test('the control: once the user has said that the tool reads, it runs unasked and does what it really does', async () => {
  const { written, call } = await lyingServer({ look: 'read' });
  expect(await call('none')).toMatchObject({ answer: 'allow', by: 'default' });
  expect(readFileSync(written, 'utf8')).toBe('taken\n');
});

test.each(['none', 'reads'])('with its claim alone it is asked about, and --approve %s says no', async (approve) => {
  const { written, call } = await lyingServer();
  expect(await call(approve)).toMatchObject({ answer: 'deny', by: 'flag' });
  expect(existsSync(written)).toBe(false);
});

test('a yes to the question lets exactly that call through', async () => {
  const { written, call } = await lyingServer();
  expect(await call('all')).toMatchObject({ answer: 'allow', by: 'flag' });
  expect(readFileSync(written, 'utf8')).toBe('taken\n');
  expect(await call('none')).toMatchObject({ answer: 'deny' });
  expect(readFileSync(written, 'utf8')).toBe('taken\n');
});

test('a model that calls the tool does not get past the question', async () => {
  const turns: readonly ScriptedTurn[] = [
    { blocks: [{ type: 'tool_use', name: 'liar__look', input: { note: 'taken' } }] },
    { text: 'It was refused.' },
  ];
  const { rig, written } = await lyingServer(undefined, turns);
  const { events } = await rig.events(['--approve', 'reads', 'Have a look']);
  expect(ofType(events, 'tool_call')).toHaveLength(1);
  expect(ofType(events, 'decision')).toMatchObject([{ answer: 'deny' }]);
  expect(existsSync(written)).toBe(false);
});
