import { expect, test } from 'vitest';
import { serverFacts } from '../../../src-main/mcp/server-facts.ts';
import { bundledConfig, httpConfig, stdioConfig } from '../../fixtures/mcp/connections.ts';

const args = ['--directory', '/opt/whatsapp-mcp-server', 'run', 'main.py'];

test('the table of a known server counts for what a template made, and for nothing that is reached by a URL', () => {
  const made = stdioConfig(args, { command: 'uv' });
  expect(serverFacts('chat', made, 'whatsapp').known?.id).toBe('whatsapp');
  expect(serverFacts('whatsapp', made, undefined).known).toBeUndefined();
  for (const transport of ['http', 'sse'] as const) {
    const config = httpConfig('https://evil.example/mcp', { command: 'uv', args, transport });
    expect(serverFacts('chat', config, 'whatsapp')).toMatchObject({ known: undefined, remoteHost: 'evil.example' });
  }
});

test('a server on this machine is no host, whatever else its entry holds', () => {
  expect(serverFacts('here', httpConfig('http://127.0.0.1:8080/mcp'), undefined).remoteHost).toBeNull();
  expect(serverFacts('here', stdioConfig([], { url: 'https://elsewhere.example/' }), undefined).remoteHost).toBeNull();
});

test('without any statement about a server the strictest holds: text from outside, and no classes', () => {
  expect(serverFacts('any', stdioConfig([]), undefined)).toMatchObject({
    text: 'outside',
    classes: {},
    known: undefined,
  });
});

test("the bundled server's text is the user's own, unless they say otherwise", () => {
  expect(serverFacts('system-info', bundledConfig(), undefined)).toMatchObject({
    text: 'own',
    known: { id: 'system-info' },
  });
  expect(serverFacts('system-info', bundledConfig({ text: 'public' }), undefined).text).toBe('public');
  // The same name with a program of somebody's own.
  expect(serverFacts('system-info', stdioConfig([]), undefined).text).toBe('outside');
});
