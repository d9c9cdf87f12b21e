import { dirname } from 'node:path';
import { isInside } from '../base/paths.ts';
import type { NetworkAccess } from '../network/network-access.ts';
import { isMetadataHost } from '../network/private-network.ts';
import type { Access, AccessClass, AccountAccess, ExecuteAccess, FileAccess, McpAccess } from './access.ts';
import { formOfCommand } from './commands/exact-command.ts';
import { repeatedCommand } from './commands/repeated-command.ts';
import { hostOf } from './effective-access.ts';
import type { PolicyInput } from './judges/verdict.ts';
import { isInRepositoryInternals } from './rule-matching.ts';
import type { RuleDraft } from './rules.ts';

/** Rules the user can add for one access, narrowest first; none if no rule may cover it. */
export function rulesFor(
  access: Access,
  effective: AccessClass,
  { realWorkspace, outside }: Pick<PolicyInput, 'realWorkspace' | 'outside'>,
): RuleDraft[] {
  if (effective === 'send') return [];
  if ('path' in access) return folderRules(access, realWorkspace);
  if (access.class === 'execute') return commandRules(access, outside);
  if ('kind' in access && access.kind === 'mcp') return mcpRules(access);
  if ('kind' in access && access.kind === 'account') return accountRules(access);
  if ('host' in access && (effective === 'network' || effective === 'network-private'))
    return hostRules(access, effective);
  return [];
}

function folderRules(access: FileAccess, realWorkspace: string): RuleDraft[] {
  const folder = access.kind === 'directory' ? access.path : dirname(access.path);
  if (folder === dirname(folder) || isInRepositoryInternals(access.path)) return [];
  const verb = access.class === 'write' ? 'edit' : 'read';
  const narrow = folderRule(`${verb} files in ${folder}`, access.class, folder);
  const isBelowWorkspace = access.class === 'write' && folder !== realWorkspace && isInside(realWorkspace, folder);
  return isBelowWorkspace
    ? [narrow, folderRule(`${verb} files in the whole workspace ${realWorkspace}`, 'write', realWorkspace)]
    : [narrow];
}

function folderRule(label: string, accessClass: 'read' | 'write', path: string): RuleDraft {
  return { label, tool: null, matcher: { kind: 'folder', class: accessClass, path } };
}

function commandRules({ command, directory, reading }: ExecuteAccess, outside: PolicyInput['outside']): RuleDraft[] {
  if (reading !== undefined) return reading.repository === null ? [] : [repositoryRule(reading.repository)];
  const form = formOfCommand(command);
  if (form.kind === 'none') {
    const repeated = repeatedCommand(command);
    if (repeated === undefined || outside === undefined) return [];
    const outsideThrough = Math.max(0, ...outside.map(({ seq }) => seq));
    const label = `run "${repeated.line}" in ${directory}, until new text from outside comes in`;
    return [{ label, tool: null, matcher: { kind: 'repeated-command', ...repeated, directory, outsideThrough } }];
  }
  const label = `run "${form.line}" in ${directory}`;
  return [{ label, tool: null, matcher: { kind: 'exact-command', line: form.line, directory } }];
}

function repositoryRule(path: string): RuleDraft {
  return { label: `read the repository ${path} with git`, tool: null, matcher: { kind: 'repository', path } };
}

function mcpRules({ server, tool, class: mcpClass, content }: McpAccess): RuleDraft[] {
  if (mcpClass === 'send') return [];
  if (content !== undefined) {
    const label = `read ${content} of the MCP server ${server}`;
    return [{ label, tool: null, matcher: { kind: 'mcp-tool', server, tool, class: mcpClass, content } }];
  }
  const label = `use ${tool} of the MCP server ${server}`;
  return [{ label, tool: null, matcher: { kind: 'mcp-tool', server, tool, class: mcpClass } }];
}

function accountRules({ account, class: accountClass, calendar }: AccountAccess): RuleDraft[] {
  if (accountClass === 'read' || calendar !== undefined) return [];
  const label = account === 'calendar' ? 'change your calendar, without inviting anyone' : 'change your mailbox';
  return [{ label, tool: null, matcher: { kind: 'account', account } }];
}

/** A rule for a command, an account or a server's tool, from a card that warned of text from outside in this conversation. */
export function withOutsideTextShown(draft: RuleDraft, conversationId: string): RuleDraft {
  const { matcher } = draft;
  if (matcher.kind === 'folder' || matcher.kind === 'host' || matcher.kind === 'command') return draft;
  // Bound to that text already.
  if (matcher.kind === 'repeated-command') return draft;
  return {
    ...draft,
    label: `${draft.label}, even with text from outside in this conversation`,
    matcher: { ...matcher, outsideTextShownIn: conversationId },
  };
}

function hostRules(access: NetworkAccess, effective: 'network' | 'network-private'): RuleDraft[] {
  const host = hostOf(access);
  if (host === '' || access.isMetadata === true || isMetadataHost(host)) return [];
  const label =
    effective === 'network' ? `read from ${host}` : `read from ${host} on your own machine or network, any port`;
  return [{ label, tool: null, matcher: { kind: 'host', class: effective, host } }];
}

/**
 * Whether one of the offered rules would complete the pair that lets edited files run without a question: one for edits, one for
 * commands. Source: design section 4.
 */
export function rulesMeet(offers: readonly RuleDraft[], standing: readonly RuleDraft[]): boolean {
  const meet = (edits: readonly string[], commands: readonly string[]) =>
    edits.some((folder) => commands.some((place) => isInside(folder, place) || isInside(place, folder)));
  return meet(edited(offers), runIn(standing)) || meet(edited(standing), runIn(offers));
}

function edited(rules: readonly RuleDraft[]): readonly string[] {
  return rules.flatMap(({ matcher }) => (matcher.kind === 'folder' && matcher.class === 'write' ? [matcher.path] : []));
}

function runIn(rules: readonly RuleDraft[]): readonly string[] {
  return rules.flatMap(({ matcher }) =>
    matcher.kind === 'exact-command' || matcher.kind === 'repeated-command' ? [matcher.directory] : [],
  );
}
