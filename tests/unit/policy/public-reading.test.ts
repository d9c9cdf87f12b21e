import { describe, expect, test } from 'vitest';
import type { NetworkAccess } from '../../../src-main/network/network-access.ts';
import { decide, type PolicyInput } from '../../../src-main/policy/decide.ts';
import type { Rule } from '../../../src-main/policy/rules.ts';
import { FakeLinks, policyInput, privateMark, request, secretMark, untrusted } from '../../fixtures/memory-ports.ts';

const both = [untrusted, privateMark];

function decided(url: string, more: Partial<PolicyInput> = {}, access: Partial<NetworkAccess> = {}) {
  const effects = {
    access: [
      { kind: 'request', class: 'network', url, host: new URL(url).hostname, method: 'GET', ...access } as const,
    ],
  };
  return decide(policyInput(effects, { marks: [privateMark], ...more }));
}

const named = (...hosts: readonly string[]) => ({ namedHosts: new Set(hosts) });
const seen = (url: string, followed: readonly string[] = []) => ({ links: new FakeLinks([url], followed) });

function rule(host: string): Rule {
  const at = { createdAt: '', lastUsedAt: null, uses: 0 };
  return {
    id: 'r',
    label: host,
    tool: null,
    conversationId: null,
    matcher: { kind: 'host', class: 'network', host },
    ...at,
  };
}

describe('reading from a public host', () => {
  test('is free as long as nothing private is there', () => {
    for (const marks of [[], [untrusted]])
      expect(decided('https://example.org/?q=x', { marks })).toMatchObject({
        answer: 'allow',
        reason: { code: 'public_address' },
      });
  });

  test.each([
    [[privateMark], [privateMark]],
    [both, both],
    // Whoever marks a secret need not mark it as private too; people are told of what is.
    [[secretMark], []],
    [[privateMark, secretMark], [privateMark]],
  ])('asks once there is, and the card says what was read: %j', (marks, marksShown) => {
    expect(decided('https://example.org/?q=secret', { marks })).toMatchObject({
      answer: 'ask',
      classes: ['network'],
      reason: { code: 'address_composed', address: 'example.org' },
      offers: [{ matcher: { kind: 'host', class: 'network', host: 'example.org' } }],
      marksShown,
    });
  });

  test('goes to a host that the user named, or that a rule of theirs allows, with headers and secrets or without', () => {
    for (const url of ['https://example.org/a', 'http://www.example.org:8080/?q=x', 'https://EXAMPLE.org./']) {
      const reason = { code: 'named_host' };
      const [headers, marks] = [{ carries: 'headers' } as const, [privateMark, secretMark]];
      expect(decided(url, { ...named('example.org'), marks }, headers), url).toMatchObject({ answer: 'allow', reason });
      expect(decided(url, { rules: [rule('www.example.org')] }), url).toMatchObject({ answer: 'allow', by: 'rule' });
    }
    for (const url of [
      'https://docs.example.org/',
      'https://example.org.evil.example/',
      'https://evil.example/example.org',
    ])
      expect(decided(url, { ...named('example.org'), rules: [rule('example.org')] }).answer, url).toBe('ask');
  });

  test('goes to documentation, by nothing but a path', () => {
    const url = 'https://docs.python.org/3/library/json.html';
    expect(decided(url)).toMatchObject({ answer: 'allow', reason: { code: 'documentation' } });
    expect(decided(`${url}?q=x`).answer).toBe('ask');
    expect(decided(url, {}, { carries: 'headers' }).answer).toBe('ask');
  });
});

describe('a link that was seen', () => {
  const url = 'https://blog.example.org/post';

  test('is followed, and recorded in the decision', () => {
    const reason = { code: 'seen_link', url, domain: 'example.org' };
    expect(decided(url, seen(url))).toEqual({ answer: 'allow', by: 'default', reason, classes: ['network'] });
    expect(decided(url, { ...seen(url), marks: both })).toMatchObject({ answer: 'allow', reason });
    expect(decided(`${url}s`, seen(url))).toMatchObject({ answer: 'ask', reason: { code: 'address_composed' } });
  });

  test.each([
    ['with headers', { carries: 'headers' }],
    ['with a body', { carries: 'body' }],
    ['for its head only', { method: 'HEAD' }],
  ] as const)('asks %s that the model wrote', (_, access) => {
    expect(decided(url, seen(url), access)).toMatchObject({ answer: 'ask', reason: { code: 'link_carries' } });
  });

  test('asks while the text of a secret file is there', () => {
    const asked = decided(url, { ...seen(url), marks: [privateMark, secretMark] });
    expect(asked).toMatchObject({ answer: 'ask', reason: { code: 'link_while_secret', address: 'blog.example.org' } });
  });

  test('asks after five of its domain, or thirty', () => {
    const times = (count: number, domain: string) => Array<string>(count).fill(domain);
    const of = (followed: readonly string[]) => decided(url, seen(url, followed)).reason;
    expect(of(times(4, 'example.org'))).toMatchObject({ code: 'seen_link' });
    expect(of(times(5, 'example.org'))).toEqual({ code: 'links_followed', count: 5, domain: 'example.org' });
    expect(of(times(29, 'example.com'))).toMatchObject({ code: 'seen_link' });
    expect(of(times(30, 'example.com'))).toEqual({ code: 'links_followed', count: 30 });
  });

  test('counts only where nothing else allows it', () => {
    const full = seen(url, Array(30).fill('example.org'));
    expect(decided(url, { ...full, ...named('blog.example.org') }).reason).toEqual({ code: 'named_host' });
    expect(decided(url, { ...full, rules: [rule('blog.example.org')] })).toMatchObject({ by: 'rule' });
    expect(decided(url, { ...full, marks: [] }).reason).toEqual({ code: 'public_address' });
  });
});

describe('a link of a mail', () => {
  const url = 'https://shop.example/482913';
  const sender = 'news@shop.example';
  const hosts = ['track.example', 'shop.example'];
  const reason = { code: 'mail_link', sender, hosts };
  const mailed = (followed: readonly string[] = [], seenToo: readonly string[] = []) => ({
    links: new FakeLinks(seenToo, followed, [{ sender, hosts, links: [url] }]),
  });
  const allowing = (...allowed: readonly string[]) => ({ allowedServices: new Set(allowed) });
  const yes = `mail links ${JSON.stringify([sender, 'shop.example'])}`;
  const kept = (mails: readonly { readonly sender: string; readonly hosts: readonly string[] }[]): Rule => ({
    ...rule('x'),
    matcher: { kind: 'mail-links', mails },
  });

  test('asks by its sender, and goes where they were allowed', () => {
    expect(decided(url, mailed())).toMatchObject({ answer: 'ask', reason });
    const expected = { answer: 'allow', reason: { code: 'mail_link_allowed', url, domain: 'shop.example', sender } };
    expect(decided(url, { ...mailed(), ...allowing(yes) })).toMatchObject(expected);
    expect(decided(url, { ...mailed(), rules: [kept([{ sender, hosts: ['shop.example'] }])] })).toMatchObject(expected);
    expect(decided(url, { ...mailed(), ...named('shop.example') }).reason).toEqual({ code: 'named_host' });
    expect(decided(url, { ...mailed(), rules: [rule('shop.example')] })).toMatchObject({ by: 'rule' });
  });

  test('asks beside an answer about another host, sender or link', () => {
    const others = [`mail links ${JSON.stringify([sender, 'track.example'])}`, 'shop.example', sender];
    for (const other of [...others, `mail links ${JSON.stringify(['eve@e.example', 'shop.example'])}`])
      expect(decided(url, { ...mailed(), ...allowing(other) })).toMatchObject({ answer: 'ask', reason });
    for (const mails of [[{ sender, hosts: ['track.example'] }], [{ sender: 'x', hosts: ['shop.example'] }]])
      expect(decided(url, { ...mailed(), rules: [kept(mails)] }).answer).toBe('ask');
    for (const changed of [`${url}?d=secret`, `${url}/`, 'https://shop.example/482914', 'https://track.example/1'])
      expect(decided(changed, { ...mailed(), ...allowing(yes) })).toMatchObject({
        reason: { code: 'address_composed' },
      });
  });

  test('asks although its sender was allowed if more is sent, or the choice of links could leak something', () => {
    const input = { ...mailed(), ...allowing(yes) };
    for (const access of [{ carries: 'headers' }, { method: 'HEAD' }] as const)
      expect(decided(url, input, access)).toMatchObject({ answer: 'ask', reason: { code: 'link_carries' } });
    expect(decided(url, input, { isArgument: true })).toMatchObject({ reason: { code: 'address_composed' } });
    expect(decided(url, { ...input, marks: [privateMark, secretMark] })).toMatchObject({
      reason: { code: 'link_while_secret' },
    });
    const many = mailed(Array<string>(5).fill('shop.example'));
    expect(decided(url, { ...many, ...allowing(yes) })).toMatchObject({ reason: { code: 'links_followed' } });
  });

  test('leads unasked only to hosts that were allowed with it', () => {
    const redirect = { cameUp: 'redirect' } as const;
    const input = { ...allowing(yes), linkedBy: [sender] };
    expect(decided('https://shop.example/en', input, redirect).answer).toBe('allow');
    expect(decided('https://evil.example/', input, redirect).answer).toBe('ask');
    expect(decided('https://shop.example/en', { ...input, linkedBy: [] }, redirect).answer).toBe('ask');
    expect(decided('https://shop.example/en', input).answer).toBe('ask');
  });

  test('offers the mails of all senders together, and shows no more hosts than fit', () => {
    const labels = (links: FakeLinks) => {
      const decision = decided(url, { links });
      return decision.answer === 'ask' ? decision.offers.map(({ label }) => label) : [];
    };
    const host = 'read from shop.example';
    expect(labels(mailed().links)).toEqual([host]);
    const grace = { sender: 'grace@g.example', hosts: ['g.example'], links: [] };
    const both = [{ sender, hosts, links: [url] }, grace];
    const label = `follow links in mails from ${sender} (to track.example, shop.example); grace@g.example (to g.example)`;
    expect(labels(new FakeLinks([], [], both))).toEqual([label, host]);
    const many = Array.from({ length: 20 }, (_, at) => `h${at}.example`);
    const asked = decided(url, { links: new FakeLinks([], [], [{ sender, hosts: many, links: [url] }]) });
    expect(asked.reason).toMatchObject({
      hosts: ['shop.example', 'h0.example', 'h1.example', 'h2.example', 'h3.example'],
    });
  });
});

describe('accesses that come up while a call runs', () => {
  const url = 'https://elsewhere.example/a';

  test('a redirect is decided like an address that the model wrote, even to a link that was seen', () => {
    expect(decided(url, seen(url), { cameUp: 'redirect' })).toMatchObject({ reason: { code: 'address_composed' } });
    expect(decided(url, named('elsewhere.example'), { cameUp: 'redirect' }).answer).toBe('allow');
  });

  test('where a seen link leads is not the model’s choice, unless it is private', () => {
    const isOfSeenLink = true;
    expect(decided(url, { isOfSeenLink }, { cameUp: 'redirect' }).answer).toBe('allow');
    expect(decided(url, { isOfSeenLink }).answer).toBe('ask');
    for (const access of [{ class: 'network-private' }, { url: 'http://10.0.0.7/' }] as const)
      expect(decided(url, { isOfSeenLink }, { ...access, cameUp: 'redirect' })).toMatchObject({
        answer: 'ask',
        reason: { code: 'private_network' },
      });
  });

  test('a host that turns out to be private asks, even if its name was allowed', () => {
    const input = {
      ...named('elsewhere.example'),
      ...seen(url),
      rules: [rule('elsewhere.example')],
      isOfSeenLink: true,
    };
    const found = { class: 'network-private', cameUp: 'lookup' } as const;
    expect(decided(url, input, found)).toMatchObject({ answer: 'ask', reason: { code: 'private_network' } });
    // Where a configured service is, the user said themselves.
    expect(decided(url, { endpointOrigins: ['https://elsewhere.example'] }, found).answer).toBe('allow');
  });
});

describe('services that are set up', () => {
  const url = 'https://api.search.example/?q=x';

  test('a search goes while only one of the marks is there, and asks with both', () => {
    const service = { service: 'search' } as const;
    for (const marks of [[privateMark], [untrusted], [privateMark, secretMark]])
      expect(decided(url, { marks }, service).reason).toEqual({ code: 'search_service' });
    expect(decided(url, { marks: both }, service)).toMatchObject({
      answer: 'ask',
      reason: { code: 'service_marked', address: 'api.search.example' },
      marksShown: both,
      offers: [{}],
    });
    expect(decided(url, { marks: both, allowedServices: new Set(['api.search.example']) }, service).answer).toBe(
      'allow',
    );
    expect(decided(url, { marks: both, rules: [rule('api.search.example')] }, service)).toMatchObject({ by: 'rule' });
    expect(decided(url, { allowedServices: new Set(['api.search.example']) }).answer).toBe('ask');
  });

  test('queries to the user’s own account are not seen by others', () => {
    expect(decided(url, { marks: both }, { service: 'account' }).reason).toEqual({ code: 'own_account' });
  });

  test('a page of a site that the settings put elsewhere is decided by its own address, at that origin only', () => {
    const access = { standsFor: 'https://www.linkedin.com/jobs/view/1' };
    const at = (endpoint: string, more: Partial<PolicyInput>) =>
      decided('http://127.0.0.1:8001/jobs/view/1', { endpointOrigins: [endpoint], ...more }, access);
    expect(at('http://127.0.0.1:8001', named('linkedin.com')).answer).toBe('allow');
    expect(at('http://127.0.0.1:8001', seen(access.standsFor)).reason).toMatchObject({ domain: 'linkedin.com' });
    expect(at('http://127.0.0.1:8001', {}).answer).toBe('ask');
    expect(at('http://127.0.0.1:8002', named('linkedin.com')).answer).toBe('ask');
    expect(decided('https://evil.example/k', named('linkedin.com'), access).answer).toBe('ask');
  });
});

test('other requests are decided as before', () => {
  const url = 'https://example.org/';
  for (const more of [named('example.org'), seen(url)])
    expect(decide(policyInput(request(url, 'POST'), more))).toMatchObject({ answer: 'ask', classes: ['send'] });
});

describe('a page in the browser of the user', () => {
  const url = 'https://bank.example/transfer?to=x';
  const inBrowser = { inBrowser: true } as const;

  test('opens unasked while nothing was read', () => {
    expect(decided(url, { marks: [] }, inBrowser)).toMatchObject({ reason: { code: 'public_address' } });
  });

  test.each([
    [[untrusted], 'browser_untrusted'],
    [[privateMark], 'address_composed'],
    [both, 'address_composed'],
  ])('opening asks after %j, even for a link that was seen', (marks, code) => {
    for (const links of [{}, seen(url)])
      expect(decided(url, { marks, ...links }, inBrowser)).toMatchObject({ answer: 'ask', reason: { code } });
    // The same request without the sign-ins of the browser is none of this.
    expect(decided(url, { marks, ...seen(url) })).toMatchObject({ answer: 'allow' });
    expect(decided(url, { marks, ...named('bank.example') }, inBrowser)).toMatchObject({
      answer: 'allow',
      reason: { code: 'named_host' },
    });
  });
});
