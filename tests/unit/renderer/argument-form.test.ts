import { expect, test } from 'vitest';
import { ArgumentForm } from '../../../src-renderer/chat/composer/argument-form.svelte.ts';

const FIELDS = [{ name: 'department', title: 'Department', description: null, isRequired: true }];

function formWith(lists: Readonly<Record<string, readonly string[]>>) {
  return new ArgumentForm<{ kind: 'done' }>(
    FIELDS,
    { department: 'Sal' },
    {
      complete: async ({ value }) => lists[value],
      submit: async () => ({ kind: 'done' }),
      done: () => undefined,
    },
  );
}

test('a suggestion chosen before new ones came stays chosen, as long as it is among them', async () => {
  const form = formWith({ Sal: ['Sales', 'Salvage'], Sa: ['Safety', 'Sales'], S: ['Safety'] });
  form.focused('department');
  await expect.poll(() => form.suggestions).toEqual(['Sales', 'Salvage']);

  form.typed('department', 'Sa');
  form.moved(1);
  await expect.poll(() => form.suggestions).toEqual(['Safety', 'Sales']);
  expect(form.chosen).toBe(1);

  form.typed('department', 'S');
  form.moved(1);
  form.moved(1);
  await expect.poll(() => form.suggestions).toEqual(['Safety']);
  expect(form.chosen).toBe(null);
  expect(form.took()).toBe(false);
});
