import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ConsentCard } from '../../../src-preload/contract/consent.ts';
import type { ModelLists, ProviderForm, ProviderList, ProviderTest } from '../../../src-preload/contract/providers.ts';
import type { SettingsView } from '../../../src-preload/contract/settings.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { startOllama } from '../../fixtures/ollama/server.ts';
import { PROVIDER_FORM } from '../../fixtures/provider-form.ts';
import { startVendorServer } from '../../fixtures/vendor-server.ts';
import { WindowRig, type WindowRigOptions } from '../../fixtures/window-rig.ts';

const KEY = 'sk-ant-api03-the-key-of-a-gateway';
const VENDOR_KEY = 'sk-ant-api03-the-key-of-the-vendor';
const EMPTY: ProviderForm = { ...PROVIDER_FORM, name: '', type: 'anthropic', model: 'claude-sonnet-5-5' };
const formOf = (values: Partial<ProviderForm>): ProviderForm => ({ ...EMPTY, ...values });
const list = (rig: WindowRig) => rig.request<ProviderList>('providers.list');
const row = (shown: ProviderList, name: string) => shown.rows.find((each) => each.name === name);
const configOf = (rig: WindowRig) => readFileSync(join(rig.profile, 'config.json'), 'utf8');

async function startGateway(options: Parameters<typeof startMessagesApi>[0] = {}) {
  const api = await startMessagesApi({ validKeys: [KEY], ...options });
  onTestFinished(() => api.close());
  return api;
}

/** Confirms the next question. */
async function confirmed<T>(rig: WindowRig, work: Promise<T>): Promise<{ card: ConsentCard; answer: T }> {
  const card = await rig.answer({ answer: 'once' });
  return { card, answer: await work };
}

async function rigWith(provider: Record<string, unknown>, options: WindowRigOptions = {}) {
  const rig = new WindowRig({ ...options, config: { providers: { work: provider }, ...options.config } });
  await confirmed(rig, rig.request('providers.confirm', { name: 'work' }));
  return rig;
}

test('a provider is added once its exact address is confirmed; its key is kept apart and never returned', async () => {
  const api = await startGateway();
  const rig = new WindowRig();
  const given = { form: formOf({ name: 'work', baseUrl: `${api.url}/` }), key: KEY };
  const { card, answer } = await confirmed(rig, rig.request<ProviderList>('providers.add', given));
  const asked = JSON.stringify(card.parts);
  expect(asked).toContain(`Address: ${api.url}\\n`);
  expect(asked).toContain(KEY.slice(-4));
  expect(asked).not.toContain(KEY);
  expect(asked).toContain('the one that was entered');
  expect(asked).toContain('Kept in memory');
  expect(row(answer, 'work')).toMatchObject({
    type: 'anthropic',
    address: api.url,
    state: { name: 'ready' },
    isBuiltIn: false,
    key: { of: 'provider', keptIn: 'memory' },
  });
  expect(JSON.parse(configOf(rig))).toEqual({
    providers: { work: { type: 'anthropic', model: 'claude-sonnet-5-5', baseUrl: api.url } },
  });
  expect(JSON.stringify(rig.events) + JSON.stringify(await list(rig)) + configOf(rig)).not.toContain(KEY);

  await rig.request('settings.chooseModel', { specification: 'work:claude-sonnet-5-5' });
  await rig.turn('hello');
  expect(api.requests).toHaveLength(1);
  expect(row(await list(rig), 'work')?.isActive).toBe(true);
});

test('a declined provider is neither written nor given a key', async () => {
  const rig = new WindowRig();
  const adding = rig.code('providers.add', {
    form: formOf({ name: 'work', baseUrl: 'https://gateway.example' }),
    key: KEY,
  });
  await rig.answer({ answer: 'deny' });
  expect(await adding).toBe('not_confirmed');
  expect((await list(rig)).rows.map(({ name }) => name)).toEqual(['anthropic']);
});

test('the provider that answers says what answers once it is removed: Claude with a key, else the Guide', async () => {
  const entry = { type: 'openai', model: 'local-1', baseUrl: 'http://127.0.0.1:9/v1' };
  const chosen = { config: { model: 'work:local-1' } };
  const withKey = await rigWith(entry, { ...chosen, env: { ANTHROPIC_API_KEY: VENDOR_KEY } });
  const shown = await list(withKey);
  expect(row(shown, 'work')?.successor).toEqual({ label: 'Claude Sonnet 5.5', sentTo: 'Anthropic' });
  expect(row(shown, 'anthropic')?.successor).toBeNull();
  const afterRemoval = await withKey.request<ProviderList>('providers.remove', { name: 'work' });
  expect(row(afterRemoval, 'anthropic')?.isActive).toBe(true);

  const withoutKey = await rigWith(entry, chosen);
  expect(row(await list(withoutKey), 'work')?.successor).toEqual({ label: 'Guide', sentTo: null });

  // The entry goes, and with it the other address. What is left is Claude with the key of Anthropic.
  const own = { type: 'anthropic', model: 'claude-x', baseUrl: 'http://127.0.0.1:9' };
  const moved = new WindowRig({
    config: { providers: { anthropic: own }, model: 'anthropic:claude-x' },
    env: { ANTHROPIC_API_KEY: VENDOR_KEY },
  });
  await confirmed(moved, moved.request('providers.confirm', { name: 'anthropic' }));
  expect(row(await list(moved), 'anthropic')?.successor).toEqual({ label: 'Claude Sonnet 5.5', sentTo: 'Anthropic' });
});

test('names must differ in more than case; what is wrong with the form is said', async () => {
  const rig = await rigWith({ type: 'anthropic', model: 'x', baseUrl: 'http://127.0.0.1:9' });
  const code = (values: Partial<ProviderForm>) => rig.code('providers.add', { form: formOf(values), key: null });
  expect(await code({ name: 'WORK' })).toBe('name_taken');
  expect(await code({ name: 'Guide' })).toBe('name_taken');
  expect(await code({ name: 'a:b' })).toBe('bad_provider');
  expect(await code({ name: 'other', baseUrl: 'ftp://x' })).toBe('bad_provider');
  expect(await code({ name: 'other', model: ' ' })).toBe('bad_provider');
  expect(await code({ name: 'other', temperature: 7 })).toBe('bad_provider');
});

test('editing keeps what the form does not show, and asks only about another address, name or key', async () => {
  const api = await startGateway();
  const rig = await rigWith(
    { type: 'anthropic', model: 'claude-sonnet-5-5', baseUrl: api.url, futureKey: { a: [1] } },
    { config: { model: 'work:claude-sonnet-5-5' } },
  );
  const form = await rig.request<ProviderForm>('providers.get', { name: 'work' });
  expect(form).toEqual(formOf({ name: 'work', baseUrl: api.url }));
  const change = (values: Partial<ProviderForm>, key: string | null = null) =>
    rig.request<ProviderList>('providers.change', { name: 'work', form: { ...form, ...values }, key });

  await change({ effort: 'high' });
  const { card } = await confirmed(rig, change({ effort: 'high' }, KEY));
  expect(JSON.stringify(card.parts)).toContain(KEY.slice(-4));
  const { answer } = await confirmed(rig, change({ name: 'gateway', effort: 'high' }));
  expect(answer.rows.map(({ name }) => name)).toEqual(['anthropic', 'gateway']);
  expect(row(answer, 'gateway')).toMatchObject({ key: { of: 'provider' }, state: { name: 'ready' }, isActive: true });
  expect(JSON.parse(configOf(rig))).toEqual({
    model: 'gateway:claude-sonnet-5-5',
    providers: {
      gateway: {
        type: 'anthropic',
        model: 'claude-sonnet-5-5',
        baseUrl: api.url,
        futureKey: { a: [1] },
        effort: 'high',
      },
    },
  });
  await rig.turn('hello');
  expect(api.requests).toHaveLength(1);
});

test('what is changed in config.json while a form is open stays, unless the form changes the same', async () => {
  const entry = { type: 'openai', model: 'one', baseUrl: 'http://127.0.0.1:9/v1', maxTokens: 500 };
  const rig = await rigWith(entry);
  const form = await rig.request<ProviderForm>('providers.get', { name: 'work' });
  rig.writeConfig({ providers: { work: { ...entry, model: 'two', temperature: 0.3, maxTokens: 600 } } });
  await expect.poll(async () => row(await list(rig), 'work')?.model).toBe('two');
  await rig.request('providers.change', {
    name: 'work',
    key: null,
    form: { ...form, maxTokens: 700, description: 'Good at numbers' },
  });
  expect(JSON.parse(configOf(rig)).providers.work).toEqual({
    ...entry,
    model: 'two',
    temperature: 0.3,
    maxTokens: 700,
    description: 'Good at numbers',
  });
});

test('an address that is changed in config.json while a form is open is asked about before the form is saved', async () => {
  const entry = { type: 'openai', model: 'one', baseUrl: 'http://127.0.0.1:9/v1' };
  const rig = await rigWith(entry);
  const form = await rig.request<ProviderForm>('providers.get', { name: 'work' });
  rig.writeConfig({ providers: { work: { ...entry, baseUrl: 'http://127.0.0.1:10/v1' } } });
  await expect.poll(async () => row(await list(rig), 'work')?.state.name).toBe('unconfirmed');
  const key = 'sk-of-port-nine';
  const { card } = await confirmed(rig, rig.request('providers.change', { name: 'work', form, key }));
  expect(JSON.stringify(card.parts)).not.toContain('http://127.0.0.1:9/v1');
  expect(JSON.stringify(card.parts)).toContain('http://127.0.0.1:10/v1');
});

test('a new provider is not sent the key that an earlier one of its name left behind', async () => {
  const rig = new WindowRig();
  const at = (port: number) => formOf({ name: 'work', baseUrl: `http://127.0.0.1:${port}` });
  await confirmed(rig, rig.request('providers.add', { form: at(9), key: KEY }));
  rig.writeConfig({});
  await expect.poll(async () => row(await list(rig), 'work')).toBeUndefined();
  const { answer } = await confirmed(rig, rig.request<ProviderList>('providers.add', { form: at(10), key: null }));
  expect(row(answer, 'work')?.key).toEqual({ of: 'nobody', isNeeded: false });
});

test('prices and the fetched list follow a new name; a key that another provider of that name left behind does not', async () => {
  const api = await startMessagesApi({ models: ['claude-own', 'claude-other'] });
  onTestFinished(() => api.close());
  const price = { input: 1, output: 2 };
  const rig = await rigWith(
    { type: 'anthropic', model: 'claude-own', baseUrl: api.url },
    { config: { prices: { 'Work:claude-own': price, 'other:x': price } }, env: { ANTHROPIC_API_KEY: VENDOR_KEY } },
  );
  const form = await rig.request<ProviderForm>('providers.get', { name: 'work' });
  const left = formOf({ name: 'gateway', baseUrl: 'http://127.0.0.1:9' });
  await confirmed(rig, rig.request('providers.add', { form: left, key: KEY }));
  const { gateway: _, ...providers } = JSON.parse(configOf(rig)).providers;
  rig.writeConfig({ ...JSON.parse(configOf(rig)), providers });
  await expect.poll(async () => row(await list(rig), 'gateway')).toBeUndefined();
  await rig.request('providers.refreshModels', { name: 'work' });
  const renamed = { ...form, name: 'gateway' };
  const { answer } = await confirmed(
    rig,
    rig.request<ProviderList>('providers.change', { name: 'work', form: renamed, key: null }),
  );
  expect(row(answer, 'gateway')?.key).toMatchObject({ of: 'vendor' });
  const lists = await rig.request<ModelLists>('providers.models');
  expect(lists.groups.find(({ provider }) => provider === 'gateway')?.listedAt).not.toBeNull();
  expect(JSON.parse(configOf(rig)).prices).toEqual({ 'gateway:claude-own': price, 'other:x': price });
});

test('an Ollama is looked for each time: one that was started or quit since is noticed', async () => {
  const ollama = await startOllama();
  const rig = new WindowRig({ config: { endpoints: { ollama: ollama.url } } });
  await confirmed(rig, rig.request('settings.confirmPending'));
  const find = () => rig.request<{ models: readonly string[] } | null>('providers.findOllama');
  expect(await find()).toMatchObject({ models: ['qwen3:8b'] });
  await ollama.close();
  expect(await find()).toBeNull();
});

test('removing a provider removes its key, and the model that needed it', async () => {
  const api = await startGateway();
  const rig = await rigWith(
    { type: 'anthropic', model: 'claude-sonnet-5-5', baseUrl: api.url },
    { config: { model: 'work:claude-sonnet-5-5' } },
  );
  const form = await rig.request<ProviderForm>('providers.get', { name: 'work' });
  await confirmed(rig, rig.request('providers.change', { name: 'work', form, key: KEY }));
  await rig.request('providers.remove', { name: 'work' });
  expect(JSON.parse(configOf(rig))).toEqual({ providers: {} });

  // A new one of that name doesn't find the old key.
  const { answer } = await confirmed(rig, rig.request<ProviderList>('providers.add', { form, key: null }));
  expect(row(answer, 'work')?.key).toEqual({ of: 'nobody', isNeeded: false });
  expect(await rig.code('providers.remove', { name: 'nobody' })).toBe('unknown_provider');
});

test('two providers of one type stand side by side, each with its own key', async () => {
  const [one, two] = [await startGateway(), await startGateway({ validKeys: ['sk-another-key'] })];
  const rig = new WindowRig({ env: { ANTHROPIC_API_KEY: VENDOR_KEY } });
  const add = (name: string, baseUrl: string, key: string) =>
    confirmed(rig, rig.request('providers.add', { form: formOf({ name, baseUrl }), key }));
  await add('one', one.url, KEY);
  await add('two', two.url, 'sk-another-key');
  for (const name of ['one', 'two']) {
    await rig.request('settings.chooseModel', { specification: `${name}:claude-sonnet-5-5` });
    const { events } = await rig.turn('hello');
    expect(events.at(-1)).toMatchObject({ type: 'turn_end', stopReason: 'end_turn' });
  }
  expect([new Set(one.seenKeys).size, new Set(two.seenKeys).size]).toEqual([1, 1]);
  expect(one.seenKeys[0]).not.toBe(two.seenKeys[0]);
});

test('a test tells what is wrong, and asks before anything is sent to another address', async () => {
  const api = await startGateway();
  const rig = new WindowRig();
  const given = (key: string | null) => ({ name: null, form: formOf({ name: 'work', baseUrl: api.url }), key });
  const tested = (key: string) =>
    rig.request<{ test: ProviderTest }>('providers.test', given(key)).then(({ test: result }) => result);

  const refused = rig.code('providers.test', given(KEY));
  const card = await rig.answer({ answer: 'deny' });
  expect(await refused).toBe('not_confirmed');
  expect(JSON.stringify(card.parts)).toContain(api.url);
  expect(api.requests).toHaveLength(0);

  const { answer: works } = await confirmed(rig, tested(KEY));
  expect(works).toMatchObject({ works: true, code: 'ok' });
  rig.hasGesture = false;
  expect(await rig.code('providers.test', given(KEY))).toBe('no_gesture');
});

test('Azure is tested by a message to a deployment, because it lists none', async () => {
  const service = await startVendorServer(() => ({ status: 404, body: '{"error":{"code":"DeploymentNotFound"}}' }));
  const rig = new WindowRig();
  const azure = formOf({ name: 'azure', type: 'openai', baseUrl: service.url, apiVersion: '2025-04-01-preview' });
  const given = (model: string) => ({ name: null, form: { ...azure, model }, key: KEY });
  expect(await rig.code('providers.test', given(' '))).toBe('bad_provider');
  expect(service.requests).toHaveLength(0);
  const { answer } = await confirmed(rig, rig.request<{ test: ProviderTest }>('providers.test', given('gone')));
  expect(answer.test).toMatchObject({ works: false, code: 'unknown_model' });
  expect(service.requests.map(({ path }) => path)).toEqual(['/openai/deployments/gone/chat/completions']);
});

test('the models of all providers are listed, and kept for when the service can’t be reached', async () => {
  const api = await startGateway();
  const rig = await rigWith({ type: 'anthropic', model: 'claude-own', baseUrl: api.url });
  const before = await rig.request<ModelLists>('providers.models');
  expect(before.groups.map(({ provider, listedAt }) => [provider, listedAt])).toEqual([
    ['guide', null],
    ['anthropic', null],
    ['work', null],
  ]);
  expect(before.groups[2]?.models[0]).toMatchObject({
    specification: 'work:claude-own',
    price: null,
    contextTokens: null,
  });
  const sonnet = before.groups[1]?.models.find(({ id }) => id === 'claude-sonnet-5-5');
  expect(sonnet?.abilities).toEqual(['tools', 'images', 'documents', 'thinking']);
  await rig.turn('hello');
  expect((await rig.request<ModelLists>('providers.models')).recent).toEqual(['guide']);
});

test('a vendor that is in nobody’s settings can’t be chosen by the page', async () => {
  const rig = new WindowRig({ env: { OPENAI_API_KEY: 'sk-of-openai' } });
  expect(await rig.code('settings.chooseModel', { specification: 'openai:gpt-6' })).toBe('model_choice');
  expect((await rig.request<SettingsView>('settings.get')).models.find(({ isChosen }) => isChosen)?.label).toBe(
    'Guide',
  );
});

test('/provider lists and chooses', async () => {
  const rig = await rigWith({ type: 'anthropic', model: 'claude-own', baseUrl: 'http://127.0.0.1:9' });
  const answer = async (text: string) => JSON.stringify((await rig.turn(text)).events);
  expect(await answer('/provider list')).toMatch(/work .*\* guide/s);
  expect(await answer('/provider use WORK')).toContain('Provider: work (work:claude-own)');
  expect(await answer('/provider use wrok')).toMatch(/Did you mean work\?.*anthropic, guide, work/);
  expect(JSON.parse(configOf(rig))).toMatchObject({ model: 'work:claude-own' });
});

test('the vendor’s key never goes to another host, and a service without a key is asked without one', async () => {
  // A gateway on this machine stands in for one elsewhere: which key goes where is decided on the address alone.
  const service = await startVendorServer(() => ({ status: 401, body: '{}' }));
  const rig = new WindowRig({ env: { ANTHROPIC_API_KEY: VENDOR_KEY } });
  const elsewhere = formOf({ name: 'far', baseUrl: 'https://gateway.example.invalid' });
  const { answer } = await confirmed(rig, rig.request<ProviderList>('providers.add', { form: elsewhere, key: null }));
  expect(row(answer, 'far')?.key).toEqual({ of: 'nobody', isNeeded: false });
  const here = formOf({ name: 'near', baseUrl: service.url });
  const { answer: both } = await confirmed(rig, rig.request<ProviderList>('providers.add', { form: here, key: null }));
  expect(row(both, 'near')?.key).toEqual({ of: 'vendor', keptIn: 'environment' });
});
