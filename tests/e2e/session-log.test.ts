import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { AppRig } from '../fixtures/electron-app.ts';

const SOON = { timeout: 30_000 };

test('the log records each session, one that was killed, and a crash, whose dump stays on this machine', async (context) => {
  const rig = new AppRig(context);
  const path = join(rig.profile, 'logs', 'steward.log');
  const log = () => readFileSync(path, 'utf8');

  const first = await rig.launch();
  await vi.waitFor(() => expect(log()).toContain(' info desktop session_started version='), SOON);
  expect(statSync(path).mode & 0o077).toBe(0);
  await first.close();
  expect(log().trimEnd()).toMatch(/ info desktop session_ended$/);

  const second = await rig.launch();
  await vi.waitFor(() => expect(log().match(/session_started/g)).toHaveLength(2), SOON);
  expect(log()).not.toContain('last_session_did_not_end');
  await second.kill();

  const third = await rig.launch();
  await vi.waitFor(() => expect(log()).toContain(' warning desktop last_session_did_not_end startedAt='), SOON);
  const info = () => third.chat.evaluate(async () => Reflect.get(globalThis, 'steward').request('app.info', {}));
  expect(await info()).toMatchObject({ data: { logFile: path, crashDumps: null } });
  await third.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  );
  await vi.waitFor(() => expect(log()).toMatch(/ error desktop page_gone page=app reason=(crashed|killed)/), SOON);
  const dumps = () => readdirSync(join(rig.profile, 'crashes'), { recursive: true }).map(String);
  await vi.waitFor(() => expect(dumps().some((name) => name.endsWith('.dmp'))).toBe(true), SOON);
});
