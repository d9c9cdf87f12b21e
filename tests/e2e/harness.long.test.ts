import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AppRig } from '../fixtures/electron-app.ts';
import { expectGone, expectSandboxed } from '../fixtures/process-table.ts';
import { pressOnce } from '../fixtures/question-press.ts';
import { labels } from '../fixtures/window-labels.ts';
import { User } from '../fixtures/window-user.ts';

const DUMMY = join(import.meta.dirname, '../fixtures/dummy-app');

test('an app opens its window in a real sandbox, as a user who is not root, and is gone after it quit', async (context) => {
  const rig = new AppRig(context);
  const entry = join(rig.home, 'dummy');
  for (const name of readdirSync(DUMMY)) rig.write(join(entry, name), readFileSync(join(DUMMY, name), 'utf8'));
  const dummy = new AppRig(context, { entry });
  const running = await dummy.launch();

  expect(await running.chat.title()).toBe('Dummy 1.2.3');
  const renderers = running.processes().filter(({ command }) => command.includes('--type=renderer'));
  expect(renderers).toHaveLength(1);
  await expectSandboxed(renderers);
  expect(running.processes().filter(({ command }) => /--no-sandbox/.test(command))).toEqual([]);

  const before = running.processes();
  await running.close();
  await expectGone(before);
});

test('a test fails if it presses a button of a question that is covered or does nothing', async (context) => {
  const running = await new AppRig(context).launch();
  const user = new User(running);
  await user.ask('run: touch never');
  const sheet = await user.reads();
  const deny = sheet.getByRole('button', { name: labels.consent.deny }).first();
  const page = sheet.page();
  await page.evaluate(() => addEventListener('click', (event) => event.stopImmediatePropagation(), { capture: true }));
  await expect(pressOnce(running, sheet, deny)).rejects.toThrow('did nothing');
  await page.evaluate(() => {
    document.body.append(Object.assign(document.createElement('div'), { style: 'position: fixed; inset: 0' }));
  });
  page.setDefaultTimeout(10_000);
  await expect(pressOnce(running, sheet, deny)).rejects.toThrow('intercepts pointer events');
});
