import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { excerpt } from '../../../src-main/mcp/messages/excerpt.ts';
import { MessageLog } from '../../../src-main/mcp/messages/message-log.ts';
import { ServerLog } from '../../../src-main/mcp/status/server-log.ts';
import { serverRedaction } from '../../../src-main/mcp/status/server-redaction.ts';

const SECRET = 'correct-horse-battery';
const ENTRY = { args: [], env: {}, headers: {} };
const asItIs = (text: string) => text;
const redact = serverRedaction(
  () => ENTRY,
  () => [SECRET],
);

test('the oldest lines go when the log is full, and numbers go on', () => {
  const log = new ServerLog({ redact: asItIs, now: () => 7, maxBytes: 10_000 });
  for (let index = 1; index <= 1_000; index++) log.add({ kind: 'stderr', text: `line ${index}` });
  const { entries } = log;
  expect(log.count).toBe(1_000);
  expect(entries.at(-1)).toEqual({ number: 1_000, at: 7, kind: 'stderr', text: 'line 1000' });
  expect(entries.length).toBeGreaterThan(20);
  expect(entries.length).toBeLessThan(50);
  expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => 1_001 - entries.length + index));
  // One line that is longer than all others together leaves only itself.
  log.add({ kind: 'stderr', text: 'x'.repeat(100_000) });
  expect(log.entries.at(-1)?.text).toHaveLength(4_001);
});

test('the beginning of a long line does not keep the whole line in memory', () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const log = new ServerLog({ redact: asItIs });
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < 40; index++) log.add({ kind: 'message', text: JSON.parse(`"${'x'.repeat(5_000_000)}"`) });
  collect();
  expect(log.entries).toHaveLength(40);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
});

test('whoever follows the log hears of what is kept, until they stop', () => {
  const log = new ServerLog({ redact });
  const heard: string[] = [];
  const stop = log.onEntry(({ text }) => void heard.push(text));
  log.add({ kind: 'stderr', text: `the key is ${SECRET}` });
  stop();
  log.add({ kind: 'stderr', text: 'more' });
  expect(heard).toEqual(['the key is [redacted]']);
});

test('secrets are taken out before a line is cut, so that no half of one is kept', () => {
  const long = `${'x'.repeat(3_990)}${SECRET}${'y'.repeat(5_000)}`;
  const kept = (how: (text: string) => string) => {
    const log = new ServerLog({ redact: how });
    log.add({ kind: 'stray', text: long });
    return log.entries[0]?.text ?? '';
  };
  expect(kept(asItIs)).toContain(SECRET.slice(0, 10));
  expect(kept(redact)).not.toContain(SECRET.slice(0, 4));
  for (const text of [`${'x'.repeat(495)}${SECRET}`, `two\nlines ${SECRET}`]) {
    expect(excerpt({ text }, asItIs)).toContain(SECRET.slice(0, 5));
    const log = new ServerLog({ redact });
    log.add({ kind: 'sent', text: excerpt({ text }, redact) });
    expect(log.entries[0]?.text).not.toContain(SECRET.slice(0, 5));
  }
});

test.each([
  [{ env: { API_KEY: 'plain-looking' } }, 'plain-looking'],
  [{ env: { DATABASE: 'postgres://me:swordfish@db/x' } }, 'postgres://me:swordfish@db/x'],
  [{ headers: { Authorization: 'Basic YWRhOmxvdmVsYWNl' } }, 'YWRhOmxvdmVsYWNl'],
  [{ headers: { 'X-Service-Token': 'abcdefgh' } }, 'abcdefgh'],
  [{ args: ['--token', 'abcdefgh'] }, 'abcdefgh'],
  [{ args: ['--api-key=abcdefgh'] }, 'abcdefgh'],
  [{ url: 'https://mcp.example.org/mcp?api_key=abcdefgh' }, 'abcdefgh'],
  [{ oauth: { clientSecret: 'abcdefgh' } }, 'abcdefgh'],
])('what is secret in the entry %j is taken out', (entry, secret) => {
  const none = serverRedaction(
    () => ENTRY,
    () => [],
  );
  const text = `it said <${secret}> here`;
  expect(
    serverRedaction(
      () => ({ ...ENTRY, ...entry }),
      () => [],
    )(text),
  ).toBe('it said <[redacted]> here');
  if (!secret.startsWith('postgres')) expect(none(text)).toBe(text);
});

test('a placeholder for the keychain is no secret, what stands around it is', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how people write it in config.json
  const entry = { ...ENTRY, env: { KEY: 'prefix-${keychain:TOKEN}' } };
  const hide = serverRedaction(
    () => entry,
    () => [],
  );
  // biome-ignore lint/suspicious/noTemplateCurlyInString: see above
  expect(hide('prefix-${keychain:TOKEN}')).toBe('[redacted]${keychain:TOKEN}');
});

test('messages are kept with direction, method, id and size; an answer with what it answers', () => {
  let now = 0;
  const log = new ServerLog({ redact: asItIs, now: () => 0 });
  const messages = new MessageLog(
    (entry) => log.add(entry),
    asItIs,
    () => now,
  );
  messages.add('sent', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  // The other side counts its own.
  messages.add('received', { jsonrpc: '2.0', id: 1, method: 'roots/list' });
  messages.add('received', {
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: 1, progress: 1 },
  });
  now = 40;
  messages.add('received', { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(10_000) } });
  messages.add('sent', { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } });
  messages.add('received', { jsonrpc: '2.0', id: 9, result: {} });
  expect(log.entries.map(({ kind, message }) => [kind, message])).toMatchObject([
    ['sent', { kind: 'request', method: 'tools/list', id: 1 }],
    ['received', { kind: 'request', method: 'roots/list', id: 1 }],
    ['received', { kind: 'notification', method: 'notifications/progress' }],
    ['received', { kind: 'result', method: 'tools/list', id: 1, afterMs: 40 }],
    ['sent', { kind: 'error', method: 'roots/list', id: 1, afterMs: 40 }],
    ['received', { kind: 'result', id: 9 }],
  ]);
  expect(log.entries[3]?.message?.bytes).toBeGreaterThan(10_000);
  expect(log.entries[5]?.message).not.toHaveProperty('method');
});
