import { expect, test } from 'vitest';
import type { SettingsView } from '../../../src-preload/contract/settings.ts';
import { FirstRunSteps } from '../../../src-renderer/first-run/first-run.svelte.ts';
import { bridgeOver } from '../../../src-renderer/ui/bridge.ts';
import { type Answers, fakeBridge, Refusal } from '../../fixtures/gallery/fake-bridge.ts';
import { appAnswers, secrets, settingsView } from '../../fixtures/gallery/scenes/app-answers.ts';
import { providerRows } from '../../fixtures/gallery/scenes/provider-answers.ts';

const [providerRow = never()] = providerRows;

function never(): never {
  throw new Error('it is there');
}

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

const stored = (state: 'ready' | 'no-key') => ({
  'providers.list': { rows: [] },
  'providers.add': {
    rows: [{ ...providerRow, name: 'house', model: 'large', template: 'other' as const, state: { name: state } }],
  },
});

test('another service is stored first, and its model answers once the user says so', async () => {
  const { steps, routes } = await stepsFor(onGuide, stored('ready'));
  steps.next();
  steps.other.open('service');
  await steps.other.fill('other');
  const form = { ...(steps.other.form?.form ?? never()), name: 'house', model: 'large' };
  expect(await steps.other.providers.add(form, 'sk-key')).toBe(true);
  await steps.other.saved({ name: 'house', model: 'large' });
  const { added } = steps.other;
  expect(added).toMatchObject({ specification: 'house:large', sentTo: new URL(providerRow.address).host });
  expect(routes()).not.toContain('settings.chooseModel');
  await steps.use(added ?? never());
  expect(routes().slice(-2)).toEqual(['providers.add', 'settings.chooseModel']);
  expect([steps.other.way, steps.other.added, steps.step]).toEqual([null, null, 'folder']);
});

test('a service that lacks its key stays in its form and answers nothing', async () => {
  const { steps, routes } = await stepsFor(onGuide, stored('no-key'));
  steps.next();
  steps.other.open('service');
  await steps.other.fill('openai');
  const form = { ...(steps.other.form?.form ?? never()), name: 'house', model: 'large' };
  await steps.other.providers.add(form, null);
  await steps.other.saved({ name: 'house', model: 'large' });
  expect(routes()).not.toContain('settings.chooseModel');
  expect(steps.other.form?.row?.name).toBe('house');
  expect(steps.other.providers.refusalOf('save')?.message).toContain('without a key');
});

test('one goes back from a form to the list, to Claude, and to the welcome', async () => {
  const { steps } = await stepsFor(onGuide, stored('ready'));
  steps.next();
  steps.other.open('computer');
  await steps.other.fill('lm-studio');
  const pages = [steps.page];
  for (let count = 0; count < 3; count += 1) {
    steps.back();
    pages.push(steps.page);
  }
  expect(pages).toEqual(['model/computer/lm-studio ', 'model/computer/', 'model//', 'welcome//']);
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
