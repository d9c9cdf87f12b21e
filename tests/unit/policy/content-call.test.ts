import { expect, test } from 'vitest';
import { addressesOfResource } from '../../../src-main/policy/mcp/content-call.ts';

/** Which hosts in a URI are judged. */
async function judged(uri: string, templates: readonly string[] = [], uris: readonly string[] = []) {
  const listed = { uris: new Set(uris), templates };
  const found = await addressesOfResource(uri, listed, { wasFile: async (path) => path.endsWith('mine.md') });
  return [...new Set(found.map((url) => new URL(url).hostname))];
}

test('a host that the server named itself is not judged, and any other is', async () => {
  expect(await judged('note://today', [], ['note://today'])).toEqual([]);
  expect(await judged('https://listed.example/', [], ['https://listed.example/'])).toEqual([]);
  expect(await judged('note://day/1', ['note://day/{n}'])).toEqual([]);
  // The control: without the template it is one.
  expect(await judged('note://day/1')).toEqual(['day']);
  expect(await judged('note://evil.example/1', ['note://day/{n}'])).toEqual(['evil.example']);
  expect(await judged('note://day.evil.example/1', ['note://day/{n}'])).toEqual(['day.evil.example']);
  expect(await judged('note://evil.example/1', ['note://{host}/{n}'])).toEqual(['evil.example']);
});

test('what is filled in can name no host of the network, and carries nothing to one', async () => {
  expect(await judged('https://api.example/secret', ['https://api.example/{q}'])).toEqual(['api.example']);
  expect(await judged('note://day/https://evil.example/x', ['note://day/{+n}'])).toEqual(['evil.example']);
  expect(await judged('note://day/?url=https%3A%2F%2Fevil.example%2Fx', ['note://day/{?url}'])).toEqual([
    'evil.example',
  ]);
});

test('whatever can name a host is judged, wherever it stands', async () => {
  expect(await judged('note://day/evil.example.org', ['note://day/{n}'])).toEqual(['evil.example.org']);
  expect(await judged('note://day/?q=say%20evil.example.org', ['note://day/{?q}'])).toEqual(['evil.example.org']);
  expect(await judged('note://day/pin.evil.md', ['note://day/{n}'])).toEqual(['pin.evil.md']);
  expect(await judged('note://day/mine.md', ['note://day/{n}'])).toEqual([]);
});
