import fc from 'fast-check';
import { expect, test } from 'vitest';
import { baseUrl, endpointOf, joinBaseUrl } from '../../../src-main/settings/endpoints.ts';

test.each([
  ['https://gw.example', 'https://gw.example'],
  ['https://gw.example/', 'https://gw.example'],
  ['HTTP://GW.example:8080/a/b//', 'http://gw.example:8080/a/b'],
  ['http://[::1]:9/x', 'http://[::1]:9/x'],
])('%s is a base URL', (text, url) => {
  expect(baseUrl(text)).toEqual({ url });
});

test.each([
  '',
  'gw.example',
  'ftp://gw.example',
  'http:gw.example',
  'https:///x',
  'https://',
  'https://user@gw.example',
  'https://u:p@gw.example',
  'https://gw.example?a=1',
  'https://gw.example/?',
  'https://gw.example/#x',
  'https://gw.example#',
  'https://gw.ex\nample',
  'https:\\\\gw.example',
  'https://gw .example',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'https://gw.example:99999',
])('%j is none', (text) => {
  expect(baseUrl(text)).toHaveProperty('refused');
});

test('a path is appended after the prefix', () => {
  expect(joinBaseUrl('http://127.0.0.1:1/prefix/', '/v1/messages?beta=true')).toBe(
    'http://127.0.0.1:1/prefix/v1/messages?beta=true',
  );
  expect(joinBaseUrl('https://api.anthropic.com', 'v1/models')).toBe('https://api.anthropic.com/v1/models');
});

test('no path leads away from the base', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.constantFrom('//evil.example/x', '@evil.example', '\\\\evil.example', ':80@evil'),
      ),
      (path) => {
        const joined = joinBaseUrl('https://gw.example:444/prefix', path);
        expect(new URL(joined).origin).toBe('https://gw.example:444');
      },
    ),
  );
});

test('config over the environment over the vendor, and only the one variable', () => {
  const endpoints = { anthropic: 'http://127.0.0.1:1' };
  const environment = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:2/', OPENAI_BASE_URL: 'http://127.0.0.1:3' };
  expect(endpointOf('anthropic', { endpoints }, environment)).toEqual({
    baseUrl: 'http://127.0.0.1:1',
    source: 'config',
  });
  expect(endpointOf('anthropic', { endpoints: {} }, environment)).toEqual({
    baseUrl: 'http://127.0.0.1:2',
    source: 'environment',
  });
  expect(endpointOf('openai', { endpoints: {} }, environment)).toEqual({
    baseUrl: 'https://api.openai.com',
    source: 'vendor',
  });
  expect(endpointOf('anthropic', { endpoints: {} }, { ANTHROPIC_BASE_URL: 'http://ada:hunter2@x' })).toEqual({
    baseUrl: 'https://api.anthropic.com',
    source: 'vendor',
    problem: expect.not.stringContaining('hunter2'),
  });
});
