import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseOffered, type Offerable, type ToolUse } from '../../../src-main/tools/registry/choose-offered.ts';

const offerable = (category: string, count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ name: `${category}_${index}`, category, ...more }));
const finder: Offerable = { name: 'find_tools', category: 'core' };
const names = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);
const called = (...used: readonly string[]): ToolUse[] => used.map((name) => ({ name, isFoundInHistory: false }));
const found = (...used: readonly string[]): ToolUse[] => used.map((name) => ({ name, isFoundInHistory: true }));
const plain = { finder, canDefer: false };

test('as many as fit are offered as they are, and nothing finds them', () => {
  const tools = offerable('mcp', 128);
  expect(chooseOffered(tools, { ...plain, uses: called('mcp_3') })).toEqual({ tools, deferred: [], leftOut: [] });
});

test('core tools come first, then ask_*, containers and skills, opened groups, and what was used last', () => {
  const tools = [
    ...offerable('mcp', 3),
    ...offerable('core', 2),
    ...offerable('api', 1),
    { name: 'IDE', category: 'client', place: 'container' as const },
    { name: 'open', category: 'mcp', place: 'opened' as const },
  ];
  const choose = (most: number) =>
    names(chooseOffered(tools, { ...plain, uses: called('mcp_2', 'mcp_0'), most }).tools);
  expect(choose(2)).toEqual(['core_0', 'find_tools']);
  expect(choose(4)).toEqual(['core_0', 'core_1', 'api_0', 'find_tools']);
  expect(choose(5)).toEqual(['core_0', 'core_1', 'api_0', 'IDE', 'find_tools']);
  expect(choose(6)).toEqual(['core_0', 'core_1', 'api_0', 'IDE', 'open', 'find_tools']);
  expect(choose(7)).toEqual(['core_0', 'core_1', 'api_0', 'IDE', 'open', 'find_tools', 'mcp_0']);
  expect(chooseOffered(tools, { ...plain, uses: [], most: 7 }).leftOut.map(({ name }) => name)).toEqual([
    'mcp_0',
    'mcp_1',
    'mcp_2',
  ]);
});

test('without a tool that finds the others, as many as fit are offered', () => {
  const tools = [...offerable('mcp', 5), ...offerable('core', 2)];
  const { tools: kept, leftOut } = chooseOffered(tools, {
    finder: undefined,
    canDefer: true,
    uses: called('mcp_4', 'gone'),
    most: 5,
  });
  expect(names(kept)).toEqual(['core_0', 'core_1', 'mcp_4', 'mcp_0', 'mcp_1']);
  expect(names(leftOut)).toEqual(['mcp_2', 'mcp_3']);
});

test('what is found is appended in the order of its first use, and the least recent goes when there is no room', () => {
  const tools = [...offerable('core', 2), ...offerable('mcp', 9)];
  const choose = (...used: readonly string[]) =>
    names(chooseOffered(tools, { ...plain, uses: called(...used), most: 6 }).tools).slice(3);
  expect(choose()).toEqual([]);
  expect(choose('mcp_7')).toEqual(['mcp_7']);
  expect(choose('mcp_7', 'mcp_1')).toEqual(['mcp_7', 'mcp_1']);
  expect(choose('mcp_7', 'mcp_1', 'mcp_7', 'mcp_4')).toEqual(['mcp_7', 'mcp_1', 'mcp_4']);
  expect(choose('mcp_7', 'mcp_1', 'mcp_7', 'mcp_4', 'mcp_8')).toEqual(['mcp_7', 'mcp_4', 'mcp_8']);
});

test('a tool that the history loads stays deferred, so that what comes before it does not change', () => {
  const tools = [...offerable('core', 2), ...offerable('mcp', 9)];
  const choose = (uses: readonly ToolUse[]) => chooseOffered(tools, { finder, canDefer: true, uses, most: 6 });
  const before = choose([]);
  expect(names(before.tools)).toEqual(['core_0', 'core_1', 'find_tools']);
  expect(names(before.deferred)).toEqual(names(offerable('mcp', 9)));
  expect(choose([...found('mcp_7'), ...called('mcp_7')])).toEqual(before);
  // It was found before a summary, or with another service.
  expect(names(choose(called('mcp_7')).tools)).toEqual(['core_0', 'core_1', 'find_tools', 'mcp_7']);
  expect(choose([...called('mcp_7'), ...found('mcp_7')])).toEqual(choose(called('mcp_7')));
});

test('a service that takes no more definitions is not sent more', () => {
  const { tools, deferred, leftOut } = chooseOffered(offerable('mcp', 10_100), { finder, canDefer: true, uses: [] });
  expect([tools.length + deferred.length, leftOut.length]).toEqual([10_000, 101]);
});

test('nothing is lost or doubled, and calling an offered tool changes nothing', () => {
  const category = fc.constantFrom('core', 'mcp', 'api', 'client');
  const tools = fc
    .array(category, { maxLength: 40 })
    .map((all) => all.map((each, index): Offerable => ({ name: `t${index}`, category: each })));
  const uses = fc.array(
    fc.record({ name: fc.nat({ max: 45 }).map((index) => `t${index}`), isFoundInHistory: fc.boolean() }),
    { maxLength: 20 },
  );
  const options = fc.record({ canDefer: fc.boolean(), most: fc.integer({ min: 2, max: 20 }), uses });
  fc.assert(
    fc.property(tools, options, fc.boolean(), (all, given, isFinderOn) => {
      const choice = chooseOffered(all, { ...given, finder: isFinderOn ? finder : undefined });
      const offered = choice.tools.filter((tool) => tool !== finder);
      expect(choice.tools.length).toBeLessThanOrEqual(Math.max(given.most, 0));
      expect(choice.tools.includes(finder)).toBe(isFinderOn && offered.length < all.length);
      const everything = [...offered, ...choice.deferred, ...choice.leftOut];
      expect(everything.toSorted((a, b) => all.indexOf(a) - all.indexOf(b))).toEqual(all);
      for (const { name } of choice.tools) {
        const again = { ...given, uses: [...given.uses, ...called(name)], finder: isFinderOn ? finder : undefined };
        expect(new Set(names(chooseOffered(all, again).tools))).toEqual(new Set(names(choice.tools)));
      }
    }),
  );
});
