import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { accessToContent } from '../../src-main/policy/mcp/content-call.ts';
import { openStorage, type Storage } from '../../src-main/storage/storage.ts';
import { builtInTools } from '../../src-main/tools/built-in-tools.ts';
import type { GoogleAccounts } from '../../src-main/tools/google/google-accounts.ts';
import type { McpResources } from '../../src-main/tools/session/mcp-resources.ts';
import { allowAll } from '../fixtures/allow-all.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';
import { startVendorServer } from '../fixtures/vendor-server.ts';

/**
 * Tools whose results come from nothing of the user's: computed, from the network, or the id of a mail that was sent.
 * All others are private.
 */
const NOT_PRIVATE = new Set([
  'get_time',
  'get_date',
  'parse_json',
  'serialize_json',
  'query_json',
  'todo_write',
  'store_memory',
  'clear_memory',
  'set_fact',
  'clear_fact',
  'web_search',
  'linkedin_jobs',
  'linkedin_job_detail',
  'gmail_send',
  'find_tools',
]);

/** A server whose text is anybody's for all that is known. */
const NOTES: McpResources = {
  servers: ['notes'],
  access: (server) =>
    accessToContent(
      { server, classes: {}, text: 'outside', remoteHost: null },
      { content: 'resources', isReviewed: true },
    ),
  isListed: () => true,
  addresses: async () => [],
  list: async () => [{ name: 'today', uri: 'note://today' }],
  read: async (_, uri) => [{ uri, text: 'a note' }],
};

const ADAS_ACCOUNTS: GoogleAccounts = { address: async () => 'ada@example.com', token: async () => 'token' };

let folder: string;
let storage: Storage;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'steward-private-'));
  storage = await openStorage({ directory: folder });
});
afterEach(async () => {
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(builtInTools.map(({ tool }) => [tool.name, tool] as const))(
  'what %s gives is private if it comes from the person, whatever the tool says of it',
  async (name, tool) => {
    const server = await startVendorServer(() => ({
      headers: { 'content-type': 'application/json' },
      body: '{"data": [], "has_more": false, "web": {"results": []}}',
    }));
    const endpoints = { brave: server.url, linkedin: server.url, anthropic: server.url, googleApis: server.url };
    const keys = { 'brave-api-key': 'brave-key', 'anthropic-admin-api-key': 'admin-key' };
    const tools = new ToolHarness({
      consent: allowAll,
      endpoints,
      keys,
      searchProvider: 'brave',
      memory: storage.memory,
      mcpResources: NOTES,
      google: ADAS_ACCOUNTS,
    });
    try {
      for (const path of ['src/Program.cs', 'src/main.ts', 'notes.md', 'docs/a.md'])
        tools.put(path, 'let count = 0;\nTODO\n');
      storage.memory.setFact('user.city', 'Lisbon', []);
      storage.memory.storeMemory('Where does the team meet?', 'In the blue room', []);
      await tools.shells.start({ line: 'echo hi; sleep 60', directory: tools.workspace, marks: [] });
      const example = { ...tool.manual?.example };
      const url = name === 'linkedin_job_detail' ? example.url : `${server.url}/`;
      const input = 'url' in example ? { ...example, url } : example;
      const { decision, result } = await tools.turn(name, input);
      expect(decision.answer).toBe('allow');
      const isPrivate = result.marks?.some(({ kind }) => kind === 'private') === true;
      expect(isPrivate).toBe(!NOT_PRIVATE.has(name));
    } finally {
      await tools.dispose();
    }
  },
);

test.each([
  ['read_file', { file_path: 'missing' }],
  ['edit', { file_path: 'a.txt', old_string: 'not there', new_string: 'x' }],
  ['append_file', { path: 'missing', content: 'x' }],
  ['list_files', { directory: 'missing' }],
  ['glob', { pattern: 'missing*' }],
  ['grep', { pattern: 'missing' }],
  ['bash', { command: 'true' }],
  ['run_command', { command: 'no-such-program' }],
])('%s %j finds nothing, and that is private, too', async (name, input) => {
  const tools = new ToolHarness({ consent: allowAll });
  try {
    tools.put('a.txt', 'a');
    const { result } = await tools.turn(name, input);
    expect(result.marks).toContainEqual({ kind: 'private', source: expect.any(String) });
  } finally {
    await tools.dispose();
  }
});

test.each([
  ['read_file', { file_path: 'none.txt' }, 'whether none.txt exists'],
  ['read_file', { file_path: '.env' }, 'whether .env exists'],
  ['read_file', { file_path: 'a.txt' }, 'file a.txt'],
])('%s %j is not said to have read what is not there', async (name, input, source) => {
  const tools = new ToolHarness({ consent: allowAll });
  try {
    tools.put('a.txt', 'a');
    const { result } = await tools.turn(name, input);
    expect(result.marks).toEqual([{ kind: 'private', source }]);
  } finally {
    await tools.dispose();
  }
});
