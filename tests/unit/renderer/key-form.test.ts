import { expect, test } from 'vitest';
import { KeyForm } from '../../../src-renderer/settings/key-form.svelte.ts';
import { bridgeOver } from '../../../src-renderer/ui/bridge.ts';
import { type Answers, fakeBridge, Refusal } from '../../fixtures/gallery/fake-bridge.ts';
import { appAnswers } from '../../fixtures/gallery/scenes/app-answers.ts';

function formWith(answers: Answers<'app'> = {}) {
  const stored: string[] = [];
  const { preload, requests } = fakeBridge<'app'>({ ...appAnswers(), ...answers });
  const form = new KeyForm('anthropic-api-key', bridgeOver<'app'>(preload), ({ secrets }) =>
    stored.push(...secrets.flatMap(({ name, source }) => (name === 'anthropic-api-key' ? [String(source)] : []))),
  );
  form.open();
  return { form, stored, routes: () => requests.map(({ route }) => route), requests };
}

test('a key is tested with its service and only then stored', async () => {
  const { form, stored, requests } = formWith();
  form.value = '  sk-ant-key\n';
  expect(await form.testAndSave()).toBe(true);
  const input = { name: 'anthropic-api-key', value: 'sk-ant-key' };
  expect(requests).toEqual([
    { route: 'settings.testKey', input },
    { route: 'settings.setKey', input },
  ]);
  expect(stored).toEqual(['keychain']);
});

test('a key that does not work is not stored; what the service said is shown and the key can be corrected', async () => {
  const { form, stored, routes } = formWith();
  form.value = 'wrong';
  expect(await form.testAndSave()).toBe(false);
  expect(routes()).toEqual(['settings.testKey']);
  expect(stored).toEqual([]);
  expect([form.isOpen, form.value, form.step]).toEqual([true, 'wrong', 'idle']);
  expect(form.failure).toContain('401');
  form.edited();
  expect(form.failure).toBeNull();
});

test('a test that cannot be made stores nothing', async () => {
  const { form, routes } = formWith({
    'settings.testKey': () => {
      throw new Refusal('network', 'api.anthropic.com cannot be reached.');
    },
  });
  form.value = 'sk-ant-key';
  expect(await form.testAndSave()).toBe(false);
  expect([form.failure, routes()]).toEqual(['api.anthropic.com cannot be reached.', ['settings.testKey']]);
});

test('a key that works but cannot be stored stays in the field', async () => {
  const { form } = formWith({
    'settings.setKey': () => {
      throw new Refusal('bad_value', 'The keychain refused it.');
    },
  });
  form.value = 'sk-ant-key';
  expect(await form.testAndSave()).toBe(false);
  expect([form.failure, form.value, form.isOpen]).toEqual(['The keychain refused it.', 'sk-ant-key', true]);
});

test('nothing is asked for an empty field, and nothing twice', async () => {
  const { form, routes } = formWith();
  expect(await form.testAndSave()).toBe(false);
  expect([form.failure, routes()]).toEqual(['Paste the Anthropic key first.', []]);
  form.value = 'sk-ant-key';
  const [first, second] = await Promise.all([form.testAndSave(), form.testAndSave()]);
  expect([first, second, routes()]).toEqual([true, false, ['settings.testKey', 'settings.setKey']]);
});

test('the typed key is forgotten once it is stored, and when the field is closed', async () => {
  const { form } = formWith();
  form.value = 'sk-ant-key';
  await form.testAndSave();
  expect([form.value, form.isOpen, form.success]).toEqual(['', false, 'The key works.']);
  form.open();
  form.value = 'half a k';
  form.close();
  expect(form.value).toBe('');
});

test('a key can be removed', async () => {
  const { form, stored } = formWith();
  await form.remove();
  expect(stored).toEqual(['null']);
});
