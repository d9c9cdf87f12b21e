import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { connectionProblem } from '../../../src-main/network/connection-problem.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import { isRequired, mustBeOneOf, wrongScheme } from '../../fixtures/tool-texts.ts';
import { gzipBomb, page, redirect } from '../../fixtures/web/pages.ts';
import { type Page, startWebSite } from '../../fixtures/web/site.ts';

let tools: ToolHarness;
beforeEach(() => {
  tools = new ToolHarness({ consent: allowAll });
  onTestFinished(() => tools.dispose());
});

const echo: Page = (response, { method, headers, body }) =>
  page(`${method} ${headers['content-type'] ?? '-'} ${headers['x-mine'] ?? '-'} ${body}`, 'text/plain')(response, {
    method,
    headers,
    body,
    target: '',
  });

test('the answer: status, size and the body as it came', async () => {
  const { url } = await startWebSite({
    '/hi': page('hi', 'text/plain'),
    '/page': page('<p>as &amp; is</p>\n', 'text/html'),
    '/empty': (response) => response.writeHead(204).end(),
    '/moved': redirect('/hi', 301),
    '/russian': page(Buffer.from([0xcf, 0xf0]), 'text/plain; charset=windows-1251'),
  });
  expect(await tools.text('http_get', { url: `${url}/hi` })).toBe('200 OK (2 bytes)\n\nhi');
  expect(await tools.text('http_request', { url: `${url}/hi` })).toBe('200 OK (2 bytes)\n\nhi');
  expect(await tools.text('http_get', { url: `${url}/page` })).toBe('200 OK (19 bytes)\n\n<p>as &amp; is</p>\n');
  expect(await tools.call('http_get', { url: `${url}/none` })).toEqual({
    text: '404 Failed (12 bytes)\n\nno such page',
    isError: false,
  });
  expect(await tools.text('http_get', { url: `${url}/empty` })).toBe('204 OK (0 bytes)');
  expect(await tools.text('http_get', { url: `${url}/moved` })).toBe('301 Failed (5 bytes)\nLocation: /hi\n\nmoved');
  expect(await tools.text('http_get', { url: `${url}/russian` })).toBe('200 OK (2 bytes)\n\nПр');
  expect(new Set(tools.marks.map(({ kind, source }) => `${kind} ${source}`))).toEqual(
    new Set([`untrusted ${url}`, `private ${url}`]),
  );
  expect(tools.cards[0]).toEqual({ kind: 'page', url: `${url}/hi`, status: 200, contentType: 'text/plain', size: 2 });
});

test('a body is JSON by default', async () => {
  const { url } = await startWebSite({ '/': echo });
  const told = async (name: string, input: object) =>
    (await tools.text(name, { url, ...input })).split('\n').slice(2).join('\n');
  expect(await told('http_post', { body: { a: 1 } })).toBe('POST application/json - {"a":1}');
  expect(await told('http_post', { data: '{"a":1}' })).toBe('POST application/json - {"a":1}');
  expect(await told('http_post', { body: [1, 'x'] })).toBe('POST application/json - [1,"x"]');
  expect(await told('http_post', { body: '5' })).toBe('POST application/json - 5');
  expect(
    await told('http_post', { body: 'x=1', headers: { 'content-Type': 'application/x-www-form-urlencoded' } }),
  ).toBe('POST application/x-www-form-urlencoded - x=1');
  expect(await told('http_post', { body: '' })).toBe('POST - - ');
  expect(await told('http_post', {})).toBe('POST - - ');
  expect(await told('http_request', { method: 'PUT', body: 'p', headers: '{"X-Mine": 7}' })).toBe(
    'PUT application/json 7 p',
  );
  expect(await told('http_request', { method: 'DELETE' })).toBe('DELETE - - ');
  expect(await told('http_get', { headers: { 'X-Mine': 'yes' } })).toBe('GET - yes ');
});

test('errors, word for word', async () => {
  const { url } = await startWebSite({ '/bomb': gzipBomb });
  for (const name of ['http_request', 'http_get', 'http_post']) {
    expect(await tools.text(name, {})).toBe(isRequired('url'));
    expect(await tools.text(name, { url: 'gopher://x' })).toBe(wrongScheme);
    expect(await tools.text(name, { url: `${url}/bomb` })).toMatch(
      /^Error: .*\(2,\d{3},\d{3} bytes, max 2,000,000 bytes\)$/,
    );
  }
  // Word for word the catalogue's example, which has no url.
  for (const input of [{ url, method: 'PATCH' }, { method: 'PATCH' }]) {
    expect(await tools.text('http_request', input)).toBe(mustBeOneOf('method', ['GET', 'POST', 'PUT', 'DELETE']));
  }
  const refused = connectionProblem(Object.assign(new Error(), { code: 'ECONNREFUSED' }), '127.0.0.1');
  expect(await tools.text('http_get', { url: 'http://127.0.0.1:1/' })).toBe(`Error: ${refused}`);
});

test('a call says before it runs where it goes, and by which method', async () => {
  const effects = (name: string, input: object) => tools.effectsOf(name, input);
  const touches = (method: string) => ({
    access: [{ kind: 'request', class: 'network-private', url: 'http://127.0.0.1/x', host: '127.0.0.1', method }],
  });
  expect(await effects('http_get', { url: 'http://0x7f.1/x' })).toEqual(touches('GET'));
  expect(await effects('http_post', { url: 'http://127.1/x#y' })).toEqual(touches('POST'));
  expect(await effects('http_request', { url: 'http://127.0.0.1/x', method: 'DELETE' })).toEqual(touches('DELETE'));
  expect(await effects('web_fetch', { url: 'http://127.0.0.1/x' })).toEqual(touches('GET'));
  await expect(effects('http_post', { url: 'file:///x' })).rejects.toThrow(wrongScheme);
});
