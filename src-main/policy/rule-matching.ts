import { relative, sep } from 'node:path';
import { isInside } from '../base/paths.ts';
import { hostKey } from '../network/address-keys.ts';
import type { NetworkAccess } from '../network/network-access.ts';
import type { Access, AccessClass } from './access.ts';
import { formOfCommand } from './commands/exact-command.ts';
import { repeatedCommand } from './commands/repeated-command.ts';
import { hostOf } from './effective-access.ts';
import type { RuleDraft, RuleMatcher } from './rules.ts';

/** Whether a rule covers one access of a call. `effective` is the access's class according to the policy; no rule covers `send`. */
export function ruleAnswers(rule: RuleDraft, tool: string, access: Access, effective: AccessClass): boolean {
  if (rule.tool !== null && rule.tool !== tool) return false;
  const { matcher } = rule;
  switch (matcher.kind) {
    case 'folder':
      return (
        'path' in access &&
        access.class === matcher.class &&
        effective === matcher.class &&
        isBelow(matcher.path, access.path)
      );
    case 'exact-command': {
      if (access.class !== 'execute' || effective !== 'execute' || access.directory !== matcher.directory) return false;
      const form = formOfCommand(access.command);
      return form.kind === 'exact' && form.line === matcher.line;
    }
    case 'repeated-command':
      return (
        access.class === 'execute' &&
        effective === 'execute' &&
        access.directory === matcher.directory &&
        repeatedCommand(access.command)?.hash === matcher.hash
      );
    case 'repository':
      return access.class === 'execute' && effective === 'read' && access.reading?.repository === matcher.path;
    case 'command':
      return false;
    case 'mcp-tool':
      return (
        'kind' in access &&
        access.kind === 'mcp' &&
        access.class === matcher.class &&
        access.server === matcher.server &&
        access.tool === matcher.tool &&
        access.content === matcher.content
      );
    case 'account':
      return (
        'kind' in access &&
        access.kind === 'account' &&
        access.class === 'write' &&
        access.account === matcher.account &&
        access.calendar === undefined
      );
    case 'host':
      return (
        'host' in access && access.isMetadata !== true && effective === matcher.class && isSameHost(access, matcher)
      );
  }
}

function isBelow(folder: string, path: string): boolean {
  return isInside(folder, path) && !isInRepositoryInternals(relative(folder, path));
}

/** Files in a repository's own folder run as commands (hooks, filters), so editing them is more than editing files. */
export function isInRepositoryInternals(path: string): boolean {
  return path.split(sep).some((segment) => segment.toLowerCase() === '.git');
}

function isSameHost(access: NetworkAccess, { host }: Extract<RuleMatcher, { kind: 'host' }>): boolean {
  const asked = hostKey(hostOf(access));
  return asked !== '' && asked === hostKey(host);
}
