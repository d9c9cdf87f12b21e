import { expect, test } from 'vitest';
import { externalAmong } from '../../../src-main/policy/recipients.ts';

const outside = async (own: string | undefined, ...addresses: string[]) => externalAmong(addresses, own);

test('another domain than the user’s is outside, a subdomain of the organisation is not', async () => {
  const inside = ['bob@acme.com', 'Bob@ACME.com', 'sales@eu.acme.com', 'ada@acme.com'];
  expect(await outside('ada@acme.com', ...inside)).toEqual([]);
  expect(await outside('ada@eu.acme.com', ...inside)).toEqual([]);
  const others = [
    'bob@acme.co',
    'bob@acme.com.evil.example',
    'bob@xacme.com',
    'bob@аcme.com',
    'ada@acme.com@evil.example',
  ];
  expect(await outside('ada@acme.com', ...others, ...inside)).toEqual(others);
});

test('below a public suffix, names belong to different people', async () => {
  expect(await outside('ada@uni.ac.uk', 'bob@other.ac.uk', 'bob@cs.uni.ac.uk')).toEqual(['bob@other.ac.uk']);
  expect(await outside('ada@a.github.io', 'bob@b.github.io')).toEqual(['bob@b.github.io']);
});

test('at a public mail service everyone but the user is outside', async () => {
  expect(await outside('ada.lovelace@gmail.com', 'bob@gmail.com', 'ada.lovelace@gmail.com')).toEqual(['bob@gmail.com']);
  expect(await outside('ada.lovelace@gmail.com', 'AdaLovelace+notes@googlemail.com')).toEqual([]);
  expect(await outside('ada@outlook.com', 'a.da@outlook.com', 'ada@outlook.com')).toEqual(['a.da@outlook.com']);
});

test('without a known address of the user, and for what is no address, everyone is outside', async () => {
  expect(await outside(undefined, 'ada@acme.com')).toEqual(['ada@acme.com']);
  expect(await outside('ada', 'ada')).toEqual(['ada']);
  const odd = ['', '@acme.com', 'bob', 'bob@', 'bob@a b.c'];
  expect(await outside('ada@acme.com', ...odd)).toEqual(odd);
});
