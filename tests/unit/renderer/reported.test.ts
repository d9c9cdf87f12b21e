import { beforeEach, expect, test } from 'vitest';
import { reported } from '../../../src-renderer/ui/reported.ts';
import { toasts } from '../../../src-renderer/ui/toasts.svelte.ts';

const texts = () => toasts.shown.map(({ text }) => text);
const fails = (message: string, about?: string) => reported(Promise.reject(new Error(message)), about);
beforeEach(() => {
  toasts.shown = [];
});

test('an error about what then works is closed, and replaced by the next one; others stay', async () => {
  await fails('not saved');
  await fails('no model', 'send');
  await fails('no key', 'send');
  expect(texts()).toHaveLength(2);
  expect(await reported(Promise.resolve('sent'), 'send')).toBe('sent');
  expect(texts()).toHaveLength(1);
  expect(await reported(Promise.resolve('opened'))).toBe('opened');
  expect(texts()).toHaveLength(1);
});
