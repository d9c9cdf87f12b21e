import { expect, test } from 'vitest';
import { CallFailure } from '../../../src-main/mcp/calls/tool-call.ts';
import type { ToolContext, ToolResult } from '../../../src-main/tools/contract.ts';
import { listMcpResources } from '../../../src-main/tools/session/list-mcp-resources.ts';
import { readMcpResource } from '../../../src-main/tools/session/read-mcp-resource.ts';

const failing = (server: string) => Promise.reject(new CallFailure({ code: 'needs_sign_in' }, server));
/** Nobody is signed in to `tracker`; `notes` answers. */
const mcpResources = {
  servers: ['notes', 'tracker'],
  access: () => ({ class: 'read', kind: 'app' }),
  isListed: () => true,
  addresses: async () => [],
  list: async (server: string) => (server === 'notes' ? [{ uri: 'note://today', name: 'today' }] : failing(server)),
  read: failing,
};
const context = { mcpResources, signal: new AbortController().signal } as unknown as ToolContext;
const remedies = [{ kind: 'settings', section: 'servers', server: 'tracker' }];

async function resultOf(tool: typeof listMcpResources, input: Record<string, unknown>): Promise<ToolResult> {
  const { execute } = await tool.prepare(input).assess(context);
  return execute(context);
}

test('a listing names what the other servers have, and leads to the sign-in that one of them needs', async () => {
  const all = await resultOf(listMcpResources, {});
  expect(all).toMatchObject({ isError: false, remedies });
  expect(all.text).toContain('note://today');
  expect(await resultOf(listMcpResources, { server: 'tracker' })).toMatchObject({ isError: false, remedies });
  expect(await resultOf(listMcpResources, { server: 'notes' })).not.toHaveProperty('remedies');
});

test('a resource that cannot be read for want of a sign-in leads to it', async () => {
  expect(await resultOf(readMcpResource, { server: 'tracker', uri: 'issue://1' })).toMatchObject({
    isError: true,
    remedies,
  });
});
