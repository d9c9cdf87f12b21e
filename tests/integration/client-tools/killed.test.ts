import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { INTERRUPTED_RESULT } from '../../../src-main/assistant/history.ts';
import { FakeHost, textAnswer } from '../../fixtures/client-host.ts';
import { ClientRig, calling } from './client-rig.ts';

let rig: ClientRig | undefined;
afterEach(async () => {
  await rig?.stop();
  rig = undefined;
});

test('killed while a client call waits: the conversation goes on, and its groups are still there', async () => {
  rig = await ClientRig.start([calling('GetSelection'), calling('GetSelection'), { text: 'ok' }], {
    config: { clientTools: { invokeTimeout: 600 } },
  });
  const { base, url, conversation } = rig;
  await rig.pause();
  const program = fileURLToPath(new URL('client-child.ts', import.meta.url));
  const child = spawn(process.execPath, [program, base, url, conversation], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [said] = await Promise.race([once(child.stdout, 'data'), ended]);
  expect(String(said)).toBe('waiting\n');
  child.kill('SIGKILL');
  await ended;

  await rig.restart();
  const host = new FakeHost(() => textAnswer('selected'));
  host.clients = rig.clients;
  rig.clients.attach(host);
  const events = await rig.turn();
  expect(events.at(-1)).toMatchObject({ type: 'turn_end', stopReason: 'end_turn' });
  expect(rig.results().map(({ text }) => text)).toEqual([INTERRUPTED_RESULT, 'selected']);
  // The request that was lost is not sent again.
  expect(host.requests).toHaveLength(1);
});
