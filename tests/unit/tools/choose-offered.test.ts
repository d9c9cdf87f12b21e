import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ToolContext } from '../../../src-main/tools/contract.ts';
import { defineTool } from '../../../src-main/tools/define-tool.ts';
import { chooseOffered } from '../../../src-main/tools/registry/choose-offered.ts';
import { ToolRegistry } from '../../../src-main/tools/registry/registry.ts';
import { callAllowed } from '../../fixtures/allow-all.ts';
import { anyWords } from '../../fixtures/any-words.ts';
import { registryPorts } from '../../fixtures/registry-ports.ts';

const context = {} as unknown as ToolContext;
const offerable = (category: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `${category}_${index}`, category }));
const names = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);

test('as many as fit are offered as they are', () => {
  const tools = offerable('mcp', 128);
  expect(chooseOffered(tools, ['mcp_3'])).toEqual({ tools, leftOut: [] });
});

test('core tools come first, then those used last, then the others in their order', () => {
  const tools = [...offerable('mcp', 5), ...offerable('core', 2)];
  const { tools: kept, leftOut } = chooseOffered(tools, ['mcp_4', 'mcp_1', 'gone', 'mcp_4'], 5);
  expect(names(kept)).toEqual(['mcp_0', 'mcp_1', 'mcp_4', 'core_0', 'core_1']);
  expect(names(leftOut)).toEqual(['mcp_2', 'mcp_3']);
  expect(names(chooseOffered(tools, ['mcp_2'], 3).tools)).toEqual(['mcp_2', 'core_0', 'core_1']);
  expect(names(chooseOffered(tools, ['mcp_2'], 1).tools)).toEqual(['core_0']);
});

test('nothing is lost or doubled, the order stays, and using an offered tool changes nothing', () => {
  const category = fc.constantFrom('core', 'mcp', 'api', 'client');
  const tools = fc
    .array(category, { maxLength: 40 })
    .map((all) => all.map((each, index) => ({ name: `t${index}`, category: each })));
  const used = fc.array(
    fc.nat({ max: 45 }).map((index) => `t${index}`),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(tools, used, fc.integer({ min: 1, max: 20 }), (all, recent, most) => {
      const choice = chooseOffered(all, recent, most);
      expect(choice.tools).toHaveLength(Math.min(most, all.length));
      expect([...choice.tools, ...choice.leftOut].sort((a, b) => all.indexOf(a) - all.indexOf(b))).toEqual(all);
      expect(choice.tools).toEqual(all.filter((tool) => choice.tools.includes(tool)));
      for (const { name } of choice.tools)
        expect(chooseOffered(all, [...recent, name], most).tools).toEqual(choice.tools);
    }),
  );
});

test('a registry remembers which of its tools were used, also in other conversations', async () => {
  const registry = new ToolRegistry(registryPorts());
  for (let index = 0; index < 130; index++)
    registry.register({
      tool: defineTool({
        ...{
          name: `server__tool ${index}`,
          access: 'read',
          description: 'Does it.',
          input: z.object({}),
          words: anyWords,
        },
        execute: async () => '',
      }),
      category: 'mcp',
    });
  registry.buildAll();
  expect(names(registry.offer([]).leftOut)).toEqual(['server__tool_128', 'server__tool_129']);
  expect(names(registry.offer(['SERVER__TOOL_128', 'gone']).leftOut)).toEqual(['server__tool_127', 'server__tool_129']);
  await callAllowed(registry, 'server__tool 129', {}, context);
  expect(names(registry.offer([]).leftOut)).toEqual(['server__tool_127', 'server__tool_128']);
});
