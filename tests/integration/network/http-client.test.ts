import { once } from 'node:events';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { HttpContext, HttpRequest } from '../../../src-main/network/http.ts';
import { HttpFailure } from '../../../src-main/network/http.ts';
import { createHttpClient, type HttpClientOptions } from '../../../src-main/network/http-client.ts';
import type { Access } from '../../../src-main/policy/access.ts';
import { ToolFailure } from '../../../src-main/tools/contract.ts';
import {
  brokenOff,
  compressed,
  drip,
  endless,
  gzipBomb,
  headerFlood,
  html,
  lying,
  notHttp,
  page,
  redirect,
  redirectInUtf8,
  redirects,
  statusZero,
} from '../../fixtures/web/pages.ts';
import { type Page, startWebSite } from '../../fixtures/web/site.ts';

const never = new AbortController().signal;
/** Nobody is asked: where a request leads is not what is tested. */
const unguarded: HttpContext = { signal: never, authorized: [], allowAccess: async () => undefined };

function client(options: HttpClientOptions = {}) {
  const http = createHttpClient(options);
  onTestFinished(() => http.close());
  return {
    http,
    ask: (url: string, more: Partial<HttpRequest> = {}, context: Partial<HttpContext> = {}) =>
      http.request({ url, ...more }, { ...unguarded, ...context }),
    failure: async (url: string, more: Partial<HttpRequest> = {}): Promise<HttpFailure> => {
      const answer: unknown = await http.request({ url, ...more }, unguarded).catch((error: unknown) => error);
      if (answer instanceof HttpFailure) return answer;
      throw new Error('The request did not fail as one', { cause: answer });
    },
  };
}

/** `2,000,000` counts as one. */
const numbersIn = (text: string) =>
  (text.match(/\d[\d,.]*/g) ?? []).map((number) => Number(number.replaceAll(',', '')));

const nothingLookedUp = () => Promise.reject(new Error('nothing may be looked up'));
/** Names that all mean this machine. */
const everythingHere = async () => [{ address: '127.0.0.1', family: 4 }];
const PUBLIC = { address: '93.184.215.14', family: 4 };

describe('effects of a request', () => {
  test.each([
    ['http://127.0.0.1/', 'network-private', '127.0.0.1'],
    ['http://0x7f.1:8080/', 'network-private', '127.0.0.1'],
    ['http://2130706433/', 'network-private', '127.0.0.1'],
    ['http://[::1]/', 'network-private', '::1'],
    ['http://[::ffff:10.0.0.1]/', 'network-private', '::ffff:a00:1'],
    ['http://[64:ff9b::a9fe:a9fe]/', 'network-private', '64:ff9b::a9fe:a9fe'],
    ['http://169.254.169.254/latest', 'network-private', '169.254.169.254'],
    ['http://router.local/', 'network-private', 'router.local'],
    ['http://LocalHost./', 'network-private', 'localhost'],
    ['https://93.184.215.14/', 'network', '93.184.215.14'],
    ['https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/', 'network', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  ])('%s is %s', async (url, accessClass, host) => {
    const { http } = client({ lookup: nothingLookedUp });
    const access = http.access(url, 'GET');
    const isMetadata = url.includes('169.254.169.254') || url.includes('a9fe:a9fe') ? { isMetadata: true } : {};
    expect(access).toEqual({
      kind: 'request',
      class: accessClass,
      url: new URL(url).href,
      host,
      method: 'GET',
      ...isMetadata,
    });
  });

  test('a host name counts as public until it is looked up, unless no public host can have that name', () => {
    const { http } = client({ lookup: nothingLookedUp });
    const of = (host: string) => http.access(`https://${host}/`, 'GET').class;
    for (const host of ['name.example', 'localhost.example', 'lan.example', 'my-local', 'xn--bcher-kva.de', 'a.b.c.d'])
      expect(of(host), host).toBe(host === 'my-local' ? 'network-private' : 'network');
    for (const host of ['app.test', 'nas.lan', 'fritz.box.home', 'wiki.corp', 'intranet', 'printer.', 'a.internal'])
      expect(of(host), host).toBe('network-private');
  });

  test('a public address of this machine or its network counts as private', () => {
    const ownNetworks = () => [
      '127.0.0.1/8',
      '93.184.215.14/24',
      '2606:2800:21f:cb07::7/64',
      '45.1.2.3/0',
      'fe80::1/64',
    ];
    const { http } = client({ ownNetworks, lookup: nothingLookedUp });
    const of = (url: string) => http.access(url, 'GET').class;
    for (const mine of ['93.184.215.14', '93.184.215.99', '[::ffff:5db8:d70e]', '[2606:2800:21f:cb07::99]', '45.1.2.3'])
      expect(of(`http://${mine}:8080/`), mine).toBe('network-private');
    for (const other of ['93.184.216.14', '[2606:2800:21f:cb08::7]', '45.1.2.4'])
      expect(of(`http://${other}:8080/`), other).toBe('network');
  });

  test('the networks of this machine are asked for only where an address could be in one, and then each time', () => {
    const networks: string[] = [];
    const ownNetworks = vi.fn(() => networks);
    const { http } = client({ ownNetworks, lookup: nothingLookedUp });
    const of = (url: string) => http.access(url, 'GET').class;
    for (const url of ['https://name.example/', 'http://127.0.0.1:8080/', 'http://192.168.1.1/', 'http://printer/'])
      of(url);
    expect(ownNetworks).not.toHaveBeenCalled();
    expect(of('http://93.184.215.99/')).toBe('network');
    // A VPN connects.
    networks.push('93.184.215.14/24');
    expect(of('http://93.184.215.99/')).toBe('network-private');
    networks.pop();
    expect(of('http://93.184.215.99/')).toBe('network');
  });

  test('Stop does not wait for a name server', async () => {
    const stop = new AbortController();
    const { http } = client({ lookup: () => new Promise(() => undefined) });
    const request = http.request({ url: 'https://slow.example/' }, { ...unguarded, signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(request).rejects.toThrow('stopped');
  });

  test.each([
    ['ftp://x', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['example.org', 'scheme'],
    ['', 'scheme'],
    ['http://', 'url'],
    ['http://a b/', 'url'],
    ['https://me:hunter2@example.org/', 'url'],
    ['https://bank.example@evil.example/', 'url'],
  ])('%s is refused before anything is looked up', async (url, code) => {
    const { http, failure } = client({ lookup: nothingLookedUp });
    const refused = await failure(url);
    expect(refused).toMatchObject({ code });
    expect(() => http.access(url, 'GET')).toThrow(expect.objectContaining({ code, message: refused.message }));
  });
});

test('any input for a URL is either valid or rejected with a readable error', () => {
  const { http } = client({ lookup: nothingLookedUp });
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc
      .tuple(fc.constantFrom('http://', 'https:', 'HTTP:///', '//', 'ftp://'), fc.string())
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (url) => {
      try {
        expect(http.access(url, 'GET').url).toMatch(/^https?:\/\/[^@/]+\/[^#]*$/);
      } catch (error) {
        if (!(error instanceof HttpFailure)) throw error;
        expect(error.code).toMatch(/^(?:scheme|url)$/);
      }
    }),
  );
});

describe('redirects', () => {
  test('five redirects are followed, six are not', async () => {
    const site = await startWebSite({ ...redirects(6, '/end'), '/end': html('there') });
    const { ask, failure } = client();
    const response = await ask(`${site.url}/hop/5`);
    expect(response).toMatchObject({ status: 200, url: `${site.url}/end`, isRedirected: true });
    expect(response.body.toString()).toBe('there');
    expect(await failure(`${site.url}/hop/6`)).toMatchObject({ code: 'too_many_redirects' });
    expect((await ask(`${site.url}/end`)).isRedirected).toBe(false);
  });

  test('a loop of redirects ends, and none is followed if the caller wants none', async () => {
    const site = await startWebSite({ '/loop': redirect('/loop', 308) });
    const { ask, failure } = client();
    expect(await failure(`${site.url}/loop`)).toMatchObject({ code: 'too_many_redirects' });
    expect(site.requests).toHaveLength(6);
    const answer = await ask(`${site.url}/loop`, { maxRedirects: 0 });
    expect(answer).toMatchObject({ status: 308, isRedirected: false, headers: { location: '/loop' } });
    expect(answer.body.toString()).toBe('moved');
  });

  test.each([
    ['file:///etc/passwd', 'scheme'],
    ['data:text/html,hi', 'scheme'],
    ['http://a:b@127.0.0.1/', 'url'],
    ['http://[::1', 'url'],
  ])('a redirect to %s is refused', async (location, code) => {
    const site = await startWebSite({ '/': redirect(location) });
    expect(await client().failure(site.url)).toMatchObject({ code });
  });

  test('an address in UTF-8 is read as it was meant, one in another charset as it came', async () => {
    const site = await startWebSite({
      '/': redirectInUtf8('/grüße?q=日本'),
      '/gr%C3%BC%C3%9Fe': html('there'),
      '/latin': (response) => response.writeHead(302, { location: '/gr\u00fc' }).end(),
      '/gr%C3%BC': html('latin'),
    });
    const { ask } = client();
    expect((await ask(site.url)).url).toBe(`${site.url}/gr%C3%BC%C3%9Fe?q=%E6%97%A5%E6%9C%AC`);
    expect((await ask(site.url, { maxRedirects: 0 })).headers.location).toBe('/grüße?q=日本');
    expect((await ask(`${site.url}/latin`)).body.toString()).toBe('latin');
  });

  test('a redirect to another origin does not get the secrets', async () => {
    const other = await startWebSite({ '/': html('other') });
    const site = await startWebSite({ '/': redirect('/same'), '/same': redirect(other.url, 307) });
    const headers = {
      Authorization: 'Bearer t',
      Cookie: 'c=1',
      'X-Api-Key': 'k',
      'User-Agent': 'me',
      Accept: 'text/html',
    };
    await client().ask(site.url, { method: 'PUT', body: '{}', headers });
    const told = (request: { headers: NodeJS.Dict<string | string[]> } | undefined) =>
      ['authorization', 'cookie', 'x-api-key', 'user-agent', 'accept'].map((name) => request?.headers[name]);
    expect(told(site.requests[1])).toEqual(['Bearer t', 'c=1', 'k', 'me', 'text/html']);
    expect(told(other.requests[0])).toEqual([undefined, undefined, undefined, 'me', 'text/html']);
    expect(other.requests[0]).toMatchObject({ method: 'PUT', body: '{}' });
  });

  test.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [302, 'PUT', 'PUT', 'x'],
    [307, 'POST', 'POST', 'x'],
    [308, 'DELETE', 'DELETE', 'x'],
  ])('%i after %s asks with %s', async (status, method, becomes, body) => {
    const site = await startWebSite({ '/': redirect('/next', status), '/next': html('ok') });
    await client().ask(site.url, { method, body: 'x', headers: { 'Content-Type': 'text/plain' } });
    const [, second] = site.requests;
    expect(second).toMatchObject({ method: becomes, body });
    expect(second?.headers['content-type']).toBe(becomes === 'GET' ? undefined : 'text/plain');
  });
});

describe('only addresses that were classified are connected to', () => {
  /** What is asked about once `url`, which was allowed as it is written, is looked up. */
  async function turnedOut(url: string, options: HttpClientOptions): Promise<readonly Access[]> {
    const { http } = client(options);
    const authorized = [http.access(url, 'GET')];
    const asked: Access[] = [];
    const declined = new ToolFailure('no', { outcome: 'declined' });
    const allowAccess = async (access: Access) => {
      asked.push(access);
      throw declined;
    };
    await expect(http.request({ url }, { signal: never, authorized, allowAccess })).rejects.toBe(declined);
    return asked;
  }

  test('a name that turns out to be this machine is asked about before anything is sent', async () => {
    const site = await startWebSite({ '/': html('secret') });
    const url = `http://inner.example:${site.port}/`;
    expect(await turnedOut(url, { lookup: everythingHere })).toEqual([
      { kind: 'request', class: 'network-private', url, host: 'inner.example', method: 'GET', cameUp: 'lookup' },
    ]);
    expect(site.connections()).toBe(0);
  });

  test.each([
    ['a private address', ['192.168.1.7'], {}],
    ['a private address among public ones', [PUBLIC.address, '10.0.0.7'], {}],
    ['this network by a public number', ['198.51.7.9'], {}],
    ['where a cloud machine hands out credentials', ['169.254.169.254'], { isMetadata: true }],
  ])('so is one that means %s', async (_, addresses, more) => {
    const lookup = async () => addresses.map((address) => ({ address, family: 4 }));
    const asked = await turnedOut('https://name.example/', { lookup, ownNetworks: () => ['198.51.7.1/24'] });
    expect(asked).toMatchObject([{ class: 'network-private', host: 'name.example', cameUp: 'lookup', ...more }]);
  });

  test('a name of the own network that means where credentials are is asked about again', async () => {
    const lookup = async () => [{ address: '169.254.169.254', family: 4 }];
    expect(await turnedOut('http://nas.lan/', { lookup })).toMatchObject([{ isMetadata: true, cameUp: 'lookup' }]);
  });

  test('an unknown host name is reported', async () => {
    const lookup = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND nowhere.example'), { code: 'ENOTFOUND' });
    };
    const { failure } = client({ lookup });
    expect(await failure('https://nowhere.example/')).toMatchObject({
      code: 'connection',
      message: 'The host nowhere.example could not be found',
    });
  });

  test('nothing is looked up before it was allowed, whether it was asked for or led to', async () => {
    const site = await startWebSite({ '/': redirect('https://collect.example/?q=x') });
    const looked: string[] = [];
    const lookup = async (hostname: string) => {
      looked.push(hostname);
      return [PUBLIC];
    };
    const { http } = client({ lookup });
    const allowAccess = async () => {
      throw new ToolFailure('no');
    };
    const declined = { signal: never, allowAccess };
    await expect(http.request({ url: 'https://a.example/' }, { ...declined, authorized: [] })).rejects.toThrow('no');
    const authorized = [http.access(site.url, 'GET')];
    await expect(http.request({ url: site.url }, { ...declined, authorized })).rejects.toThrow('no');
    expect(looked).toEqual([]);
  });

  test('a name is looked up once for each hop, and the connection goes to that answer', async () => {
    const site = await startWebSite({ '/': redirect('/next'), '/next': html('here') });
    let lookups = 0;
    const lookup = async () => {
      lookups++;
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const { ask } = client({ lookup });
    const url = `http://name.example:${site.port}/`;
    expect((await ask(url)).body.toString()).toBe('here');
    expect(lookups).toBe(2);
    expect(site.requests.map(({ headers }) => headers.host)).toEqual(Array(2).fill(`name.example:${site.port}`));
  });

  test('a kept connection is not used for another address of the same name', async () => {
    const first = await startWebSite({ '/': html('first') });
    let address = '127.0.0.1';
    const { ask, failure } = client({ lookup: async () => [{ address, family: 4 }] });
    const url = `http://name.example:${first.port}/`;
    for (let times = 0; times < 5; times++) await ask(url);
    const made = first.connections();
    expect(made).toBeLessThan(5);
    address = '127.0.0.2';
    expect(await failure(url)).toMatchObject({ code: 'connection', cause: { code: 'ECONNREFUSED' } });
    expect(first.requests).toHaveLength(5);
    expect(first.connections()).toBe(made);
  });

  test('each hop that was not allowed is asked about, with its own class', async () => {
    const inner = await startWebSite({ '/': html('inner') });
    const site = await startWebSite({
      '/': redirect('/same'),
      '/same': redirect(`http://inner.example:${inner.port}/`),
    });
    const { http } = client({ lookup: everythingHere });
    const authorized = [http.access(site.url, 'GET')];
    const asked: Access[] = [];
    const allowAccess = async (access: Access) => void asked.push(access);
    const response = await http.request({ url: site.url }, { signal: never, authorized, allowAccess });
    expect(response.body.toString()).toBe('inner');
    const access = {
      kind: 'request',
      url: `http://inner.example:${inner.port}/`,
      host: 'inner.example',
      method: 'GET',
    };
    expect(asked).toEqual([
      { ...access, class: 'network', cameUp: 'redirect' },
      { ...access, class: 'network-private', cameUp: 'lookup' },
    ]);
  });

  test('permission to read one local port does not cover another port, nor writing', async () => {
    const other = await startWebSite({ '/': html('other') });
    const site = await startWebSite({ '/': redirect(other.url, 307) });
    const { http } = client();
    const asked: string[] = [];
    const allowAccess = async (access: Access) => {
      if (access.kind === 'request') asked.push(`${access.method} ${access.url}`);
    };
    const authorized = [http.access(site.url, 'GET')];
    await http.request({ url: site.url }, { signal: never, authorized, allowAccess });
    expect(asked).toEqual([`GET ${other.url}/`]);
    await http.request({ url: site.url, method: 'POST', body: 'x' }, { signal: never, authorized, allowAccess });
    expect(asked.slice(1)).toEqual([`POST ${site.url}/`, `POST ${other.url}/`]);
  });

  test('the host that is asked about is the host that is told', async () => {
    const site = await startWebSite({ '/': html('ok') });
    await client().ask(site.url, { headers: { Host: 'evil.example', 'Content-Length': '99', Connection: 'upgrade' } });
    expect(site.requests[0]?.headers).toMatchObject({ host: `127.0.0.1:${site.port}` });
  });
});

describe('the size of an answer', () => {
  test('an answer that is too large is recognised by its stated length, else by what has arrived', async () => {
    const big = 'x'.repeat(2_500_000);
    const site = await startWebSite({ '/stated': page(big, 'text/plain'), '/endless': endless, '/bomb': gzipBomb });
    const { failure } = client();
    const told = async (path: string) => {
      const { code, message } = await failure(site.url + path);
      const [bytes, max] = numbersIn(message);
      return { code, bytes, max };
    };
    const tooLarge = { code: 'too_large', max: 2_000_000 };
    expect(await told('/stated')).toEqual({ ...tooLarge, bytes: 2_500_000 });
    for (const path of ['/endless', '/bomb']) {
      const { bytes, ...rest } = await told(path);
      expect(rest).toEqual(tooLarge);
      expect(bytes).toBeGreaterThan(2_000_000);
      expect(bytes).toBeLessThan(2_200_000);
    }
  });

  test('an answer may have exactly the limit, which counts decoded bytes', async () => {
    const site = await startWebSite({
      '/exact': page('x'.repeat(2_000_000), 'text/plain'),
      '/small': compressed('x'.repeat(1_001), 'gzip'),
    });
    const { ask, failure } = client();
    expect((await ask(`${site.url}/exact`)).body).toHaveLength(2_000_000);
    const { code, message } = await failure(`${site.url}/small`, { maxBytes: 1_000 });
    expect([code, ...numbersIn(message)]).toEqual(['too_large', 1_001, 1_000]);
  });

  test.each(['gzip', 'br', 'deflate', 'deflate without a header'] as const)(
    'the compression %s is decoded',
    async (how) => {
      const text = 'Grüße, '.repeat(10_000);
      const site = await startWebSite({ '/': compressed(text, how) });
      const response = await client().ask(site.url);
      expect(response.body.toString()).toBe(text);
      expect(site.requests[0]?.headers['accept-encoding']).toBe('gzip, deflate, br');
    },
  );

  test('several compressions are decoded in order, unknown ones are ignored, and at most five', async () => {
    const encoded = (contentEncoding: string, body: string | Buffer): Page => {
      return (response) => response.writeHead(200, { 'content-encoding': contentEncoding }).end(body);
    };
    const site = await startWebSite({
      '/twice': encoded('gzip, x-gzip', gzipSync(gzipSync('twice'))),
      '/utf-8': encoded('utf-8', 'as it is'),
      '/many': encoded(Array(6).fill('gzip').join(), gzipSync('x')),
      '/broken': encoded('gzip', 'this is no gzip'),
      '/cut': encoded('gzip', gzipSync('all that came').subarray(0, -8)),
    });
    const { ask, failure } = client();
    const body = async (path: string) => (await ask(site.url + path)).body.toString();
    expect(await body('/twice')).toBe('twice');
    expect(await body('/utf-8')).toBe('as it is');
    expect(await body('/cut')).toBe('all that came');
    expect(await failure(`${site.url}/many`)).toMatchObject({
      code: 'connection',
      message: 'The answer is compressed too many times',
    });
    expect(await failure(`${site.url}/broken`)).toMatchObject({
      code: 'connection',
      message: 'The answer of 127.0.0.1 is compressed in a way that cannot be read',
    });
  });
});

describe('time', () => {
  test('a slow drip and a server that says nothing end when the time has run out', async () => {
    const site = await startWebSite({ '/drip': drip, '/silent': () => undefined });
    const { failure } = client();
    for (const path of ['/drip', '/silent']) {
      const { code, message } = await failure(site.url + path, { timeoutMs: 250 });
      expect([code, ...numbersIn(message)]).toEqual(['timed_out', 0.25]);
    }
  });

  test('all hops share one limit', async () => {
    const slowly: Page = (response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 100);
    };
    const site = await startWebSite({ '/': slowly });
    expect(await client().failure(site.url, { timeoutMs: 250 })).toMatchObject({ code: 'timed_out' });
  });

  test('Stop ends an exchange wherever it is, and its connection', async () => {
    const stop = new AbortController();
    const closed: Promise<unknown>[] = [];
    const site = await startWebSite({
      '/': (response) => {
        closed.push(once(response, 'close'));
        response.writeHead(200).write('some');
        stop.abort(new Error('stopped'));
      },
    });
    await expect(client().ask(site.url, {}, { ...unguarded, signal: stop.signal })).rejects.toThrow('stopped');
    await Promise.all(closed);
    expect(closed).toHaveLength(1);
    await expect(client().ask(site.url, {}, { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow(
      'before',
    );
    expect(site.requests).toHaveLength(1);
  });

  test('the answer can be refused by its head; then its body is not waited for', async () => {
    const site = await startWebSite({ '/': drip });
    const onHead = ({ status, headers }: { status: number; headers: Readonly<Record<string, string>> }) => {
      throw new ToolFailure(`${status} ${headers['content-type']}`);
    };
    await expect(client().ask(site.url, { onHead })).rejects.toThrow('200 text/plain');
  });
});

describe('errors are readable', () => {
  const NOT_HTTP = '127.0.0.1 does not speak HTTP there';
  test.each([
    ['a length that is a lie', lying(100, 'short'), expect.stringMatching(/./)],
    ['a flood of headers', headerFlood, '127.0.0.1 sent more headers than are accepted'],
    ['another protocol', notHttp, NOT_HTTP],
    ['a status below 100', statusZero, NOT_HTTP],
    ['a connection that breaks off', brokenOff, '127.0.0.1 broke the connection off'],
  ])('%s', async (_what, broken, message: unknown) => {
    const site = await startWebSite({ '/': broken });
    expect(await client().failure(site.url)).toMatchObject({ code: 'connection', message });
  });

  test('invalid URLs, and URLs with a password', async () => {
    const { failure } = client();
    expect((await failure('http://')).message).toBe('The URL is not valid');
    expect((await failure('https://me:hunter2@example.org/')).message).toBe(
      'A URL with a user name or password in it is refused; send an Authorization header',
    );
  });

  test('connection refused, or a server without TLS', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    server.close();
    const { failure } = client({
      lookup: async () => [
        { address: '127.0.0.1', family: 4 },
        { address: '127.0.0.2', family: 4 },
      ],
    });
    expect(await failure(`http://closed.example:${port}/`)).toMatchObject({
      code: 'connection',
      message: 'closed.example refused the connection',
    });
    const site = await startWebSite({});
    expect(await failure(`https://127.0.0.1:${site.port}/`)).toMatchObject({
      code: 'connection',
      message: '127.0.0.1 does not speak TLS there',
    });
  });

  test('a header that cannot be sent is named, its value is not', async () => {
    const { failure } = client();
    const { message } = await failure('http://127.0.0.1:9/', { headers: { Authorization: 'Bearer a\nb-secret' } });
    expect(message).toMatch(/authorization/i);
    expect(message).not.toContain('secret');
  });

  test('204, HEAD and no body at all are answers', async () => {
    const site = await startWebSite({
      '/204': (response) => response.writeHead(204).end(),
      '/head': (response) => response.writeHead(200, { 'content-length': '5000000' }).end(),
    });
    const { ask } = client();
    expect(await ask(`${site.url}/204`)).toMatchObject({ status: 204, body: Buffer.alloc(0) });
    expect(await ask(`${site.url}/head`, { method: 'HEAD' })).toMatchObject({ status: 200, body: Buffer.alloc(0) });
  });
});

test("Node's own fetch keeps its own dispatcher", async () => {
  const site = await startWebSite({ '/': html('x') });
  await client().ask(site.url);
  const dispatcher: unknown = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'));
  const { Agent } = await import('undici');
  expect(dispatcher).toBeTypeOf('object');
  expect(dispatcher).not.toBeInstanceOf(Agent);
});
