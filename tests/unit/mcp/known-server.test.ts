import { expect, test } from 'vitest';
import { parseKnownServer } from '../../../src-main/mcp/known-server.ts';

const now = new Date('2026-11-22T12:00:00Z');
const tool = { name: 'echo', description: '', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
const discover = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, more: { to: 'come' } };

test('what was learned about a server is read back unchanged', () => {
  const modern = { tools: [tool], instructions: 'Be kind.', era: { kind: 'modern', discover } };
  expect(parseKnownServer(modern, '2020-01-01T00:00:00Z', now)).toEqual(modern);
});

test('the note that a server speaks the older era is valid for a week', () => {
  const legacy = { tools: [tool], era: { kind: 'legacy' } };
  expect(parseKnownServer(legacy, '2026-11-20T12:00:00Z', now)).toEqual(legacy);
  expect(parseKnownServer(legacy, '2026-11-10T12:00:00Z', now)).toEqual({ tools: [tool] });
});

test('a note that another version wrote is ignored', () => {
  for (const offered of [
    null,
    {},
    { tools: [{ name: 5 }], era: { kind: 'legacy' } },
    { tools: [], era: { kind: 'x' } },
  ])
    expect(parseKnownServer(offered, '2026-11-22T12:00:00Z', now)).toBeUndefined();
});
