import { existsSync, readFileSync } from 'node:fs';
import { COMMAND_HELP, type Command } from '../assistant/commands.ts';
import { grouped, visible } from '../base/text.ts';
import { StewardLog } from '../diagnostics/steward-log.ts';
import { endOf, isWithoutEffect } from '../policy/rules.ts';
import type { ModelsPart, ProfilePart, ToolsPart } from '../services.ts';
import { serverLogsIn } from '../settings/profile.ts';
import type { Conversation } from '../storage/conversations/conversations.ts';
import { answerToolsCommand, type ListedTools } from '../tools/registry/tools-command.ts';
import type { BroughtTool } from '../tools/registry/toolset.ts';
import { type AskArguments, UsageError } from './arguments.ts';
import type { AskClient } from './ask-client.ts';

export type Inspection = Exclude<
  Command,
  { kind: 'message' | 'tool' | 'retry' | 'compact' | 'undo' | 'redo' | 'review' | 'unusable' }
>;

const SEARCH_RESULTS = 20;

/** Answers a command that looks at the profile or changes a setting, without a turn. Throws `UsageError`. */
export async function runInspection(
  command: Inspection,
  args: AskArguments,
  services: ProfilePart & ModelsPart & ToolsPart,
  client?: Pick<AskClient, 'brought'>,
): Promise<string> {
  switch (command.kind) {
    case 'help':
      return COMMAND_HELP;
    case 'tools':
      // The user typed it.
      return answerToolsCommand(await listedTools(args, services, client), command, async () => true);
    case 'provider':
      return services.answerProviderCommand(command);
    case 'rules':
      return command.id === undefined ? listRules(services) : revokeRule(command.id, services);
    case 'data':
      if (command.verb === 'log') return endOfLog(services);
      return command.name === undefined
        ? listData(services)
        : services.storage.backups
            .restore(command.name)
            .then(({ setAside }) => `Restored ${command.name}. The previous database is kept as ${setAside}.`);
    case 'search':
      return search(command.query, services);
    case 'export': {
      const { id } = existingConversation(args, services);
      return command.format === 'json' ? services.storage.exportJson(id) : services.storage.exportMarkdown(id);
    }
  }
}

/** What the conversation's clients brought, if one is named, and what this run's client would. */
async function listedTools(
  args: AskArguments,
  services: ProfilePart & ModelsPart & ToolsPart,
  client: Pick<AskClient, 'brought'> | undefined,
): Promise<ListedTools> {
  const now = client?.brought() ?? [];
  const before =
    args.conversation === undefined
      ? []
      : services.toolServicesOf(existingConversation(args, services).id).tools.brought();
  const isReplaced = ({ client: name, group }: BroughtTool) =>
    now.some((each) => each.client === name && each.group === group);
  return {
    registry: services.registry,
    brought: [...before.filter((each) => !isReplaced(each)), ...now],
    isHidden: await services.asksItself(args.model),
  };
}

function listRules({ storage }: ProfilePart): string {
  const now = new Date();
  const rules = storage.rules.all();
  if (rules.length === 0) return "You haven't allowed anything permanently.";
  return rules
    .map((rule) => {
      const { id, label, tool, conversationId, lastUsedAt } = rule;
      const effect = isWithoutEffect(rule, now) ? 'without effect: ' : '';
      const end = endOf(rule);
      const always = end === undefined ? 'always' : `until ${end}`;
      const where = conversationId === null ? always : `in conversation ${conversationId}`;
      return `${id}  ${effect}${label}${tool === null ? '' : ` (${tool})`}, ${where}, last used ${lastUsedAt ?? 'never'}`;
    })
    .join('\n');
}

function revokeRule(id: string, { storage }: ProfilePart): string {
  if (!storage.rules.revoke(id)) throw new UsageError(`There is no rule ${id}. /rules lists them.`);
  return `Revoked: ${id}`;
}

function listData({ profileDirectory, storage }: ProfilePart): string {
  const backups = storage.backups.list();
  const lines = backups.map((backup) => `  ${backup.name}  ${grouped(Math.ceil(backup.bytes / 1024))} KiB`);
  return [
    `Everything is kept in ${profileDirectory}`,
    backups.length === 0 ? 'There are no backups yet.' : 'Backups:',
    ...lines,
  ].join('\n');
}

const SHOWN_LINES = 200;

function endOfLog({ profileDirectory }: ProfilePart): string {
  const { path } = new StewardLog({ profileDirectory });
  const where = [`The log is ${path}`, `Those of MCP servers are in ${serverLogsIn(profileDirectory)}`];
  if (!existsSync(path)) return [...where, 'Nothing was logged yet.'].join('\n');
  return [...where, ...readFileSync(path, 'utf8').trimEnd().split('\n').slice(-SHOWN_LINES).map(visible)].join('\n');
}

async function search(query: string, { storage }: ProfilePart): Promise<string> {
  const hits = await storage.search(query, { limit: SEARCH_RESULTS });
  if (hits.length === 0) return `No results for: ${query}`;
  return hits.map((hit) => `${hit.conversationId}  ${hit.title}\n  ${hit.snippet.text}`).join('\n');
}

export function existingConversation({ conversation = 'last' }: AskArguments, { storage }: ProfilePart): Conversation {
  const { conversations } = storage;
  const found = conversation === 'last' ? conversations.latest() : conversations.get(conversation);
  if (found?.deletedAt != null)
    throw new UsageError(`Conversation ${found.id} is in the trash. To continue it, restore it in the window first.`);
  if (found !== undefined) return found;
  throw new UsageError(
    conversation === 'last' ? 'There is no conversation yet.' : `There is no conversation ${conversation}.`,
  );
}
