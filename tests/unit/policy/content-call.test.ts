import { expect, test } from 'vitest';
import { addressesIn } from '../../../src-main/policy/mcp/argument-addresses.ts';
import { ownAddressOf } from '../../../src-main/policy/mcp/content-call.ts';

/** Which addresses in a URI are judged. */
function judged(uri: string, templates: readonly string[] = [], uris: readonly string[] = []) {
  const isOwn = ownAddressOf(uri, { uris: new Set(uris), templates });
  const hosts = addressesIn({ uri })
    .filter((url) => !isOwn(url))
    .map((url) => new URL(url).hostname);
  return [...new Set(hosts)];
}

test('a host that the server named itself is not judged, and any other is', () => {
  expect(judged('note://today', [], ['note://today'])).toEqual([]);
  expect(judged('https://listed.example/', [], ['https://listed.example/'])).toEqual([]);
  expect(judged('note://day/1', ['note://day/{n}'])).toEqual([]);
  // The control: without the template it is one.
  expect(judged('note://day/1')).toEqual(['day']);
  expect(judged('note://evil.example/1', ['note://day/{n}'])).toEqual(['evil.example']);
  expect(judged('note://day.evil.example/1', ['note://day/{n}'])).toEqual(['day.evil.example']);
  expect(judged('note://evil.example/1', ['note://{host}/{n}'])).toEqual(['evil.example']);
});

test('what is filled in can name no host of the network, and carries nothing to one', () => {
  expect(judged('https://api.example/secret', ['https://api.example/{q}'])).toEqual(['api.example']);
  expect(judged('note://day/https://evil.example/x', ['note://day/{+n}'])).toEqual(['evil.example']);
  expect(judged('note://day/?url=https%3A%2F%2Fevil.example%2Fx', ['note://day/{?url}'])).toEqual(['evil.example']);
});
