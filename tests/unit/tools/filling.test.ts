import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filling } from '../../../src-main/tools/registry/filling.ts';

const server = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `${name}__${index}`, group: `mcp:${name}` }));
const none = { used: [], usedElsewhere: [], groupsUsed: [], matches: [] };
/** Eight places stay free for what is found. */
const FREE = 8;
const counts = (names: readonly string[]) => {
  const all: Record<string, number> = {};
  for (const name of names) all[name.replace(/__.*/, '')] = (all[name.replace(/__.*/, '')] ?? 0) + 1;
  return all;
};

test('what this conversation used comes first, the latest before the others', () => {
  const tools = [...server('a', 50), ...server('b', 50)];
  const filled = filling(tools, { ...none, room: 30, used: ['b__7', 'a__3', 'gone__1'], matches: ['a__9'] });
  expect(filled.slice(0, 2)).toEqual(['a__3', 'b__7']);
});

test('then servers that were used lately: whole if they fit, else what was used of them', () => {
  const tools = [...server('large', 100), ...server('small', 5), ...server('late', 20), ...server('early', 20)];
  const usedElsewhere = ['large__60', 'early__2', 'late__9'];
  const filled = filling(tools, { ...none, room: 60 + FREE, usedElsewhere });
  expect(filled.slice(0, 3)).toEqual(['late__9', 'early__2', 'large__60']);
  expect(filled.slice(3, 22)).toEqual(server('late', 20).flatMap(({ name }) => (name === 'late__9' ? [] : [name])));
  expect(counts(filled)).toEqual({ late: 20, early: 20, small: 5, large: 15 });
});

test('a server that was used before the last start comes before smaller ones', () => {
  const tools = [...server('small', 5), ...server('late', 8), ...server('early', 8)];
  const filled = filling(tools, { ...none, room: 16 + FREE, groupsUsed: ['mcp:late', 'mcp:early', 'mcp:gone'] });
  expect(counts(filled)).toEqual({ late: 8, early: 8 });
  expect(filled[0]).toBe('late__0');
});

test('then whole servers, the smallest first, then what fits the first message, the best first', () => {
  const tools = [...server('large', 100), ...server('six', 6), ...server('four', 4)];
  const filled = filling(tools, { ...none, room: 12 + FREE, matches: ['large__42', 'large__7'] });
  expect(filled).toEqual([
    ...server('four', 4).map(({ name }) => name),
    ...server('six', 6).map(({ name }) => name),
    'large__42',
    'large__7',
  ]);
});

test('small servers leave room for what fits the first message', () => {
  const tools = [...Array.from({ length: 40 }, (_, index) => server(`s${index}`, 3)).flat(), ...server('large', 100)];
  const matches = server('large', 100).map(({ name }) => name);
  expect(counts(filling(tools, { ...none, room: 91, matches })).large).toBeGreaterThanOrEqual(24);
});

test('places that are left go to the other servers in turn', () => {
  const tools = [...server('a', 100), ...server('b', 100)];
  expect(filling(tools, { ...none, room: 4 + FREE })).toEqual(['a__0', 'b__0', 'a__1', 'b__1']);
});

test('whatever was used and fits, known tools are chosen once each, and all places but those kept free are filled', () => {
  const tools = fc
    .array(fc.nat({ max: 30 }), { maxLength: 12 })
    .map((sizes) => sizes.flatMap((size, index) => server(`s${index}`, size)));
  const names = fc.array(
    fc.tuple(fc.nat({ max: 12 }), fc.nat({ max: 31 })).map(([of, index]) => `s${of}__${index}`),
    { maxLength: 40 },
  );
  const groupsUsed = fc.array(fc.nat({ max: 12 }).map((of) => `mcp:s${of}`));
  const lists = { used: names, usedElsewhere: names, groupsUsed, matches: names };
  const options = fc.record({ room: fc.nat({ max: 127 }), ...lists });
  fc.assert(
    fc.property(tools, options, (all, given) => {
      const filled = filling(all, given);
      expect(new Set(filled).size).toBe(filled.length);
      expect(filled.filter((name) => !all.some((tool) => tool.name === name))).toEqual([]);
      expect(filled).toHaveLength(Math.min(all.length, Math.max(0, given.room - FREE)));
    }),
    { numRuns: 300 },
  );
});
