import type { ModelChoice } from '../../src-preload/contract/settings.ts';
import { attachedRoom } from '../assistant/context-window.ts';
import { anthropicModel, CURRENT_ANTHROPIC_MODELS } from '../models/anthropic/catalogue.ts';
import type { ModelPrice } from '../models/provider.ts';
import { ModelChoiceError } from '../models/registry.ts';
import type { Services } from '../services.ts';
import type { ProviderConfig } from '../settings/config-schema.ts';
import { vendorBaseUrls } from '../settings/endpoints.ts';
import { atOnce } from './at-once.ts';

/** The Guide, the current Claude models, and what config.json adds. The current model is marked, even if it is not one of these. */
export async function modelChoices(services: Services): Promise<ModelChoice[]> {
  const { config } = services;
  const chosen = await atOnce(chosenSpecification(services), undefined);
  const choices: Omit<ModelChoice, 'isChosen'>[] = [
    { specification: 'guide', label: 'Guide', note: 'Offline, not an AI. Free.', sentTo: null, attachedRoom: null },
    ...CURRENT_ANTHROPIC_MODELS.map(({ id }) => claudeChoice(id, services)),
    ...Object.entries(config.providers).map(([name, { type, model, baseUrl }]) => ({
      specification: `${name}:${model}`,
      label: `${name}: ${model}`,
      note: `From config.json (${type})`,
      sentTo: receiver(type, baseUrl ?? services.baseUrlOf(type)),
      attachedRoom: roomOf(model ?? ''),
    })),
  ];
  if (chosen !== undefined && !choices.some(({ specification }) => specification === chosen))
    choices.push(
      chosen.startsWith(CLAUDE) ? claudeChoice(chosen.slice(CLAUDE.length), services) : otherChoice(chosen, services),
    );
  return choices.map((choice) => ({ ...choice, isChosen: choice.specification === chosen }));
}

const CLAUDE = 'anthropic:';

function claudeChoice(id: string, { config, baseUrlOf }: Services): Omit<ModelChoice, 'isChosen'> {
  const { price } = anthropicModel(id);
  return {
    specification: CLAUDE + id,
    label: nameOf(id),
    note: price === undefined ? null : priceNote(price),
    sentTo: receiver('anthropic', config.providers.anthropic?.baseUrl ?? baseUrlOf('anthropic')),
    attachedRoom: roomOf(id),
  };
}

/** For a provider in config.json, with a model that it does not list. */
function otherChoice(specification: string, { config, baseUrlOf }: Services): Omit<ModelChoice, 'isChosen'> {
  const [name = '', model = ''] = specification.split(/:(.*)/s);
  const { type = 'anthropic', baseUrl } = config.providers[name] ?? {};
  const sentTo = receiver(type, baseUrl ?? baseUrlOf(type));
  return { specification, label: specification, note: 'From config.json', sentTo, attachedRoom: roomOf(model) };
}

/** Vendor names as people know them, for the vendor's own service. */
const VENDORS = { anthropic: 'Anthropic', openai: 'OpenAI', gemini: 'Google' } as const;

/** Who receives everything sent to a model of this type at this address. */
function receiver(type: ProviderConfig['type'], baseUrl: string): string {
  const isVendors = type !== 'ollama' && baseUrl === vendorBaseUrls[type];
  return isVendors ? VENDORS[type] : new URL(baseUrl).host;
}

function roomOf(model: string): number {
  return attachedRoom(anthropicModel(model).limits);
}

async function chosenSpecification(services: Services): Promise<string | undefined> {
  try {
    const { type, provider, model } = await services.chooseModel(undefined);
    return type === 'guide' ? 'guide' : `${provider}:${model}`;
  } catch (error) {
    // config.json names a model that can't be used: none is marked, and sending a message reports why.
    if (error instanceof ModelChoiceError) return undefined;
    throw error;
  }
}

/** `claude-sonnet-5-5` → `Claude Sonnet 5.5`. */
function nameOf(id: string): string {
  const [, line = '', version = ''] = /^claude-([a-z]+)-([\d-]+)$/.exec(id) ?? [];
  return line === '' ? id : `Claude ${line[0]?.toUpperCase()}${line.slice(1)} ${version.replaceAll('-', '.')}`;
}

function priceNote({ input, output }: ModelPrice): string {
  return `$${input} in, $${output} out per million tokens`;
}
