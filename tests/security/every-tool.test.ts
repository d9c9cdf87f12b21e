import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHttpClient } from '../../src-main/network/http-client.ts';
import { openStorage, type Storage } from '../../src-main/storage/storage.ts';
import { builtInTools } from '../../src-main/tools/built-in-tools.ts';
import type { Tool } from '../../src-main/tools/contract.ts';
import type { GoogleAccounts } from '../../src-main/tools/google/google-accounts.ts';
import type { McpResources } from '../../src-main/tools/session/mcp-resources.ts';
import { allowAll } from '../fixtures/allow-all.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';
import { startVendorServer } from '../fixtures/vendor-server.ts';
import { everythingBut } from './canary.ts';
import { hostileInputFor } from './hostile-input.ts';

const KEY = 'sk-fuzz-0123456789abcdef';
/** Starts a process in each run. */
const SLOW = new Set(['bash', 'run_command', 'execute_command', 'list_processes']);

let storageFolder: string;
let storage: Storage;
beforeEach(async () => {
  storageFolder = mkdtempSync(join(tmpdir(), 'steward-fuzz-'));
  storage = await openStorage({ directory: storageFolder });
});
afterEach(async () => {
  await storage.close();
  rmSync(storageFolder, { recursive: true, force: true });
});

/** Whatever name is given, there is a server of it. */
class EveryName extends Array<string> {
  override includes(): boolean {
    return true;
  }
}

const ANY_SERVER: McpResources = {
  servers: new EveryName(),
  access: () => ({ class: 'read', kind: 'app' }),
  isListed: () => true,
  addresses: async () => [],
  list: async () => [],
  read: async (_, uri) => [{ uri, text: 'a resource' }],
};

test.each(builtInTools.map(({ tool }) => tool.name))(
  '%s: whatever it is given, a text comes back, in time, and nothing outside the workspace is read or changed',
  async (name) => {
    const tool = toolCalled(name);
    const example = tool.manual?.example ?? {};
    const server = await startVendorServer(({ path }) => ({
      status: path.length % 3 === 0 ? 500 : 200,
      headers: { 'content-type': path.length % 2 === 0 ? 'application/json' : 'text/html' },
      body: path.length % 5 === 0 ? '<<not what it says {' : '{"data": [], "web": {"results": []}}',
    }));
    const origins = [server.url, `http://127.0.0.1:${await closedPort()}`];
    // The server doesn't answer 500, after which a request is repeated for seconds.
    const google = await startVendorServer(({ target }) => ({
      status: target.length % 3 === 0 ? 404 : 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ODD_ANSWERS[target.length % ODD_ANSWERS.length]),
    }));
    const tools = workspaceWithTraps(server.url, google.url);
    // Names lead nowhere, because what a random text happens to mean must not be asked for in the world.
    const http = createHttpClient({ lookup: () => Promise.reject(new Error('no such host')) });
    const options = { http, memory: storage.memory, env: { PATH: process.env.PATH, HOME: tools.workspace } };
    // The one that the examples of bash_output and kill_shell speak of.
    await tools.shells.start({ line: 'sleep 60', directory: tools.workspace, marks: [] });
    const before = everythingBut(tools.base, 'proj');
    let taken = 0;
    let allowed = 0;
    const beside = readdirSync(tmpdir()).filter((entry) => entry.startsWith('malicious'));
    try {
      await fc.assert(
        fc.asyncProperty(hostileInputFor(tool, origins), async (input) => {
          const prepared = tools.registry.prepare(name, input);
          if (prepared.ok) taken++;
          else expect(prepared.text).toMatch(/^(?:Error|Could not|Unknown)/);
          // What the examples of the file tools want to find.
          tools.put('src/main.ts', 'let count = 0;');
          tools.put('notes.md', '');
          // What is thrown on the way, and is neither a denied path nor a text for the model, ends the turn: then this
          // rejects.
          const { decision, result } = await tools.turn(name, input, options);
          const { text, isError } = result;
          expect([typeof text, typeof isError]).toEqual(['string', 'boolean']);
          expect(decision.answer === 'allow' || isError).toBe(true);
          if (decision.answer === 'allow') allowed++;
          if (!prepared.ok) expect([decision.answer, text]).toEqual(['deny', prepared.text]);
          expect(text).not.toMatch(/(?:sibling|outside|profile) secret|root:x:/);
          expect(text).not.toContain(KEY);
          for (const card of tools.cards.splice(0)) expect(JSON.parse(JSON.stringify(card))).toHaveProperty('kind');
          expect(everythingBut(tools.base, 'proj')).toBe(before);
        }),
        // Its own example comes first: of few random inputs it might be that none gets to run.
        { numRuns: SLOW.has(name) ? 25 : 100, examples: [[example], [example], [example]] },
      );
    } finally {
      await http.close();
      await tools.dispose();
    }
    expect(taken, 'inputs that the tool took').toBeGreaterThan(5);
    expect(allowed, 'calls that ran').toBeGreaterThan(2);
    expect(readdirSync(tmpdir()).filter((entry) => entry.startsWith('malicious'))).toEqual(beside);
  },
);

function toolCalled(name: string): Tool {
  const registration = builtInTools.find(({ tool }) => tool.name === name);
  if (registration === undefined) throw new Error(`no tool ${name}`);
  return registration.tool;
}

/** What Google would not answer. */
const ODD_ANSWERS: readonly unknown[] = [
  { messages: [{ id: 1 }, {}, { id: 'a' }], items: [{}, { start: null }], nextPageToken: null },
  { payload: { headers: [{}], body: { data: '!' }, parts: [{ parts: [null] }] }, snippet: 1, attendees: {} },
  { messages: 'none', items: 7, payload: 'x', recurrence: 'x', start: 'x', summary: ['x'] },
  [],
  'text',
];
const ACCOUNTS: GoogleAccounts = { address: async () => undefined, token: async () => KEY };

function workspaceWithTraps(service: string, googleApis: string): ToolHarness {
  const vendors = { brave: service, duckduckgo: service, searxng: service, linkedin: service, anthropic: service };
  const endpoints = { ...vendors, googleApis };
  const keys = { 'brave-api-key': KEY, 'anthropic-admin-api-key': KEY, 'anthropic-api-key': KEY };
  const given = {
    workspace: 'proj',
    endpoints,
    keys,
    searchProvider: 'brave' as const,
    mcpResources: ANY_SERVER,
    google: ACCOUNTS,
  };
  const tools = new ToolHarness({ consent: allowAll, ...given });
  tools.put('../proj-evil/secret.txt', 'sibling secret');
  tools.put('../outside/secret.txt', 'outside secret');
  tools.put('../profile/config.json', '{"secret":"profile secret"}');
  tools.put('inside.txt', `inside\n${'a'.repeat(40)}!\n`);
  for (const folder of ['sub', 'docs']) mkdirSync(join(tools.workspace, folder));
  symlinkSync('../outside', join(tools.workspace, 'link'));
  symlinkSync('../outside/secret.txt', join(tools.workspace, 'file-link'));
  symlinkSync('../outside/new.txt', join(tools.workspace, 'dangling'));
  symlinkSync('loop', join(tools.workspace, 'loop'));
  execFileSync('mkfifo', [join(tools.workspace, 'pipe')]);
  return tools;
}

/** A port on which nothing listens any more. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
