import { expect, test } from 'vitest';
import { CallFailure, type CallProblem } from '../../../src-main/mcp/calls/tool-call.ts';
import { mcpTool } from '../../../src-main/mcp/mcp-tool.ts';
import { failureDetails, type ToolContext } from '../../../src-main/tools/contract.ts';

const facts = { server: 'tracker', text: 'outside', remoteHost: 'tracker.example', classes: {} } as const;
const tool = { name: 'find', description: 'Finds.', inputSchema: { type: 'object' as const }, annotations: {} };
const still = new AbortController().signal;
const context = { signal: still, onOutput: () => undefined, conversationId: 'c' } as unknown as ToolContext;

async function failureOf(problem: CallProblem): Promise<unknown> {
  const call = () => Promise.reject(new CallFailure(problem, 'tracker'));
  const { execute } = await mcpTool({ name: 'tracker', call }, tool, () => facts)
    .prepare({})
    .assess(context);
  return execute(context).catch((error: unknown) => error);
}

test('a call that failed because nobody is signed in leads to the page of its server; another failure leads nowhere', async () => {
  expect(failureDetails(await failureOf({ code: 'needs_sign_in' }), still)).toEqual({
    remedies: [{ kind: 'settings', section: 'servers', server: 'tracker' }],
  });
  expect(failureDetails(await failureOf({ code: 'not_connected' }), still)).toEqual({});
});
