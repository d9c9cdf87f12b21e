import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { flagConsent } from '../../../src-main/headless/flag-consent.ts';
import { knownAnthropicModel } from '../../../src-main/models/anthropic/catalogue.ts';
import { BUILT_IN_PROVIDERS } from '../../../src-main/models/built-in-providers.ts';
import { geminiModel } from '../../../src-main/models/gemini/catalogue.ts';
import { openAiModel } from '../../../src-main/models/openai/catalogue.ts';
import { startServices } from '../../../src-main/services.ts';
import { type MessagesApi, startMessagesApi } from '../../fixtures/messages-api/server.ts';
import type { ServiceRequest } from '../../fixtures/scripted-service.ts';

const MODEL = 'claude-sonnet-4-5';
const still = new AbortController().signal;

async function windowWith(...names: readonly string[]) {
  return windowWithKeys({ ANTHROPIC_API_KEY: 'sk-ant-fixture' }, names);
}

async function windowWithKeys(keys: NodeJS.ProcessEnv, names: readonly string[]) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'steward-asked-')));
  const [profileDirectory, workspace] = [join(folder, 'profile'), join(folder, 'workspace')];
  for (const each of [profileDirectory, workspace]) mkdirSync(each);
  const apis: Record<string, MessagesApi> = {};
  for (const name of names) apis[name] = await startMessagesApi({ answer: () => ({ text: name }) });
  const providers = Object.fromEntries(
    Object.entries(apis).map(([name, { url }]) => [name, { type: 'anthropic', model: MODEL, baseUrl: url }]),
  );
  writeFileSync(join(profileDirectory, 'config.json'), JSON.stringify({ providers, model: `${names[0]}:${MODEL}` }));
  const env = { HOME: folder, ...keys };
  const services = await startServices({
    profileDirectory,
    workspace,
    launchDirectory: folder,
    env,
    consent: flagConsent('all'),
    isLongLived: true,
    signal: still,
  });
  onTestFinished(async () => {
    await services.close();
    await Promise.all(Object.values(apis).map((api) => api.close()));
    rmSync(folder, { recursive: true, force: true });
  });
  await services.confirmPending(still);
  const turn = async (model?: string) => {
    const message = { content: [{ type: 'text', text: 'Hello' }] } as const;
    const command = { kind: 'message', text: 'Hello' } as const;
    const started = await services.openPrompt({
      command,
      message,
      origin: { by: 'button' },
      conversation: null,
      title: 't',
      model,
    });
    return started.run({ signal: still, listener: () => undefined });
  };
  return { services, apis, turn };
}

const Body = z.object({ tools: z.array(z.object({ name: z.string() })) });
const askTools = (request: ServiceRequest | undefined) =>
  Body.parse(request?.body)
    .tools.map(({ name }) => name)
    .filter((name) => name.startsWith('ask_'));

test('two conversations with different models at the same time are each offered the other model', async () => {
  const { apis, turn } = await windowWith('a', 'b', 'c');
  await Promise.all([turn(`a:${MODEL}`), turn(`b:${MODEL}`), turn(`a:${MODEL}`), turn('guide')]);
  expect(apis.a?.requests.map(askTools)).toEqual([
    ['ask_b', 'ask_c'],
    ['ask_b', 'ask_c'],
  ]);
  expect(apis.b?.requests.map(askTools)).toEqual([['ask_a', 'ask_c']]);
});

test('a provider that is added, described or removed in the settings changes the next request, without a restart', async () => {
  const { services, apis, turn } = await windowWith('a', 'b');
  await services.settings.update((draft) => {
    draft.providers.Extra = { type: 'anthropic', model: MODEL, description: 'Good at poems' };
    return undefined;
  });
  await turn();
  expect(askTools(apis.a?.requests[0])).toEqual(['ask_b', 'ask_extra']);
  expect(services.registry.get('ask_extra')?.description).toContain('Good at poems.');
  await services.settings.update((draft) => {
    delete draft.providers.b;
    return undefined;
  });
  await turn();
  expect(askTools(apis.a?.requests[1])).toEqual(['ask_extra']);
});

test('a provider named user is not taken for the tool that asks the user', async () => {
  const { services } = await windowWith('a', 'user');
  const names = services.registry.list().map(({ name }) => name);
  expect(names).not.toContain('ask_user');
  expect(names.filter((name) => /^ask_user_[0-9a-f]{8}$/.test(name))).toHaveLength(1);
});

test('an address that nobody has confirmed is no tool', async () => {
  const { services, apis, turn } = await windowWith('a', 'b');
  await services.settings.update((draft) => {
    draft.providers.b = { type: 'anthropic', model: MODEL, baseUrl: 'https://elsewhere.invalid' };
    return undefined;
  });
  await turn();
  expect(askTools(apis.a?.requests[0])).toEqual([]);
  expect(services.registry.get('ask_b')).toBeUndefined();
});

test('a built-in provider can be asked as soon as its key is set, unless config.json says where it is', async () => {
  const { services, apis, turn } = await windowWithKeys({ ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' }, ['a']);
  await services.refreshCredentials();
  await turn();
  expect(askTools(apis.a?.requests[0])).toEqual(['ask_anthropic', 'ask_openai']);

  await services.secrets.set('gemini-api-key', 'AIza-fixture-0123456789');
  await services.refreshCredentials();
  await turn();
  expect(askTools(apis.a?.requests[1])).toEqual(['ask_anthropic', 'ask_openai', 'ask_gemini']);

  await services.settings.update((draft) => {
    draft.providers.OpenAI = { type: 'openai', model: 'gpt-5', baseUrl: 'https://gateway.example/v1' };
    return undefined;
  });
  expect(services.unconfirmed).not.toHaveLength(0);
  await turn();
  expect(askTools(apis.a?.requests[2])).toEqual(['ask_anthropic', 'ask_gemini']);
});

test('the model of a built-in provider is one that its catalogue knows', () => {
  const known = {
    anthropic: (id: string) => knownAnthropicModel(id) !== undefined,
    openai: (id: string) => !openAiModel(id).isUnknown,
    gemini: (id: string) => geminiModel(id).price !== undefined,
    ollama: () => false,
  };
  for (const { settings } of BUILT_IN_PROVIDERS.values()) expect(known[settings.type](settings.model)).toBe(true);
});
