import { expect, onTestFinished, test } from 'vitest';
import { AppRig } from '../../fixtures/electron-app.ts';
import { startOpenAiApi } from '../../fixtures/openai/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

test('a user who starts for the first time tries the Guide without a key, and is not asked again', async (context) => {
  const rig = new AppRig(context, {
    isFirstRun: true,
    files: { 'README.md': '# Shopping list', 'notes.txt': 'call Ada' },
  });
  const running = await rig.launch();
  const { chat } = running;

  await chat.getByRole('heading', { name: labels.firstRun.welcome }).waitFor();
  await running.shoot('first-run-1-welcome');
  await chat.getByRole('button', { name: labels.firstRun.begin }).click();
  await chat.getByRole('heading', { name: labels.firstRun.connect }).waitFor();
  await running.shoot('first-run-2-model');
  await chat.getByRole('button', { name: labels.firstRun.tryGuide }).click();
  await chat.getByText(rig.workspace).waitFor();
  await running.shoot('first-run-3-folder');
  await chat.getByRole('button', { name: labels.firstRun.useFolder }).click();
  await chat.getByRole('button', { name: 'list the files here' }).click();
  await running.shoot('first-run-4-ready');

  const user = new User(running);
  const message = chat.getByRole('textbox', { name: labels.chat.message });
  expect(await message.inputValue()).toBe('list the files here');
  await message.press('Enter');
  await user.waits();
  await user.card('list_files', 'done').waitFor();
  await user.sees('notes.txt');
  await running.shoot('first-run-5-guide-answered');
  await running.close();

  const again = await rig.launch();
  await again.chat.getByRole('textbox', { name: labels.chat.message }).waitFor();
  expect(await again.chat.getByRole('heading', { name: labels.firstRun.welcome }).count()).toBe(0);
});

test('the set-up can be skipped', async (context) => {
  const running = await new AppRig(context, { isFirstRun: true }).launch();
  await running.chat.getByRole('button', { name: labels.firstRun.skipAll }).click();
  await running.chat.getByRole('textbox', { name: labels.chat.message }).waitFor();
});

test('a user who has no Claude sets up another service, confirms its address, and is answered by it', async (context) => {
  const KEY = 'sk-compatible-1234567890';
  const api = await startOpenAiApi({
    validKeys: [KEY],
    models: ['house-large'],
    turns: [{ text: 'Hello from the house.' }],
    afterLast: 'repeat',
  });
  onTestFinished(() => api.close());
  const running = await new AppRig(context, { isFirstRun: true }).launch();
  const user = new User(running);
  const { chat } = running;
  await chat.getByRole('button', { name: labels.firstRun.begin }).click();
  await chat.getByRole('button', { name: labels.firstRun.otherService }).click();
  await chat.getByRole('button', { name: /^Other service/ }).click();
  await chat.getByLabel(labels.providers.baseUrl).and(chat.locator(':focus')).fill(`${api.url}/v1`);
  await chat.getByLabel(labels.providers.key, { exact: true }).fill(KEY);
  await chat.getByLabel(labels.providers.model, { exact: true }).fill('house-large');
  await running.shoot('first-run-other-service');
  await chat.getByRole('button', { name: labels.providers.saveNew, exact: true }).click();
  await (await user.question()).getByText(`${api.url}/v1`).first().waitFor();
  await running.shoot('first-run-other-asked');
  await user.answers(labels.consent.confirm);
  await chat.getByRole('heading', { name: labels.firstRun.useModel }).and(chat.locator(':focus')).waitFor();
  await running.shoot('first-run-other-added');
  // On the heading, Enter does what the page is for.
  await chat.keyboard.press('Enter');
  await chat.getByRole('button', { name: labels.firstRun.useFolder }).click();
  await user.ask('hello');
  await user.sees('Hello from the house.');
});
