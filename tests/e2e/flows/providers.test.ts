import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AppRig } from '../../fixtures/electron-app.ts';
import { startOpenAiApi } from '../../fixtures/openai/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const { providers: words } = labels;
const MODEL = 'house-large';
const KEY = 'sk-compatible-1234567890';

test('a service is added with its key, answers, and is chosen, tested and removed', async (context) => {
  const api = await startOpenAiApi({
    validKeys: [KEY],
    turns: [{ text: 'Hello from the new service.' }],
    afterLast: 'repeat',
    models: [MODEL],
  });
  onTestFinished(() => api.close());
  const rig = new AppRig(context);
  const running = await rig.launch();
  const user = new User(running);
  const { chat } = running;
  const panel = await user.opensSettings(labels.settings.models);
  await panel.getByRole('button', { name: words.add }).click();
  await chat.getByRole('menuitem', { name: /^Other service/ }).click();
  await panel.getByLabel(words.name, { exact: true }).fill('house');
  await panel.getByLabel(words.baseUrl).fill(`${api.url}/v1`);
  await panel.getByLabel(words.key, { exact: true }).pressSequentially('sk-wrong');
  await panel.getByRole('button', { name: words.fetchModels }).click();
  await (await user.question()).getByText(`${api.url}/v1`).first().waitFor();
  await running.shoot('provider-test-asked');
  await user.answers(labels.consent.confirm);
  await panel.locator('[data-code="wrong_key"]').waitFor();
  await running.shoot('provider-wrong-key');

  await panel.getByLabel(words.key, { exact: true }).fill(KEY);
  await panel.getByRole('button', { name: words.testForm, exact: true }).click();
  await user.answers(labels.consent.confirm);
  await panel.locator('[data-code="ok"]').waitFor();
  await panel.getByLabel(words.model, { exact: true }).fill(MODEL);
  await running.shoot('provider-tested');
  await panel.getByRole('button', { name: words.saveNew, exact: true }).click();
  await (await user.question()).getByText(`${api.url}/v1`).first().waitFor();
  await running.shoot('provider-asked');
  await user.answers(labels.consent.confirm);
  await panel.getByRole('button', { name: words.test('house') }).click();
  await panel
    .getByRole('article', { name: /^house/ })
    .getByText('Works')
    .waitFor();
  await running.shoot('provider-list');

  // The model is chosen in the composer with the keyboard alone.
  await user.closesSettings();
  await chat.getByRole('button', { name: labels.chat.model }).click();
  await chat.keyboard.type(`house ${MODEL}`);
  await chat
    .getByRole('option', { name: new RegExp(`^${MODEL}`) })
    .first()
    .waitFor();
  await running.shoot('provider-picker');
  await chat.keyboard.press('Enter');
  await chat.getByRole('button', { name: `Model: house: ${MODEL}` }).waitFor();
  await user.ask('hello');
  await user.sees('Hello from the new service.');
  await user.waits();

  await user.opensSettings(labels.settings.models);
  await panel.getByRole('button', { name: words.edit('house') }).click();
  await panel.getByRole('button', { name: words.remove }).click();
  await running.shoot('provider-remove');
  await chat.getByRole('dialog').getByText('the Guide answers').waitFor();
  await chat.getByRole('dialog').getByRole('button', { name: words.confirmRemoval, exact: true }).click();
  await panel.getByRole('button', { name: words.add }).waitFor();
  const config = () => JSON.parse(readFileSync(join(rig.profile, 'config.json'), 'utf8'));
  await expect.poll(config).toEqual({ providers: {} });
});
