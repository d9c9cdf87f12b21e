import { expect, test } from 'vitest';
import { AppRig } from '../../fixtures/electron-app.ts';
import { Person } from '../../fixtures/window-person.ts';

test('a person who starts for the first time tries the Guide without a key, and is not asked again', async (context) => {
  const rig = new AppRig(context, {
    isFirstRun: true,
    files: { 'README.md': '# Shopping list', 'notes.txt': 'call Ada' },
  });
  const running = await rig.launch();
  const { chat } = running;

  await chat.getByRole('heading', { name: 'Welcome to Steward' }).waitFor();
  await running.shoot('first-run-1-welcome');
  await chat.getByRole('button', { name: 'Set up Steward' }).click();
  await chat.getByRole('heading', { name: 'Connect a model' }).waitFor();
  await running.shoot('first-run-2-model');
  await chat.getByRole('button', { name: /Try the Guide/ }).click();
  await chat.getByText(rig.workspace).waitFor();
  await running.shoot('first-run-3-folder');
  await chat.getByRole('button', { name: 'Use this folder' }).click();
  await chat.getByRole('button', { name: 'list the files here' }).click();
  await running.shoot('first-run-4-ready');

  const person = new Person(running);
  const message = chat.getByRole('textbox', { name: 'Message' });
  expect(await message.inputValue()).toBe('list the files here');
  await message.press('Enter');
  await person.waits();
  await person.card('List files: Done').waitFor();
  await person.sees('notes.txt');
  await running.shoot('first-run-5-guide-answered');
  await running.close();

  const again = await rig.launch();
  await again.chat.getByRole('textbox', { name: 'Message' }).waitFor();
  expect(await again.chat.getByRole('heading', { name: 'Welcome to Steward' }).count()).toBe(0);
});

test('the set-up can be skipped', async (context) => {
  const running = await new AppRig(context, { isFirstRun: true }).launch();
  await running.chat.getByRole('button', { name: 'Skip the set-up' }).click();
  await running.chat.getByRole('textbox', { name: 'Message' }).waitFor();
});
