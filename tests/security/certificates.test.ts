import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { askRig } from '../fixtures/ask.ts';
import { SELF_SIGNED } from '../fixtures/network/self-signed.ts';

test('a variable of the environment does not switch certificate checks off: nothing is sent, not even the key', async () => {
  const received: (string | undefined)[] = [];
  const server = createServer(SELF_SIGNED, (request, response) => {
    received.push(request.headers['x-api-key']?.toString());
    response.writeHead(401).end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const rig = askRig({ api: `https://127.0.0.1:${(server.address() as AddressInfo).port}` });
  const run = await rig.run(['--model', 'claude-opus-4-5', 'hello'], { env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
  expect([run.code, received]).toEqual([1, []]);
  expect(run.stderr).toContain('NODE_TLS_REJECT_UNAUTHORIZED=0 is ignored');

  // The same server is used once its certificate is trusted.
  const trusted = join(rig.workspace, 'trusted.pem');
  writeFileSync(trusted, SELF_SIGNED.cert);
  await rig.run(['--model', 'claude-opus-4-5', 'hello'], { env: { NODE_EXTRA_CA_CERTS: trusted } });
  expect(received[0]).toBe('sk-ant-api03-fixture');
});
