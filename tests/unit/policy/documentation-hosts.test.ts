import { expect, test } from 'vitest';
import { isDocumentation } from '../../../src-main/policy/documentation-hosts.ts';

const at = (url: string, more: { method?: string; carries?: 'headers' } = {}) =>
  isDocumentation({ kind: 'request', class: 'network', host: '', method: 'GET', url, ...more });

test.each([
  'https://docs.python.org/3/library/json.html',
  'https://developer.mozilla.org/en-US/docs/Web/API/fetch',
  'https://nodejs.org/api/intl.html',
  'https://nodejs.org/docs/latest-v22.x/api/fs.html',
  'https://docs.rs/tokio/latest/tokio/',
  'https://typescriptlang.org/docs/handbook/intro.html',
  'https://learn.microsoft.com/en-us/dotnet/api/system.net',
  'https://docs.github.com/en/actions#events',
  'https://git-scm.com/docs/git-log',
  'https://www.sqlite.org/lang_select.html',
  'https://svelte.dev/docs/svelte/$state',
])('%s is documentation', (url) => {
  expect(at(url)).toBe(true);
});

test.each([
  'http://docs.python.org/3/',
  'https://docs.python.org:8443/3/',
  'https://docs.python.org/3/?q=secret',
  `https://docs.python.org/${'a'.repeat(200)}`,
  'https://me:secret@docs.python.org/3/',
  'https://secret.docs.python.org/3/',
  'https://docs.python.org.evil.example/3/',
  'https://evil.example/docs.python.org/3/',
  'https://nodejs.org/dist/v0.1.14/node.tar.gz',
  'https://developer.mozilla.org/en-US/plus',
  'https://svelte.dev/playground/0123456789',
  'https://learn.microsoft.com/en-us/answers/questions/1/x',
  'https://go.dev/play/p/abc',
  // Read counts of each page are public.
  'https://en.wikipedia.org/wiki/Secret',
  'https://www.npmjs.com/package/secret',
  'https://en.cppreference.com/w/secret',
  // What is asked for is fetched from elsewhere.
  'https://pkg.go.dev/evil.example/secret',
  // Others have a part of it, with statistics of their own.
  'https://evil.readthedocs.io/secret',
  'https://github.com/evil/secret',
  'https://raw.githubusercontent.com/evil/x/main/secret',
])('%s is none that goes without a question', (url) => {
  expect(at(url)).toBe(false);
});

test('requests with headers or other methods do not count as reading documentation', () => {
  const url = 'https://docs.python.org/3/';
  expect(at(url, { carries: 'headers' })).toBe(false);
  expect(at(url, { method: 'HEAD' })).toBe(false);
});
