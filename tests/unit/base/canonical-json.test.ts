import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalHash, canonicalText } from '../../../src-main/base/canonical-json.ts';
import { bindingHash } from '../../../src-main/policy/asked-call.ts';
import type { PermissionGrant } from '../../../src-main/policy/permission-grant.ts';
import { grantHash } from '../../../src-main/policy/permission-grants.ts';

function withKeysReversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withKeysReversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, withKeysReversed(member)]),
  );
}

test('the order of keys does not change a hash', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalHash(withKeysReversed(value))).toBe(canonicalHash(value));
    }),
  );
});

test('different values have different texts, equal ones the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const isEqual = JSON.stringify(JSON.parse(canonicalText(a))) === JSON.stringify(JSON.parse(canonicalText(b)));
      expect(canonicalText(a) === canonicalText(b)).toBe(isEqual);
      expect(JSON.parse(canonicalText(a))).toEqual(JSON.parse(JSON.stringify(a)));
    }),
  );
});

test.each([
  [['a,b'], ['a', 'b']],
  [{ a: 1 }, { a: '1' }],
  [{ a: null }, {}],
  [[], {}],
  ['', null],
  [Number.NaN, null],
  [
    [1, 2],
    [2, 1],
  ],
  [{ 'a":1,"b': 2 }, { a: 1, b: 2 }],
  ['\ud800', '\ufffd'],
])('%j and %j are not the same', (a, b) => {
  expect(canonicalHash(a)).not.toBe(canonicalHash(b));
});

test('absent and undefined are the same', () => {
  expect(canonicalHash({ a: undefined, b: 1 })).toBe(canonicalHash({ b: 1 }));
});

test('an answer is bound to tool, input, accesses and before-image, each of them', () => {
  const path = fc.string();
  const part = fc.record({
    tool: fc.string(),
    input: fc.dictionary(fc.string(), fc.jsonValue()),
    path,
    beforeImage: fc.option(fc.string()),
  });
  const hash = ({
    tool,
    input,
    path: written,
    beforeImage,
  }: Record<'tool' | 'path', string> & { input: Record<string, unknown>; beforeImage: string | null }) =>
    bindingHash(tool, input, {
      access: [{ class: 'write', kind: 'file', path: written, outsideRoots: false }],
      ...(beforeImage === null ? {} : { beforeImage }),
    });
  fc.assert(
    fc.property(part, part, (a, b) => {
      for (const changed of [
        { ...a, tool: b.tool },
        { ...a, input: b.input },
        { ...a, path: b.path },
        { ...a, beforeImage: b.beforeImage },
      ]) {
        expect(hash(changed) === hash(a)).toBe(canonicalText(changed) === canonicalText(a));
      }
    }),
  );
});

test('a confirmation is bound to subject, key and value', () => {
  const item: PermissionGrant = {
    subject: 'mcp-server',
    key: 'mcpServers.a',
    value: { command: 'x', args: ['1', '2'], env: { A: '1', B: '2' } },
  };
  const same = { ...item, value: { env: { B: '2', A: '1' }, args: ['1', '2'], command: 'x' } };
  expect(grantHash(same)).toBe(grantHash(item));
  expect(grantHash({ ...item, previous: { command: 'x' } })).toBe(grantHash(item));
  for (const other of [
    { ...item, subject: 'mcp-test' as const },
    { ...item, key: 'mcpServers.b' },
    { ...item, value: { ...same.value, args: ['2', '1'] } },
    { ...item, value: { ...same.value, env: { A: '1', B: '3' } } },
    { ...item, value: { ...same.value, cwd: '/' } },
  ]) {
    expect(grantHash(other)).not.toBe(grantHash(item));
  }
});
