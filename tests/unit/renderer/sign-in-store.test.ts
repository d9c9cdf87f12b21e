import { expect, test } from 'vitest';
import type { ServerSignIn } from '../../../src-preload/contract/server-sign-in.ts';
import { SignInStore } from '../../../src-renderer/settings/servers/sign-in-store.svelte.ts';
import { bridgeOver } from '../../../src-renderer/ui/bridge.ts';
import { fakeBridge, Refusal } from '../../fixtures/gallery/fake-bridge.ts';

const idle: ServerSignIn = { server: 'tracker', isSignedIn: false, step: null, problem: null };

test('a sign-in is followed as main tells of it', async () => {
  let now = idle;
  const fake = fakeBridge<'app'>({ 'serverSignIn.list': () => [now] });
  const store = new SignInStore(bridgeOver<'app'>(fake.preload));
  const end = store.start();
  now = { ...idle, step: 'browser' };
  fake.emit('serverSignInChanged', {});
  await expect.poll(() => store.stepOf('tracker')).toBe('browser');
  now = { ...idle, isSignedIn: true };
  fake.emit('serverSignInChanged', {});
  await expect.poll(() => store.isSignedIn('tracker')).toBe(true);
  expect(store.stepOf('tracker')).toBeNull();
  end();
});

test('what went wrong is shown until the next try; what the user ended is not', async () => {
  const problems = [
    { code: 'denied', message: 'Access was denied.' },
    { code: 'cancelled', message: 'Cancelled.' },
  ];
  const fake = fakeBridge<'app'>({
    'serverSignIn.signIn': () => ({ ...idle, problem: problems.shift() ?? null }),
    'serverSignIn.signOut': () => {
      throw new Refusal('no_gesture', 'Click yourself.');
    },
  });
  const store = new SignInStore(bridgeOver<'app'>(fake.preload));
  await store.signIn('tracker');
  expect(store.problemOf('tracker')).toBe('Access was denied.');
  await store.signIn('tracker');
  expect(store.problemOf('tracker')).toBeNull();
  await store.signOut('tracker');
  expect(store.problemOf('tracker')).toBe('Click yourself.');
  await store.signIn('tracker');
  expect(store.problemOf('tracker')).toBeNull();
});
