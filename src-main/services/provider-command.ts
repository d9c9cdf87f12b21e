import { VENDORS } from '../../src-preload/contract/provider-keys.ts';
import { ownValue } from '../base/json.ts';
import { needsKey } from '../models/provider-address.ts';
import { ModelChoiceError, providerNamed, UnconfirmedProviderError, withClaude } from '../models/registry.ts';
import type { ProviderConfig } from '../settings/config-schema.ts';
import { nearMiss } from '../settings/near-miss.ts';
import type { Settings } from '../settings/settings.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import type { ModelChoice } from './model-choice.ts';
import type { ModelServices, ProviderKey } from './model-services.ts';

export interface ProviderCommand {
  readonly verb: 'list' | 'use';
  /** Empty for `list`. */
  readonly name: string;
}

export interface ProviderCommandPorts {
  readonly settings: Settings;
  readonly effective: Pick<EffectiveSettings, 'config'>;
  readonly models: Pick<ModelChoice, 'choose' | 'unconfirmed'>;
  readonly services: ModelServices;
}

/** Answers `/provider …`. Throws `ModelChoiceError` for an unknown name, and `SettingsError`. */
export async function answerProviderCommand(
  { verb, name }: ProviderCommand,
  ports: ProviderCommandPorts,
): Promise<string> {
  const usable = withClaude(ports.effective.config.providers);
  return verb === 'list' ? listText(usable, ports) : use(name, usable, ports);
}

async function use(
  wanted: string,
  usable: Readonly<Record<string, ProviderConfig>>,
  { settings, models }: ProviderCommandPorts,
): Promise<string> {
  const names = [...Object.keys(usable), 'guide'];
  const name = providerNamed(wanted, names);
  if (name === undefined) {
    const waiting = providerNamed(wanted, models.unconfirmed);
    if (waiting !== undefined) throw new UnconfirmedProviderError(waiting);
    const meant = nearMiss(wanted, names);
    const question = meant === undefined ? '' : ` Did you mean ${meant}?`;
    throw new ModelChoiceError(`There is no provider ${wanted}.${question} Known: ${names.sort().join(', ')}.`);
  }
  const provider = ownValue(usable, name);
  const model = provider === undefined ? name : `${name}:${provider.model}`;
  await settings.update(() => ({ model }));
  return `Provider: ${name} (${model})`;
}

async function listText(
  usable: Readonly<Record<string, ProviderConfig>>,
  { models, services }: ProviderCommandPorts,
): Promise<string> {
  const active = await models.choose(undefined).catch((error: unknown) => {
    if (error instanceof ModelChoiceError) return undefined;
    throw error;
  });
  const mark = (name: string) => (name === active?.provider ? '*' : ' ');
  const rows = Object.entries(usable).map(async ([name, provider]) => [
    `${mark(name)} ${name}`,
    name === active?.provider ? active.model : provider.model,
    new URL(services.addressOf(provider)).host,
    keyText(await services.key(name, provider), provider),
  ]);
  const table = [
    ...(await Promise.all(rows)),
    [`${mark('guide')} guide`, 'guide', 'this computer', 'offline, not an AI'],
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return [
    `${table.length} providers, * is used for the next answer`,
    ...table.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
    ...models.unconfirmed.map((name) => `not confirmed: ${name}`),
  ].join('\n');
}

function keyText(key: ProviderKey | undefined, provider: ProviderConfig): string {
  if (key === undefined) return needsKey(provider) ? 'no key' : 'without a key';
  return key.of === 'vendor' ? `your ${VENDORS[provider.type].key}` : 'its own key';
}
