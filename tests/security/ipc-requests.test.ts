import { expect, test } from 'vitest';
import { z } from 'zod';
import type { HandlerTable } from '../../src-main/ipc/handlers.ts';
import { createRouter, MAX_INPUT_BYTES, type RouterRequest } from '../../src-main/ipc/router.ts';
import { routes } from '../../src-preload/contract/index.ts';
import { request } from '../../src-preload/contract/route.ts';
import { WindowRig } from '../fixtures/window-rig.ts';

const RENAME = { id: 'c1a3a1cc-9b5e-4a8f-9c55-0a1f8f0d2a55', title: 'x' };

/** The request handler of a whole window, and what it says to a request that differs in one thing from a good one. */
function doorOf(rig: WindowRig) {
  const good: RouterRequest = {
    surface: 'app',
    isTopFrame: true,
    origin: 'steward://app',
    receivedAt: performance.now(),
    route: 'conversations.list',
    input: {},
  };
  return async (change: Partial<RouterRequest>) => {
    const envelope = await rig.assistant.handleRequest({ ...good, ...change });
    return envelope.ok ? 'ok' : envelope.error.code;
  };
}

test('only the top frame of a surface, with its own origin, is answered', async () => {
  const code = doorOf(new WindowRig());
  expect(await code({})).toBe('ok');
  expect(await code({ surface: null })).toBe('wrong_sender');
  expect(await code({ isTopFrame: false })).toBe('wrong_sender');
  for (const origin of ['', 'null', 'https://example.com', 'steward://consent', 'steward://app.evil', 'STEWARD://app'])
    expect(await code({ origin }), origin).toBe('wrong_sender');
});

test('the chat may not use a route of the consent surface, nor the other way round', async () => {
  const code = doorOf(new WindowRig());
  const answer = { id: 'x', answer: 'once' };
  expect(await code({ route: 'consent.state' })).toBe('wrong_surface');
  expect(await code({ route: 'consent.answer', input: answer })).toBe('wrong_surface');
  const asConsent = { surface: 'consent', origin: 'steward://consent' } as const;
  expect(await code({ ...asConsent, route: 'consent.state' })).toBe('ok');
  for (const [group, members] of Object.entries(routes.app)) {
    for (const name of Object.keys(members))
      expect(await code({ ...asConsent, route: `${group}.${name}` })).toBe('wrong_surface');
  }
});

test('a route that is not in the table does not exist, however it is written', async () => {
  const code = doorOf(new WindowRig());
  const strange = [
    'nothing.here',
    'conversations',
    'conversations.',
    '.list',
    'conversations.list.call',
    'Conversations.List',
    'constructor.constructor',
    '__proto__.toString',
    'conversations.constructor',
    'conversations.__proto__',
    'hasOwnProperty.call',
    'app.app',
    '',
    undefined,
    null,
    7,
    ['conversations.list'],
    { toString: () => 'conversations.list' },
  ];
  for (const route of strange) expect(await code({ route }), String(route)).toBe('unknown_route');
});

test('an input that does not fit is refused and the field is named, the value is not', async () => {
  const rig = new WindowRig();
  const secret = 'sk-ant-api03-never-shown';
  const refused = async (route: string, input: unknown) => {
    const envelope = await rig.envelope(route, input);
    if (envelope.ok) throw new Error(`${route} was accepted`);
    expect(JSON.stringify(envelope)).not.toContain(secret);
    return envelope.error;
  };
  expect(await refused('conversations.rename', { ...RENAME, id: secret })).toMatchObject({
    code: 'bad_input',
    message: expect.stringContaining('id'),
  });
  expect((await refused('conversations.rename', { id: RENAME.id })).message).toContain('title');
  expect((await refused('conversations.rename', { ...RENAME, title: '   ' })).message).toContain('title');
  expect((await refused('settings.setKey', { name: 'anthropic-api-key', value: { secret } })).message).toContain(
    'value',
  );
  expect((await refused('settings.setKey', { name: `google-gmail-${secret}`, value: 'x' })).message).toContain('name');
  const attachment = { kind: 'image', name: 'a.png', mediaType: 'image/svg+xml', data: '' };
  expect((await refused('conversations.send', { id: null, text: '', attachments: [attachment] })).message).toContain(
    'attachments.0',
  );
  for (const input of [undefined, null, 7, 'text', [], [RENAME]])
    expect((await refused('conversations.rename', input)).code, String(input)).toBe('bad_input');
});

test('what is too large, or not made of plain values, goes no further', async () => {
  const code = doorOf(new WindowRig());
  const half = 'x'.repeat(MAX_INPUT_BYTES / 2);
  expect(await code({ input: { padding: half } })).toBe('ok');
  expect(await code({ input: { a: half, b: half } })).toBe('too_large');
  expect(await code({ input: [new Uint8Array(MAX_INPUT_BYTES + 1)] })).toBe('too_large');
  expect(await code({ input: { map: new Map([['a', half]]) } })).toBe('too_large');
  let deep: unknown = {};
  for (let depth = 0; depth < 20_000; depth++) deep = { deep };
  expect(await code({ input: deep })).toBe('too_large');
  const loop: { self?: unknown } = {};
  loop.self = loop;
  expect(await code({ input: loop })).toBe('too_large');
});

test('the largest attachment that is allowed passes the request handler without a stall', async () => {
  const code = doorOf(new WindowRig());
  const data = Buffer.alloc(20_000_000, 7).toString('base64');
  const attachments = [{ kind: 'docx', name: 'big.docx', data }];
  // The text passes, and the request is refused for an attachment that is no document.
  expect(await code({ route: 'conversations.send', input: { id: null, text: '', attachments } })).toBe(
    'bad_attachment',
  );
});

test('an exception in a handler tells the page neither stack nor message', async () => {
  const faults: unknown[] = [];
  const secret = 'sk-ant-api03-in-an-error';
  const handleRequest = createRouter({
    routes: { app: { group: { fail: request(z.object({})).returns<null>() } }, consent: {} },
    handlers: {
      app: {
        group: {
          fail: () => {
            throw new TypeError(`undefined is not ${secret}`);
          },
        },
      },
      consent: {},
    } as unknown as HandlerTable,
    origins: { app: 'steward://app', consent: 'steward://consent' },
    onFault: (_route, error) => faults.push(error),
  });
  const sender = { surface: 'app', isTopFrame: true, origin: 'steward://app', receivedAt: 0 } as const;
  const envelope = await handleRequest({ ...sender, route: 'group.fail', input: {} });
  expect(envelope).toEqual({
    ok: false,
    error: { code: 'internal', message: expect.not.stringContaining('undefined') },
  });
  expect(faults).toHaveLength(1);
});
