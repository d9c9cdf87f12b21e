import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assetFile, contentTypeOf, SECURITY_HEADERS } from '../../../src-main/desktop/surface-files.ts';

describe('which file a URL means', () => {
  test('the page of the surface, and the files in its own assets folder', () => {
    expect(assetFile('app', 'steward://app/')).toEqual(['app.html']);
    expect(assetFile('app', 'steward://app/app.html#settings')).toEqual(['app.html']);
    expect(assetFile('consent', 'steward://consent/consent.html')).toEqual(['consent.html']);
    expect(assetFile('app', 'steward://app/app-assets/app-Ab_1-2.js')).toEqual(['app-assets', 'app-Ab_1-2.js']);
  });

  test.each([
    'steward://app/consent.html',
    'steward://app/consent-assets/consent.js',
    'steward://consent/consent.html',
    'steward://app/app-assets/../../main.js',
    'steward://app/app-assets/..%2f..%2fmain.js',
    'steward://app/app-assets/%2e%2e/main.js',
    'steward://app/app-assets/..%2f',
    'steward://app/app-assets/.env',
    'steward://app/app-assets/a/b.js',
    'steward://app/app-assets/a%00.js',
    'steward://app/app-assets/a\\..\\b.js',
    'steward://app/app-assets/',
    'steward://app//etc/passwd',
    'steward://app/app.html?x=1',
    'steward://user@app/app.html',
    'https://app/app.html',
    'file:///app.html',
    'not a url',
  ])('%s leads to no file', (url) => {
    expect(assetFile('app', url)).toBe(undefined);
  });

  test('whatever is requested, only plain names in the folders of the page are served', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webPath(), fc.string()), (path) => {
        const file = assetFile('app', `steward://app/${path}`) ?? assetFile('app', `steward://app/app-assets/${path}`);
        if (file === undefined) return;
        expect(file.join('/')).toMatch(/^(app\.html|app-assets\/[\w-]+(\.[\w-]+)+)$/);
      }),
    );
  });
});

test('scripts come from our own files only, and nothing else is loaded at all', () => {
  const policy = Object.fromEntries(
    (SECURITY_HEADERS['content-security-policy'] ?? '').split('; ').map((rule) => {
      const [name = '', ...sources] = rule.split(' ');
      return [name, sources];
    }),
  );
  expect(policy['default-src']).toEqual(["'none'"]);
  expect(policy['script-src']).toEqual(["'self'"]);
  expect(policy['style-src']).toEqual(["'self'"]);
  expect(Object.values(policy).flat()).not.toContain("'unsafe-eval'");
  expect(policy['media-src']).toEqual(['data:']);
  expect(policy['connect-src']).toBe(undefined);
  expect(contentTypeOf('app-1.js')).toContain('text/javascript');
  expect(contentTypeOf('unknown')).toBe('application/octet-stream');
});
