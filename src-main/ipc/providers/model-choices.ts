import type { AnsweringModel } from '../../../src-preload/contract/providers.ts';
import type { ModelChoice } from '../../../src-preload/contract/settings.ts';
import { attachedRoom } from '../../assistant/context-window.ts';
import { anthropicCapabilities, anthropicModel, CURRENT_ANTHROPIC_MODELS } from '../../models/anthropic/catalogue.ts';
import { CLAUDE } from '../../models/built-in-providers.ts';
import type { ModelPrice } from '../../models/provider.ts';
import { ModelChoiceError, type ProviderSettings, type ResolvedModel } from '../../models/registry.ts';
import type { ModelsPart, SettingsPart } from '../../services.ts';
import type { ProviderConfig } from '../../settings/config-schema.ts';
import { vendorBaseUrls } from '../../settings/endpoints.ts';
import { atOnce } from '../at-once.ts';
import { abilitiesOf } from './model-abilities.ts';

type Choice = Omit<ModelChoice, 'isChosen'>;

const GUIDE: Choice = {
  specification: 'guide',
  label: 'Guide',
  note: 'Offline, not an AI. Free.',
  sentTo: null,
  attachedRoom: null,
  abilities: [],
};

/**
 * The Guide, the current Claude models, and what config.json adds. The current model is marked, even if it is not one
 * of these.
 */
type ChoiceServices = ModelsPart & Pick<SettingsPart, 'config'>;

export async function modelChoices(services: ChoiceServices): Promise<ModelChoice[]> {
  const { config } = services;
  const chosen = await atOnce(usable(services.chooseModel(undefined)), undefined);
  const specification = chosen && specificationOf(chosen);
  const configured = Object.entries(config.providers).map(([provider, settings]) =>
    choiceOf({ provider, type: settings.type, model: settings.model, settings }, services),
  );
  const current = CURRENT_ANTHROPIC_MODELS.map(({ id }) => claudeChoice(id, config.providers.anthropic, services));
  const choices = [GUIDE, ...current, ...(await Promise.all(configured))];
  const isListed = choices.some((choice) => choice.specification === specification);
  if (chosen !== undefined && !isListed) choices.push(await choiceOf(chosen, services));
  return choices.map((choice) => ({ ...choice, isChosen: choice.specification === specification }));
}

/** What answers by default once this provider is removed, or null if nothing that can be used is left. */
export async function successorOf(provider: string, services: ModelsPart): Promise<AnsweringModel | null> {
  const model = await usable(services.chooseModelWithout(provider));
  if (model === undefined) return null;
  const { label, sentTo } = await choiceOf(model, services);
  return { label, sentTo };
}

/** The input of `settings.chooseModel`. */
function specificationOf({ type, provider, model }: ResolvedModel): string {
  return type === 'guide' ? 'guide' : `${provider}:${model}`;
}

/** Describes a Claude model without its provider, which then need not be loaded. */
function claudeChoice(id: string, settings: ProviderSettings | undefined, { modelServices }: ModelsPart): Choice {
  const { price, limits } = anthropicModel(id);
  return {
    specification: `anthropic:${id}`,
    label: claudeName(id),
    note: price === undefined ? null : priceNote(price),
    sentTo: receiver('anthropic', modelServices.addressOf(settings ?? CLAUDE)),
    attachedRoom: attachedRoom(limits),
    abilities: abilitiesOf(anthropicCapabilities(id)),
  };
}

async function choiceOf(model: ResolvedModel, services: ModelsPart): Promise<Choice> {
  if (model.type === 'guide') return GUIDE;
  if (model.provider === 'anthropic') return claudeChoice(model.model, model.settings, services);
  const { modelServices } = services;
  const place = model.settings ?? { type: model.type };
  const provider = await modelServices.provider(model);
  const listed = (await modelServices.cached(model.provider, place)).models.get(model.model);
  const price = listed?.price ?? provider.price(model.model);
  return {
    specification: specificationOf(model),
    label: `${model.provider}: ${listed?.name ?? model.model}`,
    note: price === undefined ? null : priceNote(price),
    sentTo: receiver(model.type, modelServices.addressOf(place)),
    attachedRoom: attachedRoom(provider.limits(model.model)),
    abilities: abilitiesOf(provider.capabilities(model.model)),
  };
}

/** Vendor names as people know them, for the vendor's own service. */
const VENDORS = { anthropic: 'Anthropic', openai: 'OpenAI', gemini: 'Google' } as const;

/** Who receives everything sent to a model of this type at this address. */
export function receiver(type: ProviderConfig['type'], address: string): string {
  const { origin, host } = new URL(address);
  return type !== 'ollama' && origin === vendorBaseUrls[type] ? VENDORS[type] : host;
}

/**
 * Undefined if config.json names a model that can't be used. None is marked then, and sending a message reports why.
 */
export async function usable(choice: Promise<ResolvedModel>): Promise<ResolvedModel | undefined> {
  try {
    return await choice;
  } catch (error) {
    if (error instanceof ModelChoiceError) return undefined;
    throw error;
  }
}

/** Turns `claude-sonnet-5-5` into `Claude Sonnet 5.5`. */
export function claudeName(id: string): string {
  const [, line = '', version = ''] = /^claude-([a-z]+)-([\d-]+)$/.exec(id) ?? [];
  return line === '' ? id : `Claude ${line[0]?.toUpperCase()}${line.slice(1)} ${version.replaceAll('-', '.')}`;
}

function priceNote({ input, output }: ModelPrice): string {
  return `$${input} in, $${output} out per million tokens`;
}
