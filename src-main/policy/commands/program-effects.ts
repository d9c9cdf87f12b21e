import type { Consequence } from '../../../src-preload/contract/consequence.ts';
import * as table from './effect-tables.ts';
import { exactWord, type LooseWord } from './loose-line.ts';
import type { TouchedPaths } from './touched-paths.ts';

/** The effects of individual programs, derived from their arguments. */
type Effects = readonly Consequence[];

export const UNKNOWN = { code: 'unknown_effects', of: 'command' } as const;
const FOR_GOOD = { code: 'cannot_be_undone' } as const;

export function isOperand({ text }: LooseWord): boolean {
  return !text.startsWith('-') || text === '-';
}

/** The effects of a program that deletes. With `isTruncate`, an operand that is a size is not a file. */
export function deletionEffects(operands: readonly LooseWord[], isTruncate: boolean, paths: TouchedPaths): Effects {
  const targets = operands.filter((word) => isOperand(word) && !(isTruncate && /^\d+[KMGT]?$/.test(word.text)));
  if (targets.length === 0) return [{ code: 'deletes_unknown_files' }, FOR_GOOD];
  return targets.flatMap((target) => deletionEffect(paths.deletion(target)));
}

/** What is deleted in a root is kept before, as far as that is possible: the card of the call says what is not. */
export function deletionEffect(deletion: Consequence): Effects {
  return deletion.code === 'deletes_files' ? [deletion] : [deletion, FOR_GOOD];
}

export function changeEffects(targets: readonly LooseWord[], paths: TouchedPaths): Effects {
  return targets.length === 0 ? [{ code: 'changes_files' }] : targets.map((target) => paths.change(target));
}

const NO_FILE = /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/;

export function redirectionEffects(operator: string, target: LooseWord, paths: TouchedPaths): Effects {
  // Reading from such a path connects as well: `cat </dev/tcp/HOST/80`.
  if (/^\/dev\/(?:tcp|udp)\//.test(target.text)) return [{ code: 'sends_files' }, FOR_GOOD];
  if (!operator.includes('>')) return target.isExact || operator === '<<<' ? [] : [UNKNOWN];
  if (/^(?:\d+|-)$/.test(target.text) || NO_FILE.test(target.text)) return [];
  return target.inner.length > 0 ? [] : changeEffects([target], paths);
}

const UPLOADS = /^(?:-T|--upload-file|-F|--form|--post-file)|^(?:(?:-d|--data(?:-binary|-raw|-urlencode)?)=?)?@/;
const GIVES_DATA =
  /^(?:-d|--data|--json|--post-data|--body-data)|^(?:-X|--method=|--request=)(?:POST|PUT|PATCH|DELETE)$/;
const CHANGING_METHOD = /^(?:POST|PUT|PATCH|DELETE)$/;
const OUTPUT = /^(?:-o|--output|--output-document|-P)$/;

export function fetchEffects(operands: readonly LooseWord[], paths: TouchedPaths): Effects {
  const texts = operands.map(({ text }) => text);
  const output = operands[texts.findIndex((text) => OUTPUT.test(text)) + 1];
  const hasOutput = texts.some((text) => OUTPUT.test(text)) && output !== undefined && output.text !== '-';
  const saved = hasOutput ? changeEffects([output], paths) : [];
  if (texts.some((text) => UPLOADS.test(text))) return [{ code: 'sends_files' }, FOR_GOOD, ...saved];
  if (texts.some((text) => GIVES_DATA.test(text) || CHANGING_METHOD.test(text)))
    return [{ code: 'sends_data', hosts: hostsIn(texts) }, FOR_GOOD, ...saved];
  return [{ code: 'fetches' }, ...saved];
}

function hostsIn(texts: readonly string[]): readonly string[] {
  const hosts = texts.flatMap((text) => /^https?:\/\/(?:[^/?#@]+@)?([^/?#:]+)/i.exec(text)?.[1] ?? []);
  return hosts.length === 0 ? ['an address on the internet'] : [...new Set(hosts)];
}

/** Matches the options of rsync that delete files missing on the other side, or files that were copied. */
const DELETES_BESIDES = /^--(?:del(?:ete.*)?|remove-source-files)$/;

export function sendEffects(names: readonly string[], operands: readonly LooseWord[], paths: TouchedPaths): Effects {
  const isLocalCopy = names.includes('rsync') && !operands.some(({ text }) => text.includes(':'));
  if (!isLocalCopy) return [{ code: 'sends_files' }, FOR_GOOD];
  const deletes = operands.find(({ text }) => DELETES_BESIDES.test(text));
  const folders = operands.filter(isOperand);
  if (deletes?.text === '--remove-source-files') return deletionEffects(folders.slice(0, -1), false, paths);
  return deletes === undefined
    ? changeEffects(folders.slice(-1), paths)
    : deletionEffects(folders.slice(-1), false, paths);
}

export function mailEffects(operands: readonly LooseWord[]): Effects {
  const count = operands.filter(({ text }) => /^[^-].*@/.test(text)).length;
  return [{ code: 'reaches_people', count: Math.max(1, count) }, FOR_GOOD];
}

const GIT_VALUE_OPTION = /^(?:-C|-c|--git-dir|--work-tree|--namespace)$/;
const REWRITES = /^(?:-[a-z]*[fd]|--force.*|--delete|--mirror|--prune|\+.+|:.+)$/;

export function gitEffects(operands: readonly LooseWord[], paths: TouchedPaths): Effects {
  let at = 0;
  for (let word = operands[at]; word?.text.startsWith('-'); word = operands[at]) {
    const value = operands[at + 1];
    if (word.text === '-C' && value !== undefined) paths.enter(value);
    at += GIT_VALUE_OPTION.test(word.text) ? 2 : 1;
  }
  const [subcommand, ...words] = operands.slice(at);
  const isElsewhere = operands.slice(0, at).some(({ text }) => /^--(?:git-dir|work-tree)/.test(text));
  const deletion = isElsewhere ? ({ code: 'deletes_unknown_files' } as const) : deletionByGit(paths);
  return subcommand === undefined ? [] : subcommandEffects(subcommand.text, words, deletion);
}

/** What git deletes below the folder, which is never all that is in it. */
function deletionByGit(paths: TouchedPaths): Consequence {
  const deletion = paths.deletionBelow(exactWord('.'));
  return deletion.code === 'deletes_everything' ? { code: 'deletes_outside_workspace' } : deletion;
}

function subcommandEffects(subcommand: string, words: readonly LooseWord[], deletion: Consequence): Effects {
  const texts = words.map(({ text }) => text);
  const has = (pattern: RegExp) => texts.some((text) => pattern.test(text));
  if (subcommand === 'push') {
    const rewrites = has(REWRITES) ? ([{ code: 'rewrites_remote_history' }] as const) : [];
    return [{ code: 'sends_commits' }, FOR_GOOD, ...rewrites];
  }
  if (subcommand === 'send-email') return mailEffects(words);
  if (subcommand === 'clean' && has(/^(?:-[a-mo-z]*n[a-z]*|--dry-run)$/)) return [];
  if (subcommand === 'rm' || subcommand === 'clean') return deletionEffect(deletion);
  // The repository may be larger than the root, and its own folder elsewhere.
  if (discards(subcommand, has)) return [{ code: 'discards_changes' }, FOR_GOOD];
  if (table.GIT.fetches.has(subcommand)) return [{ code: 'fetches' }, { code: 'changes_files' }];
  return table.GIT.changes.has(subcommand) ? [{ code: 'changes_files' }] : [];
}

function discards(subcommand: string, has: (pattern: RegExp) => boolean): boolean {
  switch (subcommand) {
    case 'reset':
      return has(/^--(?:hard|merge|keep)$/);
    case 'checkout':
      return has(/^(?:--|-f|--force|\.)$/);
    case 'switch':
      return has(/^(?:-f|--force|--discard-changes)$/);
    case 'restore':
      return !has(/^(?:--staged|-S)$/) || has(/^(?:--worktree|-W)$/);
    case 'stash':
      return has(/^(?:drop|clear)$/);
    default:
      return subcommand === 'branch' && has(/^(?:-[a-z]*D|--delete)$/);
  }
}

export function sedEffects(operands: readonly LooseWord[], paths: TouchedPaths): Effects {
  const isInPlace = operands.some(({ text }) => /^(?:-[a-zA-Z]*i|--in-place)/.test(text));
  return isInPlace ? changeEffects(operands.filter(isOperand).slice(1), paths) : [];
}

export function ddEffects(operands: readonly LooseWord[], paths: TouchedPaths): Effects {
  const outputs = operands.filter(({ text }) => text.startsWith('of='));
  return outputs.map((word) => paths.change({ ...word, text: word.text.slice('of='.length) }));
}

/** The effects of package managers. */
export function packageEffects(names: readonly string[], operands: readonly LooseWord[]): Effects {
  const subcommand = operands.find(isOperand)?.text ?? '';
  const has = (known: Readonly<Record<string, ReadonlySet<string>>>) =>
    names.some((name) => Object.hasOwn(known, name) && known[name]?.has(subcommand) === true);
  if (has(table.PUBLISHES)) return [{ code: 'publishes' }, FOR_GOOD];
  if (has(table.INSTALLS) || (names.includes('yarn') && subcommand === '')) return [{ code: 'runs_install_scripts' }];
  if (names.some((name) => table.RUNS_PACKAGE.has(name))) return [{ code: 'fetches' }];
  return [];
}
