import { describe, expect, test } from 'vitest';
import { namedBy } from '../../../src-main/assistant/named-hosts.ts';

const hostsIn = (typed: string) => [...namedBy({ typed }).hosts].sort();

describe('typed text names hosts', () => {
  test.each([
    ['See https://Example.org/a?b and http://127.0.0.1:8080/.', ['127.0.0.1', 'example.org']],
    ['look at docs.python.org. Then at bücher.de!', ['docs.python.org', 'xn--bcher-kva.de']],
    ['www.notes.md (and www.notes.md/x)', ['www.notes.md']],
    ['what does **bbc.co.uk** say, or heise.de:443/thema?', ['bbc.co.uk', 'heise.de']],
    ['compare svelte.dev, socket.io, gov.uk/tax and mit.edu', ['gov.uk', 'mit.edu', 'socket.io', 'svelte.dev']],
    ['[the docs](https://docs.example.org/a_(b)) or <https://example.net>', ['docs.example.org', 'example.net']],
    ['https://a.example/x，https://b.example/y', ['a.example', 'b.example']],
    ['register at www.cs_conference.com or on my_club.org', ['my_club.org', 'www.cs_conference.com']],
    ['`curl https://api.example.org/v1`', ['api.example.org']],
  ])('%s', (typed, hosts) => {
    expect(hostsIn(typed)).toEqual(hosts);
  });

  test.each([
    // Endings of files, and what code writes behind a dot.
    'Read README.md, run ./deploy.sh, src/main.rs and lib.so',
    'fix user.id, this.is and `list.at` in System.Net',
    'fix order_list.at, my_module.py and _private.to',
    'call foo.com() and bar.org[0]',
    // Whose mailbox it is says nothing of its host.
    'write to ada@example.org and bob@mail.example.com',
    'file.example, name.test, host.internal',
    'https://me:secret@example.org/',
    'example..org and .org and org',
    'ftp://example/ and javascript:alert(1)',
  ])('%s: none', (typed) => {
    expect(hostsIn(typed)).toEqual([]);
  });

  test('a host name is recognised whole or not at all', () => {
    const labels = Array.from({ length: 40 }, () => 'a').join('.');
    expect(hostsIn(`${labels}.example.org`)).toEqual([]);
    expect(hostsIn('https://example.org.evil.example/')).toEqual(['example.org.evil.example']);
    expect(hostsIn('https://evil.example/example.org')).toEqual(['evil.example']);
    expect(hostsIn('https://evil.example\\.example.org/')).toEqual(['evil.example']);
  });

  test('naming a site means its home page, however it is written', () => {
    expect(namedBy({ typed: 'summarise svelte.dev' }).urls).toEqual(['https://svelte.dev/', 'https://www.svelte.dev/']);
  });
});

test('pasted text names exactly the addresses in it, and no host', () => {
  const mail = 'Dear Ada, sign in at https://evil.example/login?u=1#top. Yours, bank.com and www.bank.com';
  expect(namedBy({ typed: 'what do they want?', pasted: [mail] })).toEqual({
    hosts: [],
    urls: ['https://evil.example/login?u=1'],
  });
});

test('of a long pasted list, only the first addresses count', () => {
  const list = Array.from({ length: 1_000 }, (_, number) => `https://example.org/${number}`);
  const { urls } = namedBy({ typed: '', pasted: [list.join('\n')] });
  expect(urls).toEqual(list.slice(0, 200));
});

test('a long message is searched at once', () => {
  for (const text of ['a.'.repeat(500_000), 'a'.repeat(1_000_000), 'https://'.repeat(100_000), '*'.repeat(500_000)]) {
    const { hosts } = namedBy({ typed: text, pasted: [text] });
    expect(hosts.length).toBeLessThan(2);
  }
});
