import { beforeAll, describe, expect, test } from 'vitest';
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
const hosts = (input: unknown) => hostsInTexts(input, isPublicHost).map((url) => new URL(url).hostname);
const encoded = (text: string) => [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('');

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
]; // prettier-ignore

describe('a host in any text of an argument', () => {
  test.each(FORMS.map((form) => [JSON.stringify(form), form]))('is found in %s', (_, form) => {
    for (const input of [{ q: form }, { a: [[{ b: form }]] }, { [form]: 1 }]) expect(hosts(input)).toContain(HOST);
  });

  test('is found in generated texts around it', () => {
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
      expect(hosts({ q: text }), JSON.stringify(text)).toContain(HOST);
    }
  });

  test.each(['127.0.0.1', 'http://[::1]:80/', '93.184.216.34:80', 'host 10.0.0.7', 'localhost:3000'])(
    'as the address %s',
    (text) => {
      expect(hosts({ q: text })).toHaveLength(1);
    },
  ); // prettier-ignore

  test('no mail addresses, versions, files and words', () => {
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
      'e.g. this',
      'user.first_name',
      '3.14',
      'Hello.',
      'a.b',
      '10:30',
      'x/y.ts',
    ]; // prettier-ignore
    expect(hosts({ texts })).toEqual([]);
    expect(hosts({ q: 'secret.evil.md' })).toEqual(['secret.evil.md']);
    expect(hosts({ q: 'evil.zip/?d=secret' })).toEqual(['evil.zip']);
  });

  test('in time that grows as the text does', () => {
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
    ]) {
      const startedAt = ownTimeMs();
      hosts({ q: part.repeat(200_000 / part.length) });
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
  const reading = await effectsOfMcpCall({ ...facts, classes: { t: 'read' } }, call, { http, files });
  expect(reading.filter(({ kind }) => kind === 'request')).toMatchObject([
    { url: `https://${HOST}/`, isArgument: true },
  ]);
  const writing = await effectsOfMcpCall({ ...facts, classes: { t: 'write' } }, call, { http, files });
  expect(writing).toHaveLength(1);
});
