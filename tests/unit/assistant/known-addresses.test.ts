import { expect, test } from 'vitest';
import { AddressBook } from '../../../src-main/assistant/known-addresses.ts';
import type { ConversationEvent, EventOf } from '../../../src-preload/contract/events.ts';
import { stored, userMessage } from '../../fixtures/events.ts';

function bookOf(...events: readonly ConversationEvent[]): AddressBook {
  const book = new AddressBook();
  for (const event of stored(events)) book.add(event);
  return book;
}

const found = (...links: readonly string[]): EventOf<'tool_result'> => ({
  type: 'tool_result',
  id: 'call-1',
  text: `text that speaks of https://in-the-text.example/`,
  isError: false,
  outcome: 'completed',
  calledBy: 'model',
  links,
});

const followed = (url: string, domain: string, answer: 'allow' | 'deny' = 'allow'): ConversationEvent => ({
  type: 'decision',
  id: 'call-1',
  answer,
  by: 'default',
  reason: { code: 'seen_link', url, domain },
});

const ofMail = (sender: string, ...links: readonly string[]): ConversationEvent => ({
  ...found(...links),
  linksFrom: [sender],
});

const message = (named: { readonly hosts: readonly string[]; readonly urls: readonly string[] }) => ({
  ...userMessage('hello'),
  named,
});

test('hosts are those that messages name, www. or not', () => {
  const { namedHosts } = bookOf(message({ hosts: ['www.example.org'], urls: [] })).forCalls();
  expect([...namedHosts]).toEqual(['example.org']);
});

test('a message of an older version names the hosts in it; one sent by the page alone names nothing', () => {
  const { namedHosts, links } = bookOf(userMessage('see https://example.org/a'), {
    ...userMessage('see https://sent.example/'),
    isUnattended: true,
  }).forCalls();
  expect([...namedHosts]).toEqual(['example.org']);
  expect(links.has('https://example.org/a')).toBe(true);
  expect(links.has('https://sent.example/')).toBe(false);
});

test('an attached text names none of its hosts', () => {
  const { namedHosts } = bookOf({
    ...userMessage('see attached'),
    attachments: [{ kind: 'text', name: 'a.txt', text: 'https://attached.example' }],
  }).forCalls();
  expect(namedHosts.size).toBe(0);
});

test('links are those of results and those that a user gave, never those in a text', () => {
  const given = message({ hosts: [], urls: ['https://given.example/a'] });
  const { links, namedHosts } = bookOf(given, found('https://found.example/b?c=d')).forCalls();
  for (const url of ['https://given.example/a', 'https://found.example/b?c=d', 'https://found.example/b?c=d#e'])
    expect(links.has(url), url).toBe(true);
  for (const url of ['https://in-the-text.example/', 'https://found.example/b', 'https://given.example/', 'nonsense'])
    expect(links.has(url), url).toBe(false);
  expect(namedHosts.size).toBe(0);
});

test('followed links are counted, even in concurrent calls', () => {
  const book = bookOf(
    followed('https://a.example.org/', 'example.org'),
    followed('https://denied.example/', 'denied.example', 'deny'),
    { type: 'undo', calls: ['call-1'], paths: [] },
  );
  const { links } = book.forCalls();
  expect([links.followed, links.followedOn('example.org'), links.followedOn('denied.example')]).toEqual([1, 1, 0]);
  links.follow('example.org');
  links.follow('example.com');
  expect([links.followed, links.followedOn('example.org')]).toEqual([3, 2]);
  // Only what is in the log stays.
  expect(book.forCalls().links.followed).toBe(1);
});

test('links of a mail are known by its sender, and count as seen nowhere', () => {
  const book = bookOf(
    ofMail('ada@a.example', 'http://shop.example/x?utm_source=m', 'https://img.example/', 'mailto:a@b.c', 'nonsense'),
    ofMail('eve@e.example', 'https://shop.example/x', 'https://evil.example/1'),
  );
  const { links } = book.forCalls();
  expect(links.has('https://shop.example/x')).toBe(false);
  expect(links.inMails('https://shop.example/x')).toEqual([
    { sender: 'ada@a.example', hosts: ['shop.example', 'img.example'] },
    { sender: 'eve@e.example', hosts: ['shop.example', 'evil.example'] },
  ]);
  for (const url of ['https://shop.example/X', 'https://shop.example/x/', 'https://a.example/'])
    expect(links.inMails(url)).toEqual([]);
  expect(links.mails.map(({ sender }) => sender)).toEqual(['ada@a.example', 'eve@e.example']);
});

test('what an older version took for plain links of a mail is no seen link', () => {
  const card = { kind: 'mail', id: 'a1', from: 'a@b.c', to: '', subject: '', date: '', attachments: [] } as const;
  const { links } = bookOf({ ...found('https://shop.example/x'), card }).forCalls();
  expect(links.has('https://shop.example/x')).toBe(false);
});

test('links of mails that were followed count with the seen ones', () => {
  const reason = { code: 'mail_link_allowed', url: 'https://a.example/', domain: 'a.example', sender: 's' } as const;
  const { links } = bookOf({ type: 'decision', id: 'call-1', answer: 'allow', by: 'default', reason }).forCalls();
  expect(links.followedOn('a.example')).toBe(1);
});
