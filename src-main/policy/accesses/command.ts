import { basename } from 'node:path';
import type { AccessClass } from '../../../src-preload/contract/access-class.ts';
import { isGrave } from '../../../src-preload/contract/consequence.ts';
import { isInside } from '../../base/paths.ts';
import { commandEffects } from '../commands/command-effects.ts';
import { commandLine, type GivenCommand } from '../commands/command-line.ts';
import { formOfCommand } from '../commands/exact-command.ts';
import { openedPath } from '../commands/openers.ts';
import { placesOutside } from '../commands/places-outside.ts';
import { repeatedCommand } from '../commands/repeated-command.ts';
import type { EffectsPlace } from '../commands/touched-paths.ts';
import { outputOf, privateMark } from '../mark-sources.ts';
import type { RuleDraft, RuleMatcher } from '../rules.ts';
import { freelyRule } from '../work-freely.ts';
import type { AccessConsequences, AccessKind } from './access-kind.ts';
import { named } from './title-words.ts';
import { asks, byRule, byRuleBesideOutsideText, has, type JudgeInput, type Verdict } from './verdict.ts';

export interface CommandReading {
  /** The real paths of the files and folders that it reads. */
  readonly paths: readonly string[];
  /** The real path of the repository that git reads. */
  readonly repository: string | null;
  /** It runs in a sandbox that can neither write nor reach anything, so it may be any program. */
  readonly isHeld?: true;
}

export interface CommandAccess {
  readonly kind: 'command';
  readonly class: 'execute';
  readonly command: GivenCommand;
  /** The real path of the folder that the command runs in. */
  readonly directory: string;
  /**
   * The real path of the only root that it could write if a grant lets it run in the sandbox. Absent if it can't be held
   * there, or mustn't be.
   */
  readonly heldIn?: string;
  /** If this is absent, the command may do anything. Otherwise it only reads inside the roots. */
  readonly reading?: CommandReading;
  /**
   * The names of variables that are withheld because they look like secrets. Absent if there are none, or if the
   * command gets no variables at all.
   */
  readonly withheld?: readonly string[];
  /** What it changes after its start is not listed, and can't be undone. */
  readonly isInBackground?: true;
  /** The command opens something for the user. The model is given nothing of it, not even its output. */
  readonly isForUser?: true;
}

export const commandKind: AccessKind<CommandAccess> = {
  effectiveClass: ({ reading }) => (reading === undefined ? 'execute' : 'read'),
  judge: (input, access) =>
    access.reading === undefined ? judgeRun(input, access) : judgeReading(input, access, access.reading),
  isCovered,
  rules: commandRules,
  leastFlag: () => 'reads',
  remembered: () => ({}),
  marks: (access, shownPath) => {
    const opened = openedPath(access);
    if (opened === undefined) return privateMark(outputOf(commandLine(access.command)));
    return privateMark(`whether ${shownPath(opened) || 'the workspace'} exists`);
  },
  consequences,
  hosts: () => [],
  passesOnInput: () => true,
  title: commandQuestion,
  nameOf: (access) => openedPath(access) ?? commandLine(access.command),
};

function judgeRun(input: JudgeInput, access: CommandAccess): Verdict {
  const paths = unreviewedFor(input, access);
  const isReviewed = paths.length === 0;
  // A rule for exactly this command goes first: it runs as the user expects, with the network.
  const rule = isReviewed
    ? byRuleBesideOutsideText(input, (matcher) => isCovered(matcher, access, 'execute'))
    : undefined;
  const allowed = rule ?? byGrant(input, access);
  if (allowed !== undefined) return allowed;
  if (!isReviewed) return asks({ code: 'unreviewed_files', paths }, 'execute');
  const form = formOfCommand(access.command);
  if (form.kind === 'none') {
    const { why } = form;
    return asks(why === 'shell_line' ? { code: 'shell_line' } : { code: 'command_without_rule', why }, 'execute', true);
  }
  return asks({ code: has(input, 'untrusted') ? 'command_untrusted' : 'command' }, 'execute', true);
}

function judgeReading(input: JudgeInput, access: CommandAccess, { repository, isHeld }: CommandReading): Verdict {
  if (repository === null) return judgeHarmless(input, access, isHeld === true);
  const paths = unreviewedFor(input, access);
  const isReviewed = paths.length === 0;
  const rule = isReviewed ? byRuleBesideOutsideText(input, (matcher) => isCovered(matcher, access, 'read')) : undefined;
  const allowed = rule ?? byGrant(input, access);
  if (allowed !== undefined) return allowed;
  return isReviewed
    ? asks({ code: 'repository', repository }, 'read', true)
    : asks({ code: 'unreviewed_files', paths }, 'read');
}

/** What can change nothing runs without a question, unless the user wants to be asked about that too. */
function judgeHarmless(input: JudgeInput, access: CommandAccess, isHeld: boolean): Verdict {
  if (input.asksBeforeCommands) {
    // Who lets exactly this command do anything also lets it read.
    const rule = byRuleBesideOutsideText(input, (matcher) => isCovered(matcher, access, 'execute'));
    return rule ?? byGrant(input, access) ?? asks({ code: 'every_command' }, 'read', true);
  }
  if (isHeld) return { kind: 'allow', reason: { code: 'command_held' } };
  // Under a grant, other commands may change what it was judged by, so it is held as well.
  return byGrant(input, access) ?? { kind: 'allow', reason: { code: 'command_reads' } };
}

/** Neither text from outside nor unreviewed files matter: nothing can leave the sandbox, and no secret is in reach. */
function byGrant(input: JudgeInput, { heldIn }: CommandAccess): Verdict | undefined {
  const isOfGrant = (matcher: RuleMatcher) =>
    matcher.kind === 'work-freely' && heldIn !== undefined && isInside(matcher.path, heldIn);
  return byRule(input, isOfGrant);
}

/**
 * The unreviewed files that a command could run or obey. Those in every root count, because which operand names a
 * folder isn't guessed (`make -C DIR`, `npm --prefix DIR`, `pytest DIR`). This stops text from outside that takes two
 * steps: it has the model edit `Makefile`, and days later `make` runs, for which there is a rule.
 */
function unreviewedFor(input: JudgeInput, { command, directory }: CommandAccess): readonly string[] {
  const anywhere = input.unreviewedFiles(directory, true);
  // Mostly there are none, and then no path of the command has to be resolved.
  if (anywhere.length === 0) return anywhere;
  const { words, isWhole } = placesOutside(command, directory, input);
  return words.length > 0 || !isWhole ? anywhere : input.unreviewedFiles(directory, false);
}

/**
 * The rule is for a command in one folder: `npm test` in `~/project` says nothing for `npm test` in a repository that
 * was just cloned, whose `package.json` someone else wrote. Rules of the kind `command` covered what began alike (`git
 * log` and then `git log --output=~/.bashrc`) and cover nothing now.
 */
function isCovered(matcher: RuleMatcher, access: CommandAccess, effective: AccessClass): boolean {
  if (matcher.kind === 'repository') return effective === 'read' && access.reading?.repository === matcher.path;
  if (matcher.kind !== 'exact-command' && matcher.kind !== 'repeated-command') return false;
  if (effective !== 'execute' || access.directory !== matcher.directory) return false;
  if (matcher.kind === 'repeated-command') return repeatedCommand(access.command)?.hash === matcher.hash;
  const form = formOfCommand(access.command);
  return form.kind === 'exact' && form.line === matcher.line;
}

function commandRules(
  access: CommandAccess,
  _effective: AccessClass,
  input: Pick<JudgeInput, 'outside' | 'home' | 'isGrave'>,
): RuleDraft[] {
  const { reading, heldIn } = access;
  const exact = reading === undefined ? exactRules(access, input) : repositoryRules(reading);
  // Nobody should grant a folder in passing, on the card of a command that deletes it.
  return heldIn === undefined || input.isGrave ? exact : [...exact, ...freelyRule(heldIn, input)];
}

function exactRules({ command, directory }: CommandAccess, { outside }: Pick<JudgeInput, 'outside'>): RuleDraft[] {
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

/** A rule for exactly what only reads now would let it do more, once a file in its way is another. */
function repositoryRules({ repository: path }: CommandReading): RuleDraft[] {
  if (path === null) return [];
  return [{ label: `read the repository ${path} with git`, tool: null, matcher: { kind: 'repository', path } }];
}

const NO_STEPS = { ends: [], grave: [] } as const;

function consequences(access: CommandAccess, place: EffectsPlace): AccessConsequences {
  if (access.reading !== undefined) return { consequences: [], steps: NO_STEPS };
  if (openedPath(access) !== undefined) return { consequences: [{ code: 'opens_in_program' }], steps: NO_STEPS };
  const { effects, stepEnds, goesOn } = commandEffects(access, place);
  const grave = effects.flatMap(({ consequence, step }) => (isGrave(consequence) ? [step] : []));
  const { words, isWhole } = placesOutside(access.command, access.directory, place);
  const named = words.length === 0 && isWhole ? [] : [{ code: 'names_places_outside', words, isWhole } as const];
  // What is deleted after the call has ended is not listed any more.
  const isLost =
    (goesOn || access.isInBackground === true) && effects.some(({ consequence: { code } }) => code === 'deletes_files');
  const lost = isLost ? [{ code: 'cannot_be_undone' } as const] : [];
  return {
    consequences: [...effects.map(({ consequence }) => consequence), ...named, ...lost],
    steps: { ends: stepEnds, grave: [...new Set(grave)] },
  };
}

function commandQuestion(commands: readonly CommandAccess[]): string {
  const opened = commands.flatMap((command) => openedPath(command) ?? []);
  if (opened.length === commands.length) {
    const names = opened.map((path) => basename(path));
    return named('Open', names, 'file', 'files');
  }
  return commands.length === 1 ? 'Run a command?' : `Run ${commands.length} commands?`;
}
