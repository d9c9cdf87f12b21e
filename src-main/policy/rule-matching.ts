import { relative, sep } from 'node:path';
import { isInside } from '../base/path-containment.ts';
import { hostKey } from '../network/host-key.ts';
import type { NetworkAccess } from '../network/network-access.ts';
import type { Access, AccessClass, ExecuteAccess } from './access.ts';
import { escapesPrefix } from './command-prefix.ts';
import { hostOf } from './effective-access.ts';
import type { RuleDraft, RuleMatcher } from './rules.ts';
import { plainShellWords } from './shell-words.ts';

/**
 * Whether a rule answers for one access of a call. `effective` is the class that the policy takes the access for; nothing
 * answers for `send`.
 */
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
    case 'command':
      return access.class === 'execute' && effective === 'execute' && commandBeginsWith(access, matcher.argv);
    case 'host':
      return (
        'host' in access && access.isMetadata !== true && effective === matcher.class && isSameHost(access, matcher)
      );
  }
}

function isBelow(folder: string, path: string): boolean {
  return isInside(folder, path) && !isInRepositoryInternals(relative(folder, path));
}

/** What lies in a repository's own folder runs as commands (hooks, filters): editing it is more than editing files. */
export function isInRepositoryInternals(path: string): boolean {
  return path.split(sep).some((segment) => segment.toLowerCase() === '.git');
}

function commandBeginsWith(access: ExecuteAccess, prefix: readonly string[]): boolean {
  const argv = wordsOf(access);
  if (argv === null || prefix.length === 0 || argv.length < prefix.length) return false;
  return prefix.every((word, index) => argv[index] === word) && !escapesPrefix(argv, prefix.length);
}

/** The words of a command, or `null` where they are not beyond doubt. */
export function wordsOf({ command }: ExecuteAccess): readonly string[] | null {
  return command.kind === 'argv' ? command.argv : plainShellWords(command.line);
}

function isSameHost(access: NetworkAccess, { host }: Extract<RuleMatcher, { kind: 'host' }>): boolean {
  const asked = hostKey(hostOf(access));
  return asked !== '' && asked === hostKey(host);
}
