import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { type LoopbackOptions, LoopbackReceiver } from '../../../src-main/accounts/loopback-receiver.ts';
import { SignInFailure } from '../../../src-main/accounts/sign-in-problem.ts';

const OPEN = new AbortController().signal;

async function receiver(options: Partial<LoopbackOptions> = {}): Promise<LoopbackReceiver> {
  const opened = await LoopbackReceiver.open({ signal: OPEN, ...options });
  onTestFinished(() => opened.close());
  return opened;
}

interface Page {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** A request as a browser sends it, or with another host or method. */
function visit(port: number, path: string, { host = `127.0.0.1:${port}`, method = 'GET' } = {}): Promise<Page> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers: { host } }, async (response) => {
      resolve({ status: response.statusCode, headers: response.headers, body: await text(response) });
    });
    sent.once('error', reject);
    sent.end();
  });
}

function isClosed(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
}

async function problemOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof SignInFailure ? error.problem.code : String(error);
}

test('the callback arrives, and its page says how the sign-in ended', async () => {
  const open = await receiver();
  const page = visit(open.port, `/callback?code=the-code&state=${open.state}&iss=https%3A%2F%2Fid.example`);
  const { parameters, answer } = await open.callback();
  expect(Object.fromEntries(parameters)).toEqual({ code: 'the-code', state: open.state, iss: 'https://id.example' });
  answer('signed-in');
  answer('failed');
  const { status, headers, body } = await page;
  expect(status).toBe(200);
  expect(body).toContain('<h1>You are signed in</h1>');
  expect(body).not.toContain('the-code');
  expect(body).not.toContain('<script');
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  open.close();
  expect(await isClosed(open.port)).toBe(true);
});

test('a second callback changes nothing', async () => {
  const open = await receiver();
  const first = visit(open.port, `/callback?code=first&state=${open.state}`);
  const { parameters, answer } = await open.callback();
  expect((await visit(open.port, `/callback?code=second&state=${open.state}`)).status).toBe(409);
  answer('failed');
  expect((await first).body).toContain('did not work');
  expect(parameters.get('code')).toBe('first');
  expect((await open.callback()).parameters.get('code')).toBe('first');
});

test.each([
  ['no state', '/callback?code=x', {}],
  ['another state', `/callback?code=x&state=${'A'.repeat(43)}`, {}],
  ['an error without a state', '/callback?error=access_denied', {}],
  ['another path', '/callback/../callback2?code=x&state=STATE', {}],
  ['no query', '/callback', {}],
  ['a parameter twice', '/callback?code=x&code=y&state=STATE', {}],
  ['another method', '/callback?code=x&state=STATE', { method: 'POST' }],
  ['a name that leads to this machine', '/callback?code=x&state=STATE', { host: 'evil.example' }],
  ['another name of this machine', '/callback?code=x&state=STATE', { host: 'localhost' }],
])('a request with %s is not the callback, which is waited for further', async (_what, path, how) => {
  const open = await receiver();
  expect((await visit(open.port, path.replace('STATE', open.state), how)).status).toBe(400);
  const real = visit(open.port, `/callback?code=real&state=${open.state}`);
  const { parameters, answer } = await open.callback();
  answer('signed-in');
  expect(parameters.get('code')).toBe('real');
  expect((await real).status).toBe(200);
});

test('a browser that does not come back ends the wait and frees the port', async () => {
  const open = await receiver({ lifeMs: 30 });
  expect(await problemOf(open.callback())).toBe('expired');
  expect(await isClosed(open.port)).toBe(true);
});

test('a callback that comes after the machine slept too long is too late', async () => {
  const asleep = { ms: 0 };
  const open = await receiver({ clocks: { wall: () => asleep.ms, steady: () => 0 } });
  asleep.ms = 8 * 3_600_000;
  const page = visit(open.port, `/callback?code=late&state=${open.state}`).catch(() => undefined);
  expect(await problemOf(open.callback())).toBe('expired');
  await page;
  expect(await isClosed(open.port)).toBe(true);
});

test('setting the clock back does not extend the wait', async () => {
  const steady = { ms: 0 };
  const open = await receiver({ clocks: { wall: () => -steady.ms, steady: () => steady.ms } });
  steady.ms = 300_000;
  expect(await problemOf(open.callback())).toBe('expired');
});

test('a cancelled sign-in ends at once, also with its page open', async () => {
  const cancelling = new AbortController();
  const open = await receiver({ signal: cancelling.signal });
  const page = visit(open.port, `/callback?code=x&state=${open.state}`);
  await open.callback();
  cancelling.abort(new SignInFailure({ code: 'cancelled' }));
  expect((await page).body).toContain('did not work');
  expect(await isClosed(open.port)).toBe(true);
  const second = await receiver({ signal: OPEN });
  const waiting = second.callback();
  second.close();
  expect(await problemOf(waiting)).toBe('cancelled');
});

test('a taken port is reported, and a fixed port is used as it is', async () => {
  const other = createServer();
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  onTestFinished(() => void other.close());
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  expect(await problemOf(LoopbackReceiver.open({ signal: OPEN, port }))).toBe('port_taken');
  await new Promise((done) => other.close(done));
  const open = await receiver({ port });
  expect(open.redirectUri).toBe(`http://127.0.0.1:${port}/callback`);
});
