import { describe, expect, test } from 'vitest';
import {
  correspondent,
  firstOfText,
  gmailPage,
  mailDate,
  mailText,
  wholeMailDate,
} from '../../../src-renderer/tool-cards/mail-text.ts';

const BERLIN = { locale: 'en-GB', timeZone: 'Europe/Berlin' };
const now = new Date('2031-03-04T08:00:00Z');

test.each([
  ['Tue, 4 Mar 2031 08:12:00 +0100', 'today, 08:12'],
  ['Mon, 3 Mar 2031 18:40:00 -0800', 'today, 03:40'],
  ['Mon, 03 Mar 2031 08:12:00 +0100 (CET)', 'yesterday, 08:12'],
  ['Sun, 2 Mar 2031 23:30:00 +0000', 'yesterday, 00:30'],
  ['Sat, 1 Mar 2031 10:00:00 +0100', '1 Mar, 10:00'],
  ['Thu, 31 Oct 2030 10:00:00 +0100', '31 Oct 2030'],
  // Dated ahead by its sender.
  ['Wed, 5 Mar 2031 10:00:00 +0100', '5 Mar, 10:00'],
  ['the day before', 'the day before'],
  ['', ''],
])('a mail of %s is from %s', (header, text) => {
  expect(mailDate(header, now, BERLIN)).toBe(text);
});

test('the whole date is in the user’s zone', () => {
  expect(wholeMailDate('Mon, 3 Mar 2031 18:40:00 -0800', BERLIN)).toContain('03:40');
  expect(wholeMailDate('no date', BERLIN)).toBe('');
});

test('a sender’s address is apart from the name, which anyone can choose', () => {
  expect(correspondent('Ada Lovelace <ada@example.org>')).toEqual({ name: 'Ada Lovelace', address: 'ada@example.org' });
  expect(correspondent('"Lovelace, \\"Ada\\"" <ada@example.org>')).toEqual({
    name: 'Lovelace, "Ada"',
    address: 'ada@example.org',
  });
  expect(correspondent('"support@bank.example" <x@evil.example>')).toEqual({
    name: 'support@bank.example',
    address: 'x@evil.example',
  });
  expect(correspondent('ada@example.org')).toEqual({ name: '', address: 'ada@example.org' });
});

test('a message’s page is made from an id of Gmail, and from nothing else', () => {
  expect(gmailPage('18c2f0a1b2c3d4e5')).toBe('https://mail.google.com/mail/#all/18c2f0a1b2c3d4e5');
  expect(gmailPage('18c2f0a1b2c3d4e5/../?q=x')).toBeUndefined();
  expect(gmailPage('')).toBeUndefined();
});

test('the text of a mail begins after the first empty line of the result', () => {
  expect(mailText('From: a\nSubject: b\n\nHello\n\nBye')).toBe('Hello\n\nBye');
  expect(mailText('From: a\r\n\r\nHello')).toBe('Hello');
  expect(mailText('From: a')).toBe('');
});

describe('the beginning of a mail', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');

  test('is all of it if little more would be left out', () => {
    expect(firstOfText(lines(8))).toBe(lines(8));
    expect(firstOfText(lines(20))).toBe(lines(6));
  });

  test('is short also where lines are long', () => {
    const shown = firstOfText('All work and no play. '.repeat(500));
    expect(shown.length).toBeLessThan(700);
    expect(shown).toMatch(/\. …$|\w …$/);
  });

  test('never ends within an address, which would lead somewhere else', () => {
    const address = `https://example.org/?q=${'b'.repeat(3000)}`;
    expect(firstOfText(`See ${address} today`)).toBe('See …');
    expect(firstOfText(`${address} today`)).toBe(address);
  });
});
