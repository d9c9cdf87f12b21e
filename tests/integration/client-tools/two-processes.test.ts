import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { FakeHost } from '../../fixtures/client-host.ts';
import { ClientRig } from './client-rig.ts';

let rig: ClientRig | undefined;
afterEach(async () => {
  await rig?.stop();
  rig = undefined;
});

const GROUPS_EACH = 60;
const PROGRAM = fileURLToPath(new URL('registering-child.ts', import.meta.url));

test('two processes that change the tools of one conversation at the same time lose nothing', async () => {
  rig = await ClientRig.start([]);
  const { base, url, conversation } = rig;
  await rig.pause();
  const children: ChildProcessByStdio<Writable, Readable, null>[] = ['A', 'B'].map((name) =>
    spawn(process.execPath, [PROGRAM, base, url, conversation, name, String(GROUPS_EACH)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  const ended = children.map((child) => once(child, 'exit'));
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  for (const child of children) child.stdin.end('go\n');
  expect((await Promise.all(ended)).map(([code]) => code)).toEqual([0, 0]);

  await rig.restart();
  for (const name of ['A', 'B']) {
    const { groups } = await new FakeHost(undefined, { name }).register(rig.clients, {});
    expect(groups).toHaveLength(GROUPS_EACH);
  }
});
