import { expect, test } from 'vitest';
import { hostKey, keysOfLink, linkKey, loadRegistrableDomain } from '../../../src-main/network/address-keys.ts';

/** Whether a link that was seen as the first may be followed as the second. */
const stands = (seen: string, asked: string) => keysOfLink(seen).includes(linkKey(asked) ?? '');

test.each([
  ['https://example.org/a?b=c', 'https://example.org/a?b=c'],
  ['https://example.org/a#b', 'https://example.org/a'],
  ['https://example.org/a', 'HTTPS://EXAMPLE.org:443/./a#b'],
  ['http://example.org/a', 'https://example.org/a'],
  ['https://example.org/?utm_source=x&a=b&gclid=y', 'https://example.org/?a=b'],
  ['http://example.org/?fbclid=x', 'https://example.org/'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
])('%s may be followed as %s', (seen, asked) => {
  expect(stands(seen, asked)).toBe(true);
});

test.each([
  ['https://example.org/a', 'http://example.org/a'],
  ['http://example.org:8080/a', 'https://example.org:8080/a'],
  ['https://example.org/a', 'https://example.org/A'],
  ['https://example.org/a', 'https://example.org/a/'],
  ['https://example.org/a', 'https://example.org/a?'.concat('x')],
  ['https://example.org/a', 'https://example.org./a'],
  ['https://example.org/a', 'https://www.example.org/a'],
  ['https://example.org/a', 'https://example.org:8443/a'],
  ['https://example.org/?a=b&c=d', 'https://example.org/?c=d&a=b'],
  ['https://example.org/?a=b&c=d', 'https://example.org/?a=b'],
  ['https://example.org/', 'https://example.org/?utm_source=secret'],
  // Each that is left out by itself would be a bit.
  ['https://example.org/?utm_source=x&utm_medium=y', 'https://example.org/?utm_source=x'],
  ['https://example.org/%61', 'https://example.org/a'],
  ['https://me:pw@example.org/', 'https://me:pw@example.org/'],
  ['ftp://example.org/', 'ftp://example.org/'],
])('%s may not be followed as %s', (seen, asked) => {
  expect(stands(seen, asked)).toBe(false);
});

test('a host is the same with www. and without, and in each spelling; no other is', () => {
  for (const same of ['www.Example.org', 'example.org.', 'EXAMPLE.ORG']) expect(hostKey(same)).toBe('example.org');
  for (const other of ['docs.example.org', 'www2.example.org', 'example.org.evil.example', 'wwwexample.org'])
    expect(hostKey(other), other).not.toBe('example.org');
  expect(hostKey('www.org')).toBe('www.org');
  expect(hostKey('a b')).toBe('');
});

test('domains are registered names, or names below a public suffix', async () => {
  const domain = await loadRegistrableDomain();
  expect(
    ['a.b.example.org', 'a.b.co.uk', 'a.evil.github.io', 'evil.github.io', '93.184.215.14', '::1', 'intranet'].map(
      domain,
    ),
  ).toEqual(['example.org', 'b.co.uk', 'evil.github.io', 'evil.github.io', '93.184.215.14', '::1', 'intranet']);
});
