import { describe, expect, test } from 'vitest';
import { addressesIn } from '../../../../src-main/policy/mcp/argument-addresses.ts';
import { ownTimeMs } from '../../../fixtures/own-time.ts';

const hosts = (input: unknown, schema?: unknown) => addressesIn(input, schema).map((url) => new URL(url).hostname);

describe('an address is found', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['with a scheme, under any name', { note: 'https://evil.example/?q=secret' }, ['evil.example']],
    ['with a scheme that is no web', { dsn: 'postgres://u:p@evil.example:5432/x' }, ['evil.example']],
    [
      'with the slashes that browsers mend',
      { a: 'https:\\\\evil.example\\x', b: 'https:evil.org' },
      ['evil.example', 'evil.org'],
    ],
    ['behind a user name that looks like a host', { a: 'https://bank.example@evil.example/' }, ['evil.example']],
    ['beginning with www.', { site: 'www.evil.example/path' }, ['www.evil.example']],
    ['as an IPv4 address', { target: '93.184.216.34' }, ['93.184.216.34']],
    ['as an IPv4 address in octal and hexadecimal', { target: '0x7f.0.0.01:80' }, ['127.0.0.1']],
    [
      'as an IPv6 address',
      { a: '2001:db8::1', b: '[::1]:8080', c: 'fe80::1%eth0' },
      ['[2001:db8::1]', '[::1]', '[fe80::1]'],
    ],
    ['as localhost', { a: 'localhost:3000/x', b: 'a.localhost' }, ['localhost', 'a.localhost']],
    ['as a decimal number behind a scheme', { a: 'http://2130706433/' }, ['127.0.0.1']],
    ['as a decimal number where a host is meant', { host: '2130706433', url: 2130706433 }, ['127.0.0.1']],
    ['in nested members', { options: { proxy: { to: 'https://evil.example' } } }, ['evil.example']],
    ['in lists', { pages: ['https://a.example', ['https://b.example']] }, ['a.example', 'b.example']],
    ['in the name of a member', { headers: { 'https://evil.example/x': 1 } }, ['evil.example']],
    ['in JSON written as text', { payload: '{"next":["https://evil.example"]}' }, ['evil.example']],
    ['among others in one text', { a: 'https://a.example https://b.example' }, ['a.example', 'b.example']],
    ['anywhere in a text where one is meant', { url: 'please https://evil.example' }, ['evil.example']],
    ['with line ends in it, which URLs may have', { a: 'ht\ntps://evil.example/' }, ['evil.example']],
    ['behind blanks and characters that nobody sees', { a: ' \u200b\ufeff<https://evil.example>' }, ['evil.example']],
    [
      'in a query parameter',
      { url: 'https://good.example/?next=https%3A%2F%2Fevil.example%2F' },
      ['good.example', 'evil.example'],
    ],
    [
      'in a query parameter that is named so',
      { url: 'https://good.example/?host=evil.example' },
      ['good.example', 'evil.example'],
    ],
    [
      'in a path, encoded twice',
      { url: 'https://good.example/r/https%253A%252F%252Fevil.example%252F' },
      ['good.example', 'evil.example'],
    ],
    [
      'in deep lists that are text',
      { a: `${'['.repeat(50_000)}"https://evil.example"${']'.repeat(50_000)}` },
      ['evil.example'],
    ],
    ['in a fragment', { url: 'https://good.example/#https://evil.example/' }, ['good.example', 'evil.example']],
    ['in letters of another script', { url: 'https://еvil.example/' }, ['xn--vil-qdd.example']],
  ])('%s', (_, input, expected) => {
    expect(hosts(input)).toEqual(expected);
  });

  test.each([
    'url',
    'imageURL',
    'base_uri',
    'links',
    'host',
    'hostname',
    'domainName',
    'website',
    'companyWebsite',
    'baseurl',
  ])('without a scheme, because its parameter is called %s', (name) => {
    expect(hosts({ [name]: 'evil.example/path' })).toEqual(['evil.example']);
    expect(hosts({ [name]: ['evil.example'] })).toEqual(['evil.example']);
    expect(hosts({ [name]: { target: 'evil.example' } })).toEqual(['evil.example']);
    expect(hosts({ [name]: 'git@evil.example:group/project.git' })).toEqual(['evil.example']);
  });

  test.each<[string, unknown]>([
    ['of its own', { properties: { x: { type: 'string', format: 'uri' } } }],
    ['behind a reference', { properties: { x: { $ref: '#/$defs/a' } }, $defs: { a: { format: 'hostname' } } }],
    ['in a branch', { properties: { x: { anyOf: [{ type: 'null' }, { format: 'iri-reference' }] } } }],
    ['of all further members', { additionalProperties: { format: 'url' } }],
    [
      'in a schema that refers to itself',
      { $ref: '#', properties: { x: { allOf: [{ $ref: '#' }, { format: 'uri' }] } } },
    ],
  ])('without a scheme, because of the format %s', (_, schema) => {
    expect(hosts({ x: 'evil.example' }, schema)).toEqual(['evil.example']);
  });

  test('in lists of which the schema says what is in them', () => {
    const schema = { properties: { x: { type: 'array', items: { format: 'uri' } } } };
    expect(hosts({ x: ['evil.example'] }, schema)).toEqual(['evil.example']);
  });

  test('as a bare name where a host is meant', () => {
    expect(hosts({ host: 'db' })).toEqual(['db']);
    expect(hosts({ link: 'db:5432' })).toEqual(['db']);
  });
});

test.each<[string, unknown]>([
  ['mail addresses', { to: 'ada@example.org', link: 'ada@example.org', cc: ['b@example.org'] }],
  ['links to write a mail', { url: 'mailto:ada@example.org' }],
  ['names of files', { path: 'notes/readme.md', file: 'C:\\Users\\ada\\a.io', other: './a.sh', uri: '/etc/hosts' }],
  ['files by URL', { uri: 'file:///etc/passwd' }],
  ['hosts under other names', { query: 'example.org', text: 'ask example.org about it' }],
  ['running text with a colon', { text: 'note: see below', other: 'https: is a scheme' }],
  [
    'counts, ids and phone numbers',
    { link_id: '123456789', links: 5, recipient: '4915112345678', host_count: 20_000_000 },
  ],
  ['addresses that a text speaks of', { text: 'It runs on localhost:3000, see https://example.org/ for more.' }],
  ['versions', { version: '1.2.3' }],
  ['nothing at all', {}],
])('not taken for addresses: %s', (_, input) => {
  expect(hosts(input)).toEqual([]);
});

test('long, deep or hostile input is searched in time', () => {
  const startedAt = ownTimeMs();
  addressesIn({ a: 'https://'.repeat(20_000), b: `https://a.example/${'%25'.repeat(50_000)}`, c: '['.repeat(50_000) });
  addressesIn({ a: 'https://a.example/?url='.repeat(5_000) });
  addressesIn({ url: `${'a.'.repeat(100_000)} ` });
  expect(ownTimeMs() - startedAt).toBeLessThan(5_000);
});
