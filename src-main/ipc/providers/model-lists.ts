import type { ModelGroup, ModelLists, ModelRow } from '../../../src-preload/contract/providers.ts';
import { CURRENT_ANTHROPIC_MODELS } from '../../models/anthropic/catalogue.ts';
import type { ListedModel, ModelProvider } from '../../models/provider.ts';
import { withClaude } from '../../models/registry.ts';
import type { ModelsPart, ProfilePart, SettingsPart } from '../../services.ts';
import type { ProviderConfig } from '../../settings/config-schema.ts';
import { knownAbilities } from './model-abilities.ts';
import { claudeName, receiver } from './model-choices.ts';
import { templateOf } from './provider-view.ts';

const MAX_RECENT = 5;
/** The models of so many latest conversations count as recent. */
const RECENT_CONVERSATIONS = 50;

/**
 * What is known of the models of all usable providers. `problems` say why the last list of a provider could not be
 * fetched.
 */
export async function modelLists(
  services: ProfilePart & SettingsPart & ModelsPart,
  problems: ReadonlyMap<string, string>,
): Promise<ModelLists> {
  const { config } = services;
  const groups = Object.entries(withClaude(config.providers)).map(([name, settings]) =>
    groupOf(name, settings, services, problems.get(name) ?? null),
  );
  return { groups: [GUIDE, ...(await Promise.all(groups))], recent: recentModels(services) };
}

const GUIDE: ModelGroup = {
  provider: 'guide',
  label: 'Guide',
  sentTo: null,
  listedAt: null,
  problem: null,
  models: [{ specification: 'guide', id: 'guide', label: 'Guide', contextTokens: null, price: null, abilities: null }],
};

async function groupOf(
  name: string,
  settings: ProviderConfig,
  { modelServices }: ModelsPart,
  problem: string | null,
): Promise<ModelGroup> {
  const address = modelServices.addressOf(settings);
  const provider = await modelServices.provider({
    provider: name,
    type: settings.type,
    model: settings.model,
    settings,
  });
  const { models, listedAt } = await modelServices.cached(name, settings);
  const listed: readonly ListedModel[] = models.size > 0 ? [...models.values()] : knownOf(settings);
  const configured = listed.some(({ id }) => id === settings.model) ? [] : [{ id: settings.model }];
  return {
    provider: name,
    label: name === 'anthropic' ? 'Anthropic' : name,
    listedAt,
    problem,
    sentTo: receiver(settings.type, address),
    ...(templateOf(settings, address) === 'azure' ? { isTyped: true as const } : {}),
    models: [...configured, ...listed].map((model) => modelRow(name, model, provider, settings.contextTokens)),
  };
}

function knownOf({ type }: ProviderConfig): readonly ListedModel[] {
  return type === 'anthropic' ? CURRENT_ANTHROPIC_MODELS.map(({ id }) => ({ id, name: claudeName(id) })) : [];
}

/** A model as the picker shows it. `provider` is what it belongs to. */
export function modelRow(
  name: string,
  { id, name: label, limits, price: listedPrice }: ListedModel,
  provider: Pick<ModelProvider, 'limits' | 'price' | 'capabilities'>,
  contextTokens?: number,
): ModelRow {
  const price = listedPrice ?? provider.price(id);
  // A model without a price is in no catalogue, so its limits are assumed.
  const assumed = price === undefined ? undefined : provider.limits(id).contextTokens;
  return {
    specification: `${name}:${id}`,
    id,
    label: label ?? id,
    contextTokens: contextTokens ?? limits?.contextTokens ?? assumed ?? null,
    price: price === undefined ? null : { input: price.input, output: price.output },
    abilities: knownAbilities(provider.capabilities(id)),
  };
}

/** The models of the last conversations, newest first. */
function recentModels({ storage }: ProfilePart): readonly string[] {
  const labels = storage.conversations
    .list()
    .slice(0, RECENT_CONVERSATIONS)
    .map(({ model }) => model);
  const specifications = labels.filter((label) => label !== 'none').map(specificationOf);
  return [...new Set(specifications)].slice(0, MAX_RECENT);
}

/** A label without a provider is Anthropic's, as for `--model`. */
function specificationOf(label: string): string {
  return label === 'guide' || label.includes(':') ? label : `anthropic:${label}`;
}
