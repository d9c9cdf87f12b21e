import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  classifyDestination,
  isMetadataHost,
  isPrivateAddress,
  isPrivateHost,
  normalizeHost,
} from '../../../src-main/network/private-network.ts';

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '0.1.2.3',
  '10.1.2.3',
  '100.64.0.1',
  '100.127.255.255',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '[::1]',
  'fe80::1',
  'fe80::1%eth0',
  'fd12:3456::1',
  'fc00::1',
  'ff02::1',
  'fec0::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:db8::1',
  '100::1',
  'not an address',
])('%s is private', (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.0',
  '168.63.129.15',
  '168.63.129.17',
  '172.15.0.1',
  '172.32.0.1',
  '192.169.0.1',
  '2606:4700:4700::1111',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
])('%s is public', (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});

test.each([
  'localhost',
  'LOCALHOST',
  'localhost.',
  'localhost..',
  'nas.internal...',
  'a.localhost',
  'printer.local',
  'metadata.google.internal',
  'nas.home.arpa',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.1',
  '0x7f.1',
  '１２７.０.０.１',
  '127。0。0。1',
  '[::ffff:127.0.0.1]',
  '',
  'a b',
  'evil.example/@127.0.0.1',
  '999.1.1.1',
  // Completed by the own network, and names that nobody can register.
  'mylocalhost',
  'intranet.',
  'nas.lan',
  'app.test',
])('the host %j is private as written', (host) => {
  expect(isPrivateHost(host)).toBe(true);
});

test.each([
  'example.org',
  'localhost.example.org',
  'mylocalhost.org',
  'local.example',
  '8.8.8.8',
  'xn--bcher-kva.example',
])('the host %j is public as written', (host) => {
  expect(isPrivateHost(host)).toBe(false);
});

test('one private address among those of a name makes the request private', () => {
  expect(classifyDestination('example.org', [])).toBe('network');
  expect(classifyDestination('example.org', ['93.184.215.14', '2606:4700::1'])).toBe('network');
  expect(classifyDestination('example.org', ['93.184.215.14', '10.0.0.1'])).toBe('network-private');
  expect(classifyDestination('example.org', ['::ffff:127.0.0.1'])).toBe('network-private');
  expect(classifyDestination('localhost', ['93.184.215.14'])).toBe('network-private');
});

test('every spelling of an IPv4 number is judged like its four parts', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffffff }), (number) => {
      const dotted = [number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255].join('.');
      const expected = isPrivateAddress(dotted);
      for (const spelling of [
        String(number),
        `0x${number.toString(16)}`,
        `0${number.toString(8)}`,
        `::ffff:${dotted}`,
        `64:ff9b::${dotted}`,
      ]) {
        // ::ffff:0:0/96 with a zero low half is written like another prefix; it must then be private, never public.
        expect(isPrivateHost(spelling) || !expected).toBe(true);
        if (number > 0xffff && (number & 0xffff) !== 0) expect(isPrivateHost(spelling)).toBe(expected);
      }
    }),
  );
});

test('metadata services are known by address and name', () => {
  for (const host of [
    '169.254.169.254',
    '[::ffff:169.254.169.254]',
    '0xa9fea9fe',
    'metadata',
    'metadata.google.internal',
    'fd00:ec2::254',
    'fd20:ce::254',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
  ]) {
    expect(isMetadataHost(host)).toBe(true);
  }
  expect(isMetadataHost('example.org')).toBe(false);
});

test('hosts are compared in one form', () => {
  expect(normalizeHost('Example.ORG.')).toBe('example.org');
  expect(normalizeHost('bücher.example')).toBe('xn--bcher-kva.example');
  expect(normalizeHost('[::1]')).toBe('::1');
  expect(normalizeHost('a/b')).toBeNull();
});
