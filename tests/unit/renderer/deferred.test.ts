import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deferred, fetchWhileIdle } from '../../../src-renderer/ui/deferred.svelte.ts';

let whenIdle: (() => unknown)[];
beforeEach(() => {
  whenIdle = [];
  vi.stubGlobal('requestIdleCallback', (callback: () => unknown) => whenIdle.push(callback));
});
afterEach(() => vi.unstubAllGlobals());

test('what is asked for is fetched once, and then there at once', async () => {
  const load = vi.fn(async () => ({ default: 'component' }));
  const deferred = new Deferred(load);
  expect(deferred.component).toBeUndefined();
  await deferred.fetch();
  expect(deferred.component).toBe('component');
  expect(load).toHaveBeenCalledOnce();
});

test('what is not asked for is fetched while the page is idle, one after the other', async () => {
  const fetched: string[] = [];
  for (const name of ['first', 'second'])
    new Deferred(async () => {
      fetched.push(name);
      return { default: name };
    });
  fetchWhileIdle();
  expect(fetched).toEqual([]);
  while (whenIdle.length > 0) await whenIdle.shift()?.();
  expect(fetched.slice(-2)).toEqual(['first', 'second']);
});
