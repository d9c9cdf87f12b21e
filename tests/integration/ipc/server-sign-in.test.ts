import { expect, test, vi } from 'vitest';
import type { ServerSignIn } from '../../../src-preload/contract/server-sign-in.ts';
import { browse, startAuthorization } from '../../fixtures/mcp/authorization.ts';
import { SOON, WindowRig } from '../../fixtures/window-rig.ts';

const yes = { answer: 'once' };
const notes = { server: 'notes' };

async function rigWith(url: string): Promise<WindowRig> {
  const rig = new WindowRig({ config: { mcpServers: { notes: { url }, local: { command: 'no-such-program' } } } });
  // The services take their time to start on a busy machine.
  await rig.request('settings.get');
  const confirming = rig.request('settings.confirmPending');
  await rig.answer(yes);
  await rig.answer(yes);
  await confirming;
  return rig;
}

test('a user signs in from the window, is asked what for, and can sign out', async () => {
  const fixture = await startAuthorization();
  const rig = await rigWith(fixture.url);
  expect(await rig.request('serverSignIn.list')).toEqual([
    { server: 'notes', isSignedIn: false, step: null, problem: null },
  ]);
  const signingIn = rig.request<ServerSignIn>('serverSignIn.signIn', notes);
  const card = await rig.card();
  expect(card).toMatchObject({ kind: 'grant', title: 'Sign in to this server?' });
  for (const shown of [fixture.url, fixture.issuer, 'notes:read']) expect(JSON.stringify(card.parts)).toContain(shown);
  expect(rig.opened).toEqual([]);
  await rig.answer(yes, card);
  await vi.waitFor(() => expect(rig.opened).toHaveLength(1), SOON);
  expect(await rig.request('serverSignIn.list')).toMatchObject([{ step: 'browser' }]);
  expect(await browse(rig.opened[0] ?? '')).toContain('You are signed in');
  expect(await signingIn).toEqual({ server: 'notes', isSignedIn: true, step: null, problem: null });
  expect(rig.events.some(({ name }) => name === 'serverSignInChanged')).toBe(true);

  expect(await rig.request('serverSignIn.signOut', notes)).toMatchObject({ isSignedIn: false });
  expect(fixture.requests).toContain('POST as/revoke');
  // No secret ever reached the page.
  for (const secret of fixture.secrets) expect(JSON.stringify(rig.events)).not.toContain(secret);
});

test('neither a script nor a declined question opens the browser, and a sign-in in progress can be cancelled', async () => {
  const fixture = await startAuthorization();
  const rig = await rigWith(fixture.url);
  rig.hasGesture = false;
  expect(await rig.code('serverSignIn.signIn', notes)).toBe('no_gesture');
  rig.hasGesture = true;
  expect(await rig.code('serverSignIn.signIn', { server: 'local' })).toBe('unknown_server');
  const declined = rig.request<ServerSignIn>('serverSignIn.signIn', notes);
  await rig.answer({ answer: 'deny' });
  expect((await declined).problem?.code).toBe('not_confirmed');
  expect(rig.opened).toEqual([]);

  const waiting = rig.request<ServerSignIn>('serverSignIn.signIn', notes);
  await rig.answer(yes);
  await vi.waitFor(() => expect(rig.opened).toHaveLength(1), SOON);
  await rig.request('serverSignIn.cancelSignIn', notes);
  expect((await waiting).problem?.code).toBe('cancelled');
  const asking = rig.request<ServerSignIn>('serverSignIn.signIn', notes);
  await rig.card();
  await rig.request('serverSignIn.cancelSignIn', notes);
  expect((await asking).problem?.code).toBe('cancelled');
  await vi.waitFor(() => expect(rig.isConsentShown).toBe(false), SOON);
});
