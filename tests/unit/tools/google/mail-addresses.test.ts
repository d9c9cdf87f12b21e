import { expect, test } from 'vitest';
import {
  MailAddressError,
  mailAddressText,
  parseMailAddresses,
} from '../../../../src-main/tools/google/mail-addresses.ts';

const texts = async (to: string) => (await parseMailAddresses(to)).map(mailAddressText);

test.each<[string, string[]]>([
  ['a@x.com', ['a@x.com']],
  ['a@x.com, b@y.org', ['a@x.com', 'b@y.org']],
  ['a@x.com;b@y.org', ['a@x.com', 'b@y.org']],
  ['Ada Lovelace <ada@x.com>', ['Ada Lovelace <ada@x.com>']],
  ['"Lovelace, Ada" <ada@x.com>, b@y.org', ['"Lovelace, Ada" <ada@x.com>', 'b@y.org']],
  ["Jörg O'Brien-Müller Jr. <j.o+tag@mail.example.org>", ["Jörg O'Brien-Müller Jr. <j.o+tag@mail.example.org>"]],
  ['Ада <a@x.com>', ['Ада <a@x.com>']],
  ['<a@x.com>', ['a@x.com']],
  ['a@X.com, a@x.COM', ['a@x.com']],
  ['a@müller.de', ['a@xn--mller-kva.de']],
  ['"boss"@x.com', ['boss@x.com']],
  ['a@x.com <>', ['a@x.com']],
])('reads %s', async (to, read) => {
  expect(await texts(to)).toEqual(read);
});

test('a domain that looks like another one is shown as DNS knows it', async () => {
  expect(await texts('pay@аpple.com')).toEqual(['pay@xn--pple-43d.com']);
  expect(await texts('pay@ｇmail.com')).toEqual(['pay@gmail.com']);
});

test.each([
  ['nothing', ' , '],
  ['a name alone', 'Ada'],
  ['a second address as the name', 'boss@corp.com <evil@x.com>'],
  ['the same in quotes', '"boss@corp.com" <evil@x.com>'],
  ['an encoded word as the name', '=?utf-8?q?boss=40corp.com?= <evil@x.com>'],
  ['an address in an encoded word', '=?utf-8?b?Ym9zc0Bjb3JwLmNvbQ==?= <evil@x.com>'],
  ['a comment', 'evil@x.com (boss@corp.com)'],
  ['a comment inside the address', 'evil(@corp.com)@x.com'],
  ['a group', 'Team: a@x.com, b@y.com;'],
  ['an empty group', 'Undisclosed recipients:;'],
  ['a route', '<@relay.example,@other.example:evil@x.com>'],
  ['a quoted local part with @', '"boss@corp.com"@x.com'],
  ['an escape', '"bo\\"ss" <evil@x.com>'],
  ['an open quote', '"boss <evil@x.com>'],
  ['two addresses without a comma', 'a@x.com b@y.com'],
  ['two addresses in brackets without a comma', '<a@x.com> <b@y.com>'],
  ['brackets across entries', 'a@x.com>,<b@y.com'],
  ['two @', 'a@@x.com'],
  ['an IP literal', 'a@[127.0.0.1]'],
  ['an IP address', 'a@127.0.0.1'],
  ['a host without a dot', 'a@localhost'],
  ['a letter outside ASCII before the @', 'аdmin@x.com'],
  ['a full-width @', 'a＠x.com'],
  ['a right-to-left override', 'a@x.com\u202e'],
  ['a right-to-left override in the name', 'Ada \u202emoc.x@a <evil@x.com>'],
  ['a zero-width space', 'a@x\u200b.com'],
  ['a zero-width joiner in the name', 'A\u200dda <a@x.com>'],
  ['a soft hyphen', 'a@x\u00ad.com'],
  ['a no-break space', 'Ada\u00a0Lovelace <a@x.com>'],
  ['a line separator', 'a@x.com\u2028Bcc: evil@x.com'],
  ['a tab', 'a@x.com,\tb@y.com'],
  ['a NUL', 'a@x.com\0'],
  ['angle brackets in a quoted name', '"<boss>" <evil@x.com>'],
  ['a semicolon in a quoted name', '"a; b" <evil@x.com>'],
  ['dots in a row', 'a..b@x.com'],
  ['a local part of 65 characters', `${'a'.repeat(65)}@x.com`],
  ['a domain with an empty label', 'a@x..com'],
  ['a port', 'a@x.com:25'],
  ['101 recipients', Array.from({ length: 101 }, (_, at) => `a${at}@x.com`).join(',')],
])('refuses %s', async (_, to) => {
  await expect(parseMailAddresses(to)).rejects.toBeInstanceOf(MailAddressError);
});
