import { describe, expect, test } from 'vitest';
import { builtInTools } from '../../../src-main/tools/built-in-tools.ts';
import { ToolRegistry } from '../../../src-main/tools/registry/registry.ts';
import {
  containerDescription,
  type GroupId,
  groupsOf,
  groupTokens,
  isCollapsed,
  serverGroup,
  withCollapsed,
} from '../../../src-main/tools/registry/tool-groups.ts';
import { registryPorts } from '../../fixtures/registry-ports.ts';

describe('which tools are in which group', () => {
  const registry = new ToolRegistry(registryPorts());
  for (const registration of builtInTools) registry.register(registration);
  registry.buildAll();
  const groups = groupsOf(registry.offered());

  test('every built-in tool is in exactly one group, but find_tools, which reaches them all', () => {
    const grouped = groups.flatMap(({ tools }) => tools.map(({ name }) => name));
    expect(grouped.toSorted()).toEqual(
      registry
        .offered()
        .map(({ name }) => name)
        .filter((name) => name !== 'find_tools')
        .toSorted(),
    );
    expect(new Set(grouped).size).toBe(grouped.length);
    expect(new Set(groups.map(({ title }) => title)).size).toBe(groups.length);
  });

  test('no group has the name of a tool', () => {
    for (const { title } of groups) expect(registry.get(title)).toBeUndefined();
  });

  test('collapsing saves tokens unless a group is very small', () => {
    for (const group of groups.filter(({ tools }) => tools.length > 2)) {
      const { open, collapsed } = groupTokens(group);
      expect(collapsed, group.id).toBeLessThan(open);
    }
  });

  test('tools without a group are in none', () => {
    expect(groupsOf([{ name: 'find_tools', description: '', inputSchema: {} }])).toEqual([]);
  });

  test('a server is a group under its name', () => {
    const tool = { name: 'tracker__list', description: 'List', inputSchema: {}, group: serverGroup('tracker') };
    expect(groupsOf([tool])).toMatchObject([{ id: 'mcp:tracker', title: 'tracker', tools: [tool] }]);
  });
});

describe('what config.json collapses', () => {
  test.each([
    { id: 'memory', entries: ['memory'], is: true },
    { id: 'memory', entries: ['Memory '], is: true },
    { id: 'memory', entries: ['mem'], is: false },
    { id: 'memory', entries: ['mem*'], is: true },
    { id: 'memory', entries: ['mcp:*'], is: false },
    { id: 'mcp:tracker', entries: ['mcp:*'], is: true },
    { id: 'mcp:a{b', entries: ['mcp:a{?'], is: true },
  ] as const)('$entries on $id: $is', ({ id, entries, is }) => {
    expect(isCollapsed(id, entries)).toBe(is);
  });

  const all: readonly GroupId[] = ['memory', 'mcp:a', 'mcp:b', 'mcp:c'];
  test.each([
    { id: 'memory', on: true, before: ['mcp:a'], after: ['mcp:a', 'memory'] },
    { id: 'mcp:a', on: true, before: ['mcp:*'], after: ['mcp:*'] },
    { id: 'memory', on: false, before: ['MEMORY', 'mcp:a'], after: ['mcp:a'] },
    { id: 'mcp:b', on: false, before: ['mcp:*', 'memory'], after: ['memory', 'mcp:a', 'mcp:c'] },
    { id: 'mcp:b', on: false, before: ['mcp:gone', 'mcp:b'], after: ['mcp:gone'] },
    { id: 'mcp:b', on: false, before: ['mcp:*', 'mcp:a'], after: ['mcp:a', 'mcp:c'] },
  ] as const)('switching $id to $on in $before gives $after', ({ id, on, before, after }) => {
    expect(withCollapsed(id, on, before, all)).toEqual(after);
  });
});

test('a container names ten of its tools', () => {
  const names = Array.from({ length: 12 }, (_, index) => `t${index}`);
  expect(containerDescription('Test', names.slice(0, 2))).toBe('Test. Contains 2 functions: t0, t1');
  for (const none of ['', ' ', null, undefined])
    expect(containerDescription(none, names.slice(0, 2))).toBe('Contains 2 functions: t0, t1');
  expect(containerDescription('Test', names)).toBe(
    'Test. Contains 12 functions: t0, t1, t2, t3, t4, t5, t6, t7, t8, t9 and 2 more',
  );
});
