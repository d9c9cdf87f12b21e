import type {
  ModelChoice,
  DataView as ProfileData,
  RuleRow,
  SettingsView,
} from '../../src-preload/contract/settings.ts';
import { SecretName } from '../../src-preload/contract/settings.ts';
import { anthropicModel, CURRENT_ANTHROPIC_MODELS } from '../models/anthropic/catalogue.ts';
import type { ModelPrice } from '../models/provider.ts';
import { ModelChoiceError } from '../models/registry.ts';
import { isWithoutEffect } from '../policy/rules.ts';
import type { SecretStatus } from '../secrets/secrets.ts';
import type { Services } from '../services.ts';
import { problemText } from '../settings/problems.ts';
import type { Tool } from '../tools/contract.ts';
import { toolTitle } from '../tools/words/call-words.ts';

/** What the settings show. Holds no secret. */
export async function settingsView(services: Services): Promise<SettingsView> {
  const { workspace, config, settings, secrets, registry, unconfirmed } = services;
  const status = await atOnce(secrets.status(), []);
  const statusOf = new Map<string, SecretStatus>(status.map((each) => [each.name, each]));
  return {
    workspace,
    folders: settings.current.folders.map((path) => ({ path, isConfirmed: config.folders.includes(path) })),
    models: await modelChoices(services),
    secrets: SecretName.options.map((name) => {
      const { isSet = false, source = null } = statusOf.get(name) ?? {};
      return { name, isSet, source };
    }),
    keychain: secrets.backend ?? 'memory',
    tools: [
      ...registry.list().map((tool) => ({ ...shownTool(tool), isEnabled: registry.isEnabled(tool) })),
      ...registry.unavailable().map(({ tool, needs }) => ({ ...shownTool(tool), isEnabled: false, needs })),
    ],
    problems: settings.problems.map((problem) => ({
      code: problem.code,
      message: problemText(problem),
      ...(problem.key === undefined ? {} : { key: problem.key }),
    })),
    unconfirmed,
  };
}

function shownTool(tool: Tool) {
  const { name, description, access } = tool;
  return { name, title: toolTitle(tool), description, access };
}

/** A keychain that waits for its password may take a minute; the page hears `settingsChanged` when it has answered. */
const ANSWER_WITHIN_MS = 1_500;

async function atOnce<T>(answer: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), ANSWER_WITHIN_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** The Guide, the current Claude models, and what config.json adds. What answers now is marked, also if it is none of these. */
async function modelChoices(services: Services): Promise<ModelChoice[]> {
  const { config } = services;
  const chosen = await atOnce(chosenSpecification(services), undefined);
  const choices: Omit<ModelChoice, 'isChosen'>[] = [
    { specification: 'guide', label: 'Guide', note: 'Offline, not an AI. Free.' },
    ...CURRENT_ANTHROPIC_MODELS.map(({ id }) => claudeChoice(id)),
    ...Object.entries(config.providers).map(([name, { type, model }]) => ({
      specification: `${name}:${model}`,
      label: `${name}: ${model}`,
      note: `From config.json (${type})`,
    })),
  ];
  if (chosen !== undefined && !choices.some(({ specification }) => specification === chosen))
    choices.push(
      chosen.startsWith(CLAUDE)
        ? claudeChoice(chosen.slice(CLAUDE.length))
        : { specification: chosen, label: chosen, note: 'From config.json' },
    );
  return choices.map((choice) => ({ ...choice, isChosen: choice.specification === chosen }));
}

const CLAUDE = 'anthropic:';

function claudeChoice(id: string): Omit<ModelChoice, 'isChosen'> {
  const { price } = anthropicModel(id);
  return { specification: CLAUDE + id, label: nameOf(id), note: price === undefined ? null : priceNote(price) };
}

async function chosenSpecification(services: Services): Promise<string | undefined> {
  try {
    const { type, provider, model } = await services.chooseModel(undefined);
    return type === 'guide' ? 'guide' : `${provider}:${model}`;
  } catch (error) {
    // config.json names one that cannot be used: then none is marked, and sending a message says why.
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

export function ruleRows({ storage }: Services): RuleRow[] {
  return storage.rules.all().map(({ id, label, tool, matcher, conversationId, createdAt, lastUsedAt, uses }) => ({
    ...{ id, label, tool, createdAt, lastUsedAt, uses },
    hasEffect: !isWithoutEffect({ matcher }),
    conversation:
      conversationId === null ? null : (storage.conversations.get(conversationId)?.title ?? 'A removed conversation'),
  }));
}

export function dataView({ profileDirectory, storage }: Services): ProfileData {
  const backups = storage.backups.list().map(({ name, reason, date, bytes }) => ({ name, reason, date, bytes }));
  return { profileDirectory, backups };
}
