import { expect, test } from 'vitest';
import type { SettingsView } from '../../../src-preload/contract/settings.ts';
import { FirstRunSteps } from '../../../src-renderer/first-run/first-run.svelte.ts';
import { bridgeOver } from '../../../src-renderer/ui/bridge.ts';
import { type Answers, fakeBridge, Refusal } from '../../fixtures/gallery/fake-bridge.ts';
import { appAnswers, secrets, settingsView } from '../../fixtures/gallery/scenes/app-answers.ts';

const onGuide: SettingsView = {
  ...settingsView,
  secrets: secrets({}),
  models: settingsView.models.map((model) => ({ ...model, isChosen: model.specification === 'guide' })),
};

async function stepsFor(view: SettingsView, answers: Answers<'app'> = {}) {
  let finished = 0;
  const { preload, requests } = fakeBridge<'app'>({ ...appAnswers(view), ...answers });
  const steps = new FirstRunSteps(bridgeOver<'app'>(preload), () => {
    finished += 1;
  });
  await steps.store.load();
  return { steps, finished: () => finished, routes: () => requests.map(({ route }) => route) };
}

test('every step can be left out, and the last one leads into the chat', async () => {
  const { steps, finished, routes } = await stepsFor(onGuide);
  steps.next();
  steps.next();
  expect([steps.step, finished()]).toEqual(['folder', 0]);
  steps.next();
  expect(finished()).toBe(1);
  expect(routes()).toEqual(['settings.get']);
});

test('the whole set-up can be left out at once, and one can go back', async () => {
  const { steps, finished } = await stepsFor(onGuide);
  steps.next();
  steps.back();
  steps.back();
  expect(steps.step).toBe('welcome');
  steps.skipAll();
  expect(finished()).toBe(1);
});

test('a key that works is stored and makes Claude answer, and the step says so before it leads on', async () => {
  const { steps } = await stepsFor(onGuide);
  steps.next();
  steps.key.value = 'sk-ant-key';
  await steps.key.testAndSave();
  await expect.poll(() => steps.model?.specification).toBe('anthropic:claude-sonnet-5-5');
  expect([steps.step, steps.keySource]).toEqual(['model', 'keychain']);
  steps.next();
  expect(steps.step).toBe('folder');
});

test('a key that does not work stays on its step', async () => {
  const { steps } = await stepsFor(onGuide);
  steps.next();
  steps.key.value = 'wrong';
  await steps.key.testAndSave();
  expect([steps.step, steps.isGuide]).toEqual(['model', true]);
});

test('the Guide, where it answers already, is not written into config.json', async () => {
  const { steps, routes } = await stepsFor(onGuide);
  steps.next();
  await steps.useGuide();
  expect([steps.step, routes()]).toEqual(['folder', ['settings.get']]);
});

test('the Guide is chosen where Claude would answer', async () => {
  const { steps } = await stepsFor(settingsView);
  steps.next();
  await steps.useGuide();
  expect([steps.step, steps.isGuide]).toEqual(['folder', true]);
});

test('an unconfirmed folder does not change the step', async () => {
  const { steps } = await stepsFor(onGuide, {
    'settings.chooseWorkspace': () => {
      throw new Refusal('not_confirmed', 'You did not confirm it.');
    },
  });
  steps.next();
  steps.next();
  await steps.chooseFolder();
  expect([steps.step, steps.store.view?.workspace]).toEqual(['folder', onGuide.workspace]);
});
