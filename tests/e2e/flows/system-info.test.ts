import { expect, test } from 'vitest';
import { AppRig } from '../../fixtures/electron-app.ts';
import { expectGone } from '../../fixtures/process-table.ts';
import { User } from '../../fixtures/window-user.ts';

const SERVICE = 'Steward system-info';

test('at first start a user sees their disks without being asked; the server is a process of the app and ends with it', async (context) => {
  const rig = new AppRig(context);
  const running = await rig.launch();
  const user = new User(running);
  // Of all processes of the app, as Electron itself lists them.
  const servers = () =>
    running.app.evaluate(
      ({ app }, name) => app.getAppMetrics().flatMap((each) => (each.name === name ? [each.pid] : [])),
      SERVICE,
    );
  await user.ask('/tools');
  await user.sees('system-info__disk_info');
  expect(await servers()).toEqual([]);

  await user.ask('/system-info__disk_info {}');
  const card = user.card('system-info__disk_info', 'done');
  await card.waitFor();
  await card.scrollIntoViewIfNeeded();
  await card.getByText(/^Drive /m).waitFor();
  await running.shoot('system-info-disks');
  expect(
    await running.consent().then(
      (page) => page.getByRole('alertdialog').count(),
      () => 0,
    ),
  ).toBe(0);
  const [pid, ...more] = await servers();
  expect(more).toEqual([]);

  await user.ask('/system-info__network_info {}');
  await user.card('system-info__network_info', 'done').waitFor();
  expect(await servers()).toEqual([pid]);

  const before = running.processes();
  expect(before.map((each) => each.pid)).toContain(pid);
  await running.close();
  await expectGone(before);
});

test('the server ends when the app is killed', async (context) => {
  const rig = new AppRig(context);
  const running = await rig.launch();
  const user = new User(running);
  await user.ask('/system-info__system_info {}');
  await user.card('system-info__system_info', 'done').waitFor();
  const before = running.processes();
  await running.kill();
  await expectGone(before);
});
