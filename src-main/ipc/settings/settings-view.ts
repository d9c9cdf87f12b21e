import {
  type DataView as ProfileData,
  type RuleRow,
  SecretName,
  type SettingsView,
} from '../../../src-preload/contract/settings.ts';
import { folderFlaw } from '../../policy/folder-flaw.ts';
import { endOf, isWithoutEffect } from '../../policy/rules.ts';
import type { SecretStatus } from '../../secrets/secrets.ts';
import type { ModelsPart, ProfilePart, ServersPart, SettingsPart, ToolsPart } from '../../services.ts';
import { problemText } from '../../settings/problems.ts';
import type { Tool } from '../../tools/contract.ts';
import type { ToolRegistry } from '../../tools/registry/registry.ts';
import { toolTitle } from '../../tools/words/call-words.ts';
import { atOnce } from '../at-once.ts';
import { modelChoices } from '../providers/model-choices.ts';
import { toolGroupRows } from './tool-group-rows.ts';

/** What the settings window shows. Contains no secrets. */
export async function settingsView(
  services: SettingsPart & ServersPart & ModelsPart & ToolsPart,
): Promise<SettingsView> {
  const { workspace, config, settings, secrets, registry, unconfirmed, unreviewedServers, serversToSignIn } = services;
  const status = await atOnce(secrets.status(), []);
  const statusOf = new Map<string, SecretStatus>(status.map((each) => [each.name, each]));
  return {
    workspace,
    workspaceFlaw: (await atOnce(services.workspaceFlaw(), 'no_answer')) ?? null,
    folders: await Promise.all(
      settings.current.folders.map(async (path) => ({
        path,
        isConfirmed: config.folders.includes(path),
        flaw: (await atOnce(folderFlaw(path), 'no_answer')) ?? null,
      })),
    ),
    models: await modelChoices(services),
    secrets: SecretName.options.map((name) => {
      const { isSet = false, source = null } = statusOf.get(name) ?? {};
      return { name, isSet, source };
    }),
    keychain: secrets.backend ?? 'memory',
    keychainTrouble: secrets.keychainTrouble ?? null,
    skills: await services.skills.list(),
    tools: [
      ...registry.list().map((tool) => ({ ...shownTool(tool, registry), isEnabled: registry.isEnabled(tool) })),
      ...registry
        .unavailable()
        .map(({ tool, needs, setIn }) => ({ ...shownTool(tool, registry), isEnabled: false, needs, setIn })),
    ],
    toolGroups: toolGroupRows(registry, config.tools.collapsed),
    problems: settings.problems.map((problem) => ({
      code: problem.code,
      message: problemText(problem),
      ...(problem.key === undefined ? {} : { key: problem.key }),
    })),
    unconfirmed,
    unreviewedServers,
    serversToSignIn,
  };
}

function shownTool(tool: Tool, registry: ToolRegistry) {
  const { name, description, access } = tool;
  const group = registry.groupOf(tool);
  return { name, title: toolTitle(tool), description, access, ...(group === undefined ? {} : { group }) };
}

export function ruleRows({ storage }: ProfilePart): RuleRow[] {
  const now = new Date();
  return storage.rules.all().map((rule) => {
    const { id, label, tool, conversationId, createdAt, lastUsedAt, uses } = rule;
    const until = endOf(rule);
    return {
      id,
      label,
      tool,
      createdAt,
      lastUsedAt,
      uses,
      hasEffect: !isWithoutEffect(rule, now),
      ...(until === undefined ? {} : { until }),
      conversation:
        conversationId === null ? null : (storage.conversations.get(conversationId)?.title ?? 'A deleted conversation'),
    };
  });
}

export function dataView({ profileDirectory, storage, config }: ProfilePart & SettingsPart): ProfileData {
  const backups = storage.backups.list().map(({ name, reason, date, bytes }) => ({ name, reason, date, bytes }));
  return { profileDirectory, undoLimits: config.undo, backups };
}
