import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { AssessContext, ToolContext } from '../../../src-main/tools/contract.ts';
import { defineTool } from '../../../src-main/tools/define-tool.ts';
import { ToolRegistry } from '../../../src-main/tools/registry/registry.ts';
import { validateInput } from '../../../src-main/tools/registry/validation.ts';
import { anyWords } from '../../fixtures/any-words.ts';
import { registryPorts } from '../../fixtures/registry-ports.ts';

const context = { signal: new AbortController().signal } as unknown as ToolContext;
const input = z.object({ path: z.string() });
const spec = { name: 'touch', access: 'write', description: 'Touches a file.', input, words: anyWords } as const;

test('an input is parsed once, however often the call is assessed and whatever comes of it', async () => {
  const parsing = vi.spyOn(input, 'safeParse');
  const tool = defineTool({
    ...spec,
    declined: ({ path }) => `not ${path}`,
    assess: async ({ path }) => ({
      access: [{ class: 'write', kind: 'file', path, outsideRoots: false }],
      plan: { path },
    }),
    execute: async ({ path }) => path,
  });
  const call = tool.prepare({ path: 'a' });
  await call.assess(context);
  const assessed = await call.assess(context);
  expect(call.declinedText).toBe('not a');
  expect(await assessed.execute(context)).toEqual({ text: 'a', isError: false });
  expect(parsing).toHaveBeenCalledTimes(1);
  parsing.mockRestore();
});

test('the plan of exactly that assessment is executed, and no one else can see it', async () => {
  const plans: object[] = [];
  const executed: object[] = [];
  const tool = defineTool({
    ...spec,
    async assess() {
      const plan = { number: plans.length };
      plans.push(plan);
      return { access: [], beforeImage: 'x', plan };
    },
    async execute(plan) {
      executed.push(plan);
      return String(plan.number);
    },
  });
  const call = tool.prepare({ path: 'a' });
  const first = await call.assess(context);
  await call.assess(context);
  expect(Object.keys(first).sort()).toEqual(['access', 'beforeImage', 'execute']);
  expect(await first.execute(context)).toEqual({ text: '0', isError: false });
  expect(executed).toHaveLength(1);
  expect(executed[0]).toBe(plans[0]);
});

test('a tool that touches nothing outside the app has its input for a plan', async () => {
  const seen: AssessContext[] = [];
  const tool = defineTool({
    ...spec,
    access: 'read',
    async execute({ path }, running) {
      seen.push(running);
      return path.toUpperCase();
    },
  });
  const { execute, ...effects } = await tool.prepare({ path: 'a' }).assess(context);
  expect(effects).toEqual({ access: [{ class: 'read', kind: 'app' }] });
  expect(() => defineTool({ ...spec, access: 'write', execute: async () => '' })).toThrow(TypeError);
  expect(await execute(context)).toEqual({ text: 'A', isError: false });
  expect(seen).toEqual([context]);
});

test('an input that is none is refused before anything is assessed', () => {
  const assess = vi.fn();
  const tool = defineTool({ ...spec, errorPrefix: 'Error touching: ', assess, execute: async () => '' });
  expect(() => tool.prepare({ path: 7 })).toThrow(/^Error touching: path: /);
  expect(assess).not.toHaveBeenCalled();
});

test('models aren’t told of a parameter that means nothing here, and a call with it is still understood', () => {
  const tool = defineTool({
    ...spec,
    access: 'read',
    input: z.object({ path: z.string(), bounds: z.enum(['a', 'b']).default('a') }),
    sandboxParameters: ['bounds'],
    execute: async () => 'done',
  });
  const [held, unheld] = [true, false].map((hasSandbox) => {
    const registry = new ToolRegistry(
      registryPorts({ available: { hasCredential: () => false, searchProvider: undefined, hasSandbox } }),
    );
    registry.register({ tool, category: 'core' });
    registry.buildAll();
    return () => registry.offered()[0]?.inputSchema;
  });
  expect(held?.()).toMatchObject({ properties: { path: { type: 'string' }, bounds: { type: 'string' } } });
  expect(unheld?.()).toMatchObject({ properties: { path: { type: 'string' } } });
  expect(unheld?.()?.properties).not.toHaveProperty('bounds');
  expect(unheld?.()).toBe(unheld?.());
  expect(validateInput(tool, { path: 'a', bounds: 'b' })).toMatchObject({ ok: true, input: { bounds: 'b' } });
});
