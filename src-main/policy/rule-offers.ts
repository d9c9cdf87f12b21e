import { dirname } from 'node:path';
import { isInside } from '../base/path-containment.ts';
import type { NetworkAccess } from '../network/network-access.ts';
import { isMetadataHost } from '../network/private-network.ts';
import type { Access, AccessClass, ExecuteAccess, FileAccess } from './access.ts';
import { offeredCommandPrefix } from './command-prefix.ts';
import { hostOf } from './effective-access.ts';
import { isInRepositoryInternals, wordsOf } from './rule-matching.ts';
import type { RuleDraft } from './rules.ts';

/** Rules that a person may make of one access, narrowest first; none where no rule should stand. */
export function rulesFor(access: Access, effective: AccessClass, realWorkspace: string): RuleDraft[] {
  if (effective === 'send') return [];
  if ('path' in access) return folderRules(access, realWorkspace);
  if (access.class === 'execute') return commandRules(access);
  if ('host' in access && (effective === 'network' || effective === 'network-private'))
    return hostRules(access, effective);
  return [];
}

function folderRules(access: FileAccess, realWorkspace: string): RuleDraft[] {
  const folder = access.kind === 'directory' ? access.path : dirname(access.path);
  if (folder === dirname(folder) || isInRepositoryInternals(access.path)) return [];
  const verb = access.class === 'write' ? 'edit' : 'read';
  const narrow = folderRule(`${verb} files in ${folder}`, access.class, folder);
  const widens = access.class === 'write' && folder !== realWorkspace && isInside(realWorkspace, folder);
  return widens
    ? [narrow, folderRule(`${verb} files in the whole workspace ${realWorkspace}`, 'write', realWorkspace)]
    : [narrow];
}

function folderRule(label: string, accessClass: 'read' | 'write', path: string): RuleDraft {
  return { label, tool: null, matcher: { kind: 'folder', class: accessClass, path } };
}

function commandRules(access: ExecuteAccess): RuleDraft[] {
  const argv = wordsOf(access);
  const prefix = argv === null ? null : offeredCommandPrefix(argv);
  if (prefix === null) return [];
  return [
    {
      label: `run commands that begin with "${prefix.map(quoted).join(' ')}"`,
      tool: null,
      matcher: { kind: 'command', argv: prefix },
    },
  ];
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`;
}

function hostRules(access: NetworkAccess, effective: 'network' | 'network-private'): RuleDraft[] {
  const host = hostOf(access);
  if (host === '' || access.isMetadata === true || isMetadataHost(host)) return [];
  const label =
    effective === 'network' ? `read from ${host}` : `read from ${host} on your own machine or network, any port`;
  return [{ label, tool: null, matcher: { kind: 'host', class: effective, host } }];
}

/**
 * Whether one of the rules on offer would be the second of two by which what is edited can run unseen: one for edits, one for
 * commands. Source: design section 4.
 */
export function rulesMeet(offers: readonly RuleDraft[], standing: readonly RuleDraft[]): boolean {
  const makes = (rules: readonly RuleDraft[], what: 'edits' | 'commands') =>
    rules.some(({ matcher }) =>
      what === 'commands' ? matcher.kind === 'command' : matcher.kind === 'folder' && matcher.class === 'write',
    );
  return (
    (makes(offers, 'edits') && makes(standing, 'commands')) || (makes(offers, 'commands') && makes(standing, 'edits'))
  );
}
