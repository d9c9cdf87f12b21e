import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { flagConsent } from '../../src-main/headless/flag-consent.ts';
import { startServices } from '../../src-main/services.ts';
import { SettingsError } from '../../src-main/settings/problems.ts';
import type { ProviderForm } from '../../src-preload/contract/providers.ts';
import { PROVIDER_FORM } from '../fixtures/provider-form.ts';
import { startVendorServer } from '../fixtures/vendor-server.ts';

const OLD_KEY = 'sk-of-the-old-place-1234567890';
const NEW_KEY = 'sk-of-the-new-place-1234567890';
const still = new AbortController().signal;

/** Any service: it lists no models, and notes what it is sent. */
const listening = () => startVendorServer(() => ({ status: 200, body: '{"data":[],"has_more":false}' }));

const formAt = (baseUrl: string): ProviderForm => ({ ...PROVIDER_FORM, type: 'anthropic', baseUrl });

/** A provider with its own key at its own address, which the user added; `vendor` stands in for the vendor. */
async function servicesWithProvider() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'steward-keys-')));
  const [profileDirectory, workspace] = [join(folder, 'profile'), join(folder, 'workspace')];
  for (const each of [profileDirectory, workspace]) mkdirSync(each);
  const [vendor, own, other] = [await listening(), await listening(), await listening()];
  const services = await startServices({
    profileDirectory,
    workspace,
    launchDirectory: folder,
    env: { HOME: folder, ANTHROPIC_BASE_URL: vendor.url },
    consent: flagConsent('all'),
    isLongLived: true,
    signal: still,
  });
  onTestFinished(async () => {
    await services.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await services.providerSettings.add({ form: formAt(own.url), key: OLD_KEY }, still);
  /** Loads it as a turn does, which keeps it until it ends. */
  const load = async () => services.modelServices.provider(await services.chooseModel('work:any'));
  const config = join(profileDirectory, 'config.json');
  const asked = async (provider: Awaited<ReturnType<typeof load>>) => {
    const request = { model: 'any', system: '', messages: [], tools: [], signal: still };
    for await (const _ of provider.stream(request)) break;
  };
  return { services, config, vendor, own, other, load, asked };
}

const keysSeen = ({ requests }: Awaited<ReturnType<typeof listening>>) =>
  new Set(requests.map(({ headers }) => headers['x-api-key']));

test('a running turn sends the new key to no earlier address, and asks no provider that was moved or removed', async () => {
  const { services, own, other, load, asked } = await servicesWithProvider();
  const kept = await load();
  // Control: before the change its requests are answered, with the key.
  await kept.list(still);
  expect(keysSeen(own)).toEqual(new Set([OLD_KEY]));

  await services.providerSettings.change('work', { form: formAt(other.url), key: NEW_KEY }, still);
  await expect(kept.list(still)).rejects.toMatchObject({ name: 'ModelError', code: 'no_permission' });
  await expect(asked(kept)).rejects.toMatchObject({ name: 'ModelError', code: 'no_permission' });
  expect(keysSeen(own)).toEqual(new Set([OLD_KEY]));

  const moved = await load();
  await moved.list(still);
  expect(keysSeen(other)).toEqual(new Set([NEW_KEY]));
  await services.providerSettings.remove('work');
  await expect(moved.list(still)).rejects.toMatchObject({ code: 'no_permission' });
  expect(other.requests).toHaveLength(1);
});

test('another limit or model does not stop a running turn', async () => {
  const { services, own, load } = await servicesWithProvider();
  const kept = await load();
  await services.providerSettings.change('work', { form: { ...formAt(own.url), maxTokens: 99 }, key: null }, still);
  await kept.list(still);
  expect(keysSeen(own)).toEqual(new Set([OLD_KEY]));
});

test("an own key does not follow its name: without the address in config.json, the vendor doesn't receive it", async () => {
  const { services, config, vendor, load } = await servicesWithProvider();
  const write = async (entry: Readonly<Record<string, string>>) => {
    writeFileSync(config, JSON.stringify({ providers: { work: { model: 'any', ...entry } } }));
    await services.confirmPending(still);
  };
  await write({ type: 'anthropic' });
  await (await load()).list(still).catch(() => undefined);
  expect(vendor.requests.map(({ headers }) => headers['x-api-key']).filter(Boolean)).toEqual([]);

  // Control: once the user has said yes to that, it goes there.
  await services.providerSettings.change('work', { form: formAt(''), key: OLD_KEY }, still);
  await (await load()).list(still);
  expect(keysSeen(vendor)).toEqual(new Set([OLD_KEY]));
  // The key does not go to another type's vendor either.
  await write({ type: 'gemini' });
  expect(await services.modelServices.key('work', { type: 'gemini' })).toBeUndefined();
});

test('a key whose address could not be saved is not stored', async () => {
  const { services, own, other, load } = await servicesWithProvider();
  vi.spyOn(services.settings, 'editProvider').mockRejectedValueOnce(new SettingsError('no space left'));
  await expect(
    services.providerSettings.change('work', { form: formAt(other.url), key: NEW_KEY }, still),
  ).rejects.toThrow(SettingsError);
  expect((await services.secrets.get('provider/work'))?.value).toBe(OLD_KEY);
  await services.confirmPending(still);
  await (await load()).list(still);
  expect(keysSeen(own)).toEqual(new Set([OLD_KEY]));
  expect(other.requests).toEqual([]);
});
