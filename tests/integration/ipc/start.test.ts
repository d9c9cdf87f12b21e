import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Envelope } from '../../../src-preload/contract/envelope.ts';
import { WindowRig } from '../../fixtures/window-rig.ts';

test('what draws the page is answered before the services start, everything else once they have', async () => {
  let draw: () => void = () => undefined;
  const drawn = new Promise<void>((resolve) => {
    draw = resolve;
  });
  const waiting = new WindowRig({ startAfter: drawn });
  let settings: Envelope<unknown> | undefined;
  const asked = waiting.envelope('settings.get').then((envelope) => {
    settings = envelope;
  });

  expect(await waiting.request('app.info')).toMatchObject({ isFirstRun: true });
  // A request that cannot be met needs no services either.
  expect(await waiting.code('app.setZoom', { factor: 'large' })).toBe('bad_input');
  // One that began later and waits for nothing has its answer first.
  expect(await new WindowRig().code('settings.get')).toBe('ok');
  expect(settings).toBeUndefined();
  expect(existsSync(join(waiting.profile, 'steward.db'))).toBe(false);

  draw();
  await asked;
  expect(settings).toMatchObject({ ok: true });
});

test('closed while the services are starting, it waits for them and leaves nothing open', async () => {
  const rig = new WindowRig();
  await rig.close();
  // The last connection removes its log of changes.
  expect(['steward.db', 'steward.db-wal'].map((name) => existsSync(join(rig.profile, name)))).toEqual([true, false]);
  await rig.assistant.ready;
});

test('if the services cannot start, each request gets that error, and no promise is left rejected', async () => {
  const rig = new WindowRig();
  rmSync(rig.profile, { recursive: true });
  writeFileSync(rig.profile, 'a file');
  await expect(rig.assistant.ready).rejects.toThrow(rig.profile);
  for (const route of ['settings.get', 'content.resources', 'desktopTools.open'])
    expect((await rig.envelope(route)).ok, route).toBe(false);
});
