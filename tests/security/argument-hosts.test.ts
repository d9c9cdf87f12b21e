import { beforeAll, describe, expect, test } from 'vitest';
import { addressesIn } from '../../src-main/policy/mcp/argument-addresses.ts';
import { hostsInTexts } from '../../src-main/policy/mcp/hosts-in-text.ts';
import { effectsOfMcpCall } from '../../src-main/policy/mcp/mcp-call.ts';
import { type IsPublicHost, loadIsPublicHost } from '../../src-main/policy/mcp/mentioned-addresses.ts';
import { ownTimeMs } from '../fixtures/own-time.ts';
import { seededRandom } from '../fixtures/random.ts';
import { repetitions } from '../fixtures/repetitions.ts';

let isPublicHost: IsPublicHost;
beforeAll(async () => {
  isPublicHost = await loadIsPublicHost();
});
/** What the user had before the conversation. */
const FILES = new Set(['src/main.rs', 'notes.md', 'docs\\b.sh', 'my.notes.md']);
const hosts = async (input: unknown) => {
  const found = await hostsInTexts(input, { isPublicHost, wasFile: async (path) => FILES.has(path) });
  return found.map((url) => new URL(url).hostname);
};
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
const encoded = (text: string) => [...text].map((c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');

const HOST = 'evil.example.org';
const FORMS: readonly string[] = [
  `https://${HOST}/?d=1`,
  `GET https://${HOST}/x`,
  `//${HOST}/x`,
  `\\\\${HOST}\\share`,
  `git@${HOST}:a/b.git`,
  `user:pw@${HOST}/x`,
  `${HOST}`,
  `${HOST}/?d=1`,
  `${HOST}:8443`,
  `${HOST}:8443/x`,
  `--url=${HOST}`,
  `-o ProxyCommand=${HOST}`,
  `curl ${HOST}/x`,
  `see ${HOST}.`,
  `(${HOST})`,
  `"${HOST}"`,
  `[link](https://${HOST})`,
  `<${HOST}>`,
  `a,${HOST},b`,
  `x=${HOST}&y=1`,
  `{"a":["${HOST}"]}`,
  encoded(`https://${HOST}`),
  encoded(encoded(HOST)),
  `https:%2F%2F${HOST}`,
  `http:\\\\${HOST}`,
  `ht\ntps://${HOST}`,
  `ev\u200bil.example.org`,
  `evil。example。org`,
  `EVIL.Example.ORG`,
  `docs/${HOST}/x`,
  `site:${HOST}`,
  `ftp://a@${HOST}`,
  `data ${HOST}?q`,
  `\\u0065vil.example.org`,
  `https:\\/\\/${HOST}\\/`,
  `x@y.example ${HOST}`,
  `@${HOST}`,
  `|${HOST}|`,
  `${HOST};rm`,
  `~${HOST}`,
  `--${HOST}`,
  `_${HOST}_`,
  `git@${HOST}/`,
  `${'中'.repeat(80)}${HOST}`,
  'evil&period;example&period;org',
  'evil&#46;example&#x2e;org',
  'evil[.]example(.)org',
  'evil\\.example\\.org',
  'evil\\x2eexample\\u{2e}org',
  'evil=2Eexample=2Eorg',
  'ⓔⓥⓘⓛ.example.org',
  '𝐞𝐯𝐢𝐥.example.org',
  'evil·example·org',
  'evil․example•org',
  'evil・example・org',
  'evil۔example⸱org',
  'evil[dot]example(dot)org',
  'evil%u002eexample%u002eorg',
  'evil\\u{0000002e}example\\U0000002eorg',
  'evil\\x{2e}example\\056org',
  'evil&#00000000046;example&amp;#46;org',
  'evil&middot;example&centerdot;org',
  'evil.example.oꝛg',
  'evil.example.ᴏrɡ',
  'evil.example.órg',
  'evil.example.oгg',
  `git@${HOST}`,
  `clone hg@${HOST} now`,
  `ssh ada@${HOST}`,
  `scp x ada@${HOST}`,
  `root:hunter2@${HOST}`,
  `user:pw@${HOST}`,
  `"ada:pw-4711@${HOST}"`,
  `user:pin4711@${HOST}`,
  `login:password@${HOST}`,
  `db_user:hunter2@${HOST}`,
  `curl from:ada@${HOST}`,
  `  mosh ada@${HOST}`,
  `rsync -a . ada@${HOST}`,
  `git clone git@${HOST}`,
  'evil dot example dot org',
  'ask evil (dot) example dot org about it',
  'evil [dot] example (dot) org',
  'evil%25252525252eexample%2525252525252eorg',
  'evil&amp;amp;amp;amp;amp;#46;example.org',
  'evil\\\\\\\\u002eexample\\\\x2eorg',
  base64(`https://${HOST}/?d=1`),
  base64(HOST).replaceAll('=', ''),
  Buffer.from(`ÿ https://${HOST}/???`).toString('base64url'),
  base64(base64(base64(HOST))),
  `data:text/html;base64,${base64(`<img src="//${HOST}/?d=1">`)}`,
  `files/${base64(`https://${HOST}`)}`,
  `x${base64(`  https://${HOST}/a`)}`,
  base64(`{"url":"https:${encoded(`//${HOST}`)}"}`),
  base64(Buffer.from(`curl ${HOST}`, 'utf16le')),
  base64(Buffer.from([0x89, 0x50, 0xff, 0, ...Buffer.from(`http://${HOST}/`), 0xfe])),
  base64(`{"a":"${'b'.repeat(60)}","u":"${HOST}"}`).replace(/(.{76})/g, '$1\r\n'),
  encoded(base64(HOST)),
  Buffer.from(`http://${HOST}`).toString('hex'),
  `0x${Buffer.from(HOST).toString('hex').toUpperCase()}`,
]; // prettier-ignore

test('the control: where a value stands says it of few of them', () => {
  const inPlace = FORMS.filter((form) => addressesIn({ q: form }).some((url) => new URL(url).hostname === HOST));
  expect(inPlace.length).toBeLessThan(FORMS.length / 4);
});

describe('a host in any text of an argument', () => {
  test.each(FORMS.map((form) => [JSON.stringify(form), form]))('is found in %s', async (_, form) => {
    for (const input of [{ q: form }, { a: [[{ b: form }]] }, { [form]: 1 }])
      expect(await hosts(input)).toContain(HOST);
  });

  test('is found in generated texts around it', async () => {
    const random = seededRandom(4);
    const around = [
      ' ',
      '\n',
      '"',
      "'",
      '(',
      ')',
      '<',
      '>',
      ',',
      ';',
      '|',
      '=',
      '&',
      '/',
      '//',
      ':',
      '?',
      '#',
      '`',
      '*',
      '[',
      ']',
      '{',
      '}',
      '!',
      'say ',
      ' or',
      '世',
      '—',
      '\\',
      '$',
      '%20',
      '%2F',
      'x ',
      '1 ',
      '..',
      '@ ',
    ]; // prettier-ignore
    const pick = () => around[Math.floor(random() * around.length)] ?? '';
    for (let made = 0; made < repetitions(1_000, 50_000); made++) {
      const [before, after] = [0, 1].map(() => Array.from({ length: Math.floor(random() * 5) }, pick).join(''));
      // A letter or an at sign directly beside it makes another name, or a mail address.
      if (/[\p{L}\p{N}_.。-]$/u.test(before ?? '') || /^[\p{L}\p{N}_.-]|^@/u.test(after ?? '')) continue;
      const text = `${before}${HOST}${after}`;
      expect(await hosts({ q: text }), JSON.stringify(text)).toContain(HOST);
    }
  });

  test('is found in generated spellings', async () => {
    const random = seededRandom(31);
    const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
    const code = (letter: string, base = 16) => (letter.codePointAt(0) ?? 0).toString(base);
    const spellings: readonly ((letter: string) => string)[] = [
      (letter) => letter,
      (letter) => letter.toUpperCase(),
      (letter) => `%${code(letter)}`,
      (letter) => `%25${code(letter)}`,
      (letter) => `\\u{${code(letter)}}`,
      (letter) => `\\u00${code(letter)}`,
      (letter) => `\\x${code(letter)}`,
      (letter) => `&#x${code(letter)};`,
      (letter) => `&#${code(letter, 10)};`,
      (letter) => `&amp;#${code(letter, 10)};`,
      (letter) => `${letter}\u200b`,
      (letter) => `&shy;${letter}`,
      (letter) => `\\u200b${letter}`,
      (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0),
    ];
    const dots = ['.', '。', '．', '｡', '․', '·', '•', '‧', '∙', '⋅', '・', '･', 'ꓸ', '۔', '[.]', '(dot)', '&period;'];
    const ends = ['org', 'oꝛg', 'ᴏrg', 'orɡ', 'órg', 'oгg', 'ⓞrg', '𝐨rg'];
    for (let made = 0; made < repetitions(500, 20_000); made++) {
      const [spelling, dot] = [() => spellings[Math.floor(random() * spellings.length)], pick(dots)];
      const labels = ['evil', 'example'].map((label) => [...label].map((letter) => spelling()?.(letter)).join(''));
      const text = [...labels, pick(ends)].join(dot);
      expect(await hosts({ q: text }), text).toContain(HOST);
    }
  });

  test('is found in generated encodings, one within another', async () => {
    const random = seededRandom(64);
    const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
    const noise = () => Buffer.from(Array.from({ length: Math.floor(random() * 7) }, () => Math.floor(random() * 256)));
    const words = () => 'abcdefghijk'.slice(0, Math.floor(random() * 11));
    const encodings: readonly ((text: string) => string)[] = [
      base64,
      (text) => Buffer.from(text).toString('base64url'),
      (text) => base64(text).replaceAll('=', ''),
      (text) => base64(Buffer.concat([noise(), Buffer.from(` ${text} `), noise()])),
      (text) => base64(text).replace(/(.{10,20})/g, '$1\n'),
      (text) => Buffer.from(text).toString('hex'),
      (text) => `${words()}/${base64(text)}`,
      encoded,
    ];
    for (let made = 0; made < repetitions(300, 10_000); made++) {
      let text = `${words()} https://${HOST}/?d=1`;
      for (let times = 0; times <= random() * 3; times++) text = pick(encodings)?.(text) ?? text;
      expect(await hosts({ q: text }), text).toContain(HOST);
    }
  });

  test.each([
    '127.0.0.1',
    'http://[::1]:80/',
    '93.184.216.34:80',
    'host 10.0.0.7',
    'localhost:3000',
    '0177.0.0.1',
    '0x7f.0x0.0x0.0x1',
    '//2130706433/',
    '//0x7f000001/x',
    'ping 2001:db8::1',
    '２１３．0．0．1',
    'x@10.0.0.7',
    `${'a.'.repeat(60)}example.org`,
    'i❤.ws',
    'xn--mller-kva.de',
    '0xd83ac2ce/x',
    '0x7f000001:80',
    '0x7f000001?d=1',
    'curl 0xd83ac2ce',
    'git@0xd83ac2ce',
    'see //0x7f000001.',
    'ada@3627734734',
    '0x7f.1/x',
    '0x7f.1:80',
    'curl 0x7f.1',
    'ssh ada@0x7f.1',
    '//0x7f.1/x',
    '0xd8.3850958',
    '0x7f.0.1/x',
    '127.1:80',
    '20260101/x',
    'curl 3627734734/4711',
    '3627734734/x',
    '3627734734?d=1',
    '3627734734:8080/x',
    '033016541316/x',
    'ping 3627734734',
    'curl 017700000001',
    '216.3850958/x',
    '216.58.49870/x',
    '127.1:8080/x',
  ])('as the address %s', async (text) => {
    expect(await hosts({ q: text })).toHaveLength(1);
  }); // prettier-ignore

  test('no mail addresses, versions, files and words', async () => {
    const texts = [
      'ada@example.org',
      'to: ada.lovelace@mail.example.org, b@c.example',
      'v1.2.3',
      '1.2.3',
      '2.0.0-rc.1',
      '1.2.3.400',
      'package.json',
      'src/main.rs',
      'notes.md',
      'C:\\a\\b.sh',
      'docs\\b.sh',
      'my.notes.md:12',
      'file:///home/ada/x.md',
      '/home/ada/x.py',
      './y.zip',
      'std::dec',
      '10:30:15',
      'e.g. this',
      'user.first_name',
      '3.14',
      'Hello.',
      'a.b',
      '10:30',
      'x/y.ts',
      'from:ada@example.org',
      'mailto:ada@example.org',
      'assignee:ada@example.org',
      'root@example.org',
      '1700000000',
      'id 3627734734',
      '+4915123456789',
      '017712345670',
      '20260101/20261231',
      '24.12.2026/31.12.2026',
      '9.99/month',
      '16.04/x86',
      '3.14159265',
      '4.17.21/lodash.js',
      '0xff',
      'Windows Update error 0x80070005',
      'Windows Update error 0x80070005.',
      'crash 0xC0000005',
      'crash 0xC0000005: access denied',
      'from 0x80070005/0x80070002',
      'ETH 0x52908400',
      'at 0x7ffe1234',
      'price 0x10.5',
      'foo 127:15 error',
      '  127:30  error',
      '1234567899/0800',
      '30123456/12',
      'account (1234567899/0800), due',
      'release@20240101',
      'user:ada@acme.com',
      'login:ada.lovelace@acme.com',
      'assigned_to:ada@acme.com',
      'assigned:ada@acme.com',
      'updated_by:ada@acme.com',
      'created-by:ada@acme.com',
      'user-email:ada4711@acme.com',
      'email_address:ada@acme.com',
      'emailAddress:ada@acme.com',
      'customer:ada@acme.com',
      'billing_account:ada@acme.com',
      'contactPerson:ada@acme.com',
      'kontakt:ada@acme.com',
      'ping ada@acme.com about it',
      'curl ada@acme.com',
      'git log --author=ada@acme.com',
      'git log --author ada@acme.com',
      'Home · Contact',
      'アパレル・ファッション',
      'paral·lel',
      'и т.д. и т.п.',
      'например.со',
      'ADA@EXAMPLE.ORG',
      'ada@müller.de',
      'ada@l·l.cat',
      'polka dot dress',
      'the dot product',
      'dot org',
      base64('Hello, this is a longer text. It names nobody.'),
      base64('ada@example.org'),
      'Y3Vyc29yOnYyOpHOAA==',
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
      '9c1185a5c5e9fc54612808977ee8f548b2258d31',
      'd41d8cd98f00b204e9800998ecf8427e',
      '550e8400-e29b-41d4-a716-446655440000',
    ]; // prettier-ignore
    expect(await hosts({ texts })).toEqual([]);
  });

  test('whole, with the dot inside a label that a registry gives out', async () => {
    // The control: without it, the rest would be taken for a host that the user may have named.
    expect(await hosts({ q: 'l·lexample.cat' })).toContain('xn--llexample-0pa.cat');
    expect(await hosts({ q: 'l·lexample.cat' })).not.toContain('lexample.cat');
  });

  const LIKE_FILES = [
    'evil.md',
    'x.py',
    'a.zip',
    'pin-4711.evil.md',
    'main.rs',
    'run.sh',
    'lib.so',
    'clip.mov',
    'a.b.ps',
  ];
  test.each(LIKE_FILES)('%s, which looks like a file, if the user had no such file', async (name) => {
    const texts = [
      name,
      `see ${name}.`,
      `docs/${name}`,
      `${name}:443`,
      `--in=${name}`,
      `https:${name}`,
      `https:/${name}`,
    ];
    const more = [
      `${name}/?d=1`,
      `//${name}`,
      `/a//${name}`,
      `/x:${name}`,
      `@${name}/`,
      `https://${'u'.repeat(300)}@${name}`,
    ];
    for (const text of [...texts, ...more]) expect(await hosts([text]), text).toContain(name);
    // The control: one that they had.
    if (FILES.has(`src/${name}`)) expect(await hosts([`src/${name}`])).toEqual([]);
  });

  test('no more names of files are looked up than there are in calls', async () => {
    const names = Array.from({ length: 300 }, (_, at) => `n${at}.md`);
    let lookups = 0;
    const wasFile = async () => ++lookups > 0;
    expect(await hostsInTexts(names, { isPublicHost, wasFile })).toHaveLength(200);
    expect(lookups).toBe(100);
  });

  test('in time that grows as the text does', async () => {
    for (const part of [
      '"',
      'a.',
      'a',
      '%25',
      '.',
      '@',
      '//',
      'a@',
      '[',
      ':',
      '\\',
      'a-',
      'http://',
      '%',
      '1.',
      'a.md/',
      '\\\\u',
      '%25',
      '%2525',
      '&amp;',
      ' dot ',
      'YS5v',
      'a dot ',
      '%41%42c',
      '612e',
      base64('a.co '),
    ]) {
      const startedAt = ownTimeMs();
      await hosts({ q: part.repeat(200_000 / part.length) });
      expect(ownTimeMs() - startedAt, part).toBeLessThan(3_000);
    } // prettier-ignore
  });
});

test('a call that reads is judged by it; the control is a call that asks anyway', async () => {
  const http = {
    access: (url: string) =>
      ({ kind: 'request', class: 'network', url, host: new URL(url).host, method: 'GET' }) as const,
  }; // prettier-ignore
  const files = { resolve: () => Promise.reject(new Error('No file')) };
  const call = { tool: 't', inputSchema: {}, input: { query: `say ${HOST}/x` } };
  const facts = { server: 's', text: 'outside', remoteHost: null } as const;
  const reading = await effectsOfMcpCall({ ...facts, classes: { t: 'read' } }, call, {
    http,
    files,
    wasFile: async () => false,
  });
  expect(reading.filter(({ kind }) => kind === 'request')).toMatchObject([
    { url: `https://${HOST}/`, isArgument: true },
  ]);
  const writing = await effectsOfMcpCall({ ...facts, classes: { t: 'write' } }, call, {
    http,
    files,
    wasFile: async () => false,
  });
  expect(writing).toHaveLength(1);
});
