import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { routes } from '../../src-preload/contract/index.ts';
import type { ProviderForm } from '../../src-preload/contract/providers.ts';
import { PROVIDER_FORM } from '../fixtures/provider-form.ts';
import { startVendorServer, type VendorServer } from '../fixtures/vendor-server.ts';
import { WindowRig } from '../fixtures/window-rig.ts';

const VENDOR_KEY = 'sk-of-the-vendor-1234567890';
const OWN_KEY = 'sk-of-the-provider-1234567890';

const formOf = (name: string, baseUrl: string): ProviderForm => ({ ...PROVIDER_FORM, name, baseUrl });

/** Any service that notes what it is sent. */
const listening = () => startVendorServer(() => ({ status: 404, body: '{}' }));

const keysSeen = ({ requests }: VendorServer) => new Set(requests.map(({ headers }) => headers.authorization));

/** A window with the vendor's key in the environment, and a provider with a key of its own that the user added. */
async function rigWithProvider() {
  const own = await listening();
  const rig = new WindowRig({ env: { OPENAI_API_KEY: VENDOR_KEY } });
  const adding = rig.request('providers.add', { form: formOf('work', `${own.url}/v1`), key: OWN_KEY });
  await rig.answer({ answer: 'once' });
  await adding;
  return { rig, own };
}

const configOf = ({ profile }: WindowRig) => readFileSync(join(profile, 'config.json'), 'utf8');

test('a page adds no provider of its own: the exact address is asked about, and without a yes nothing is sent there', async () => {
  const { rig } = await rigWithProvider();
  const evil = await listening();
  const before = configOf(rig);
  const attack = () => rig.code('providers.add', { form: formOf('claude-pro', `${evil.url}/v1`), key: null });
  rig.hasGesture = false;
  const adding = attack();
  const card = await rig.answer({ answer: 'deny' });
  expect(await adding).toBe('not_confirmed');
  expect(JSON.stringify(card.parts)).toContain(`${evil.url}/v1`);
  expect(configOf(rig)).toBe(before);
  expect(await rig.code('settings.chooseModel', { specification: 'claude-pro:any' })).toBe('model_choice');
  expect(evil.requests).toHaveLength(0);

  // Control: with the user's yes, the conversation goes there.
  rig.hasGesture = true;
  const confirmed = attack();
  await rig.answer({ answer: 'once' });
  expect(await confirmed).toBe('ok');
  await rig.request('settings.chooseModel', { specification: 'claude-pro:any' });
  await rig.turn('what nobody else should read');
  expect(evil.requests.length).toBeGreaterThan(0);
});

test('a stored key is sent to no other address: changing and testing ask first, and say which key goes where', async () => {
  const { rig } = await rigWithProvider();
  const evil = await listening();
  const before = configOf(rig);
  const form = formOf('work', `${evil.url}/v1`);
  const attacks = ['providers.change', 'providers.test'] as const;
  for (const route of attacks) {
    rig.hasGesture = false;
    expect(await rig.code(route, { name: 'work', form, key: null }), route).toBe('no_gesture');
    // A click on something else, which the page takes for this.
    rig.hasGesture = true;
    const asking = rig.code(route, { name: 'work', form, key: null });
    const card = await rig.answer({ answer: 'deny' });
    expect(await asking, route).toBe('not_confirmed');
    expect(JSON.stringify(card.parts), route).toContain(`${evil.url}/v1`);
  }
  expect(evil.requests).toHaveLength(0);
  expect(configOf(rig)).toBe(before);

  // Control: the key that a yes would send.
  const testing = rig.code('providers.test', { name: 'work', form, key: null });
  const card = await rig.answer({ answer: 'once' });
  expect(await testing).toBe('ok');
  expect(JSON.stringify(card.parts)).toContain('the one that is stored for this provider');
  expect(keysSeen(evil)).toEqual(new Set([`Bearer ${OWN_KEY}`]));
});

test('a key stays with its provider when another type or vendor is tested with it', async () => {
  const { rig } = await rigWithProvider();
  const elsewhere: ProviderForm = { ...formOf('work', ''), type: 'gemini' };
  const asking = rig.code('providers.test', { name: 'work', form: elsewhere, key: null });
  const card = await rig.answer({ answer: 'deny' });
  expect(await asking).toBe('not_confirmed');
  expect(JSON.stringify(card.parts)).toContain('generativelanguage.googleapis.com');
});

test('the vendor’s key goes to this machine and to the vendor, never to another host', async () => {
  const { rig, own } = await rigWithProvider();
  await rig.request('providers.removeKey', { name: 'work' });
  const work = { name: 'work', form: formOf('work', `${own.url}/v1`), key: null };
  await rig.request('providers.test', work);
  // Control: on this machine it is sent.
  expect(keysSeen(own)).toEqual(new Set([`Bearer ${VENDOR_KEY}`]));
  const far = { name: null, form: formOf('far', 'http://gateway.example.invalid/v1'), key: null };
  const asking = rig.code('providers.test', far);
  const card = await rig.answer({ answer: 'once' });
  expect(await asking).toBe('ok');
  const asked = JSON.stringify(card.parts);
  expect(asked).toContain('Key: none is sent');
  expect(asked).toContain('Not encrypted');
});

test('the own key of a removed or changed provider is not found by a new one of its name', async () => {
  const { rig } = await rigWithProvider();
  await rig.request('providers.remove', { name: 'work' });
  const evil = await listening();
  const form = formOf('work', `${evil.url}/v1`);
  const adding = rig.request('providers.add', { form, key: null });
  await rig.answer({ answer: 'once' });
  await adding;
  await rig.request('providers.test', { name: 'work', form, key: null });
  expect(keysSeen(evil)).toEqual(new Set([`Bearer ${VENDOR_KEY}`]));
});

test('no route of a page returns a key', async () => {
  const { rig } = await rigWithProvider();
  const reads = ['list', 'get', 'models', 'refreshModels', 'findOllama'] as const;
  expect(Object.keys(routes.app.providers)).toEqual(expect.arrayContaining([...reads]));
  const answers = await Promise.all(
    [...reads.map((name) => `providers.${name}`), 'settings.get', 'credentials.list'].map((route) =>
      rig.envelope(route, route === 'providers.get' || route === 'providers.refreshModels' ? { name: 'work' } : {}),
    ),
  );
  const told = JSON.stringify([answers, rig.events]);
  expect(told).not.toContain(OWN_KEY);
  expect(told).not.toContain(VENDOR_KEY);
});
