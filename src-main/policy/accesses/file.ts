import { basename, dirname, relative, sep } from 'node:path';
import { isInside } from '../../base/paths.ts';
import type { DiffPreview } from '../diff-preview.ts';
import { privateMark, secretMarks } from '../mark-sources.ts';
import { isObeyed } from '../obeyed-files.ts';
import type { RuleDraft, RuleMatcher } from '../rules.ts';
import { hasSecretName, isInSecretFolder } from '../secret-file-names.ts';
import { freelyRule, outermostRoot } from '../work-freely.ts';
import type { TouchedKind } from './access-kind.ts';
import { named } from './title-words.ts';
import { asks, byRule, type JudgeInput, type Verdict } from './verdict.ts';

export interface FileAccess {
  readonly kind: 'file';
  readonly class: 'read' | 'write';
  /** The access is to a folder and what is in it. */
  readonly isFolder?: true;
  /** The real path: symlinks are resolved, even for a file that does not exist yet. */
  readonly path: string;
  /**
   * The path is outside the roots, but the tool may go there if the user allows it (read_file's walk to the repository
   * root).
   */
  readonly outsideRoots: boolean;
  /** The file usually holds secrets (`secret-files.ts`). */
  readonly isSecret?: boolean;
  /** Programs obey the file by themselves, although its name doesn't tell: settings of Git name it, or a link leads to it. */
  readonly isObeyed?: true;
  /** The file does not exist yet. */
  readonly isNew?: boolean;
  /** The file to be changed has other names (hard links). It is replaced, and the other names keep the old content. */
  readonly hasOtherNames?: true;
  /** The file is shown to the user. The model is given none of it, but learns that it exists. */
  readonly isForUser?: true;
}

export const fileKind: TouchedKind<FileAccess> = {
  effectiveClass: (access) => access.class,
  judge: (input, access) => (access.class === 'read' ? judgeRead(input, access) : judgeWrite(input, access)),
  isCovered,
  rules: (access, _effective, input) => [...folderRules(access, input.realWorkspace), ...freelyRules(access, input)],
  leastFlag: ({ class: fileClass, isSecret }) => (fileClass === 'read' && isSecret === true ? 'all' : 'reads'),
  remembered: ({ class: fileClass, path }, _call, reason) =>
    fileClass === 'read' && reason.code === 'secret_file' && reason.path === path ? { secretFile: path } : {},
  marks: fileMarks,
  consequences: (access) => ({
    consequences: access.class === 'write' && access.outsideRoots ? [{ code: 'changes_outside_workspace' }] : [],
  }),
  hosts: () => [],
  passesOnInput: () => false,
  title: fileQuestion,
  nameOf: ({ path }) => basename(path),
  describe,
  shownClass: (access) => access.class,
};

function judgeRead(input: JudgeInput, access: FileAccess): Verdict {
  if (access.isSecret === true) return judgeSecretFile(input, access);
  if (!access.outsideRoots) return { kind: 'allow', reason: { code: 'read_inside' } };
  const rule = byRule(input, (matcher) => isCovered(matcher, access, 'read'));
  return rule ?? asks({ code: 'read_outside', path: access.path }, 'read', true);
}

/**
 * Neither rules nor granted folders cover it: each file needs permission once per conversation. Otherwise a rule for
 * `~/project` made for its sources would hand out `~/project/.env`.
 */
function judgeSecretFile({ openedSecretFiles }: JudgeInput, { path }: FileAccess): Verdict {
  if (openedSecretFiles.has(path)) return { kind: 'allow', reason: { code: 'secret_file_allowed', path } };
  return asks({ code: 'secret_file', path }, 'read');
}

/**
 * A write outside the roots is not even asked about: a question among many, `~/.bashrc` below forty files of the
 * project, would be answered in passing. There the user grants the folder first.
 */
function judgeWrite(input: JudgeInput, access: FileAccess): Verdict {
  if (access.outsideRoots) return { kind: 'deny', reason: { code: 'write_outside' } };
  const rule = byRule(input, (matcher) => isCovered(matcher, access, 'write'));
  return rule ?? asks({ code: 'write' }, 'write', true);
}

function isCovered(matcher: RuleMatcher, access: FileAccess, effective: string): boolean {
  if (matcher.kind === 'work-freely') return isEditedFreely(matcher.path, access);
  // Replaced, it would not be known as a secret any more by what its other names are.
  if (access.isSecret === true && access.hasOtherNames === true) return false;
  return (
    matcher.kind === 'folder' &&
    access.class === matcher.class &&
    effective === matcher.class &&
    isBelow(matcher.path, access.path)
  );
}

/** Files that programs obey by themselves are asked about, and so is a file of secrets. */
function isEditedFreely(folder: string, access: FileAccess): boolean {
  const { path } = access;
  const isSecret = access.isSecret === true || hasSecretName(basename(path)) || isInSecretFolder(path);
  const isRun = access.isObeyed === true || isObeyed(relative(folder, path));
  return access.class === 'write' && !isSecret && !isRun && isInside(folder, path);
}

function isBelow(folder: string, path: string): boolean {
  return isInside(folder, path) && !isInRepositoryInternals(relative(folder, path));
}

/**
 * Files in a repository's own folder run as commands, so editing them is more than editing files: with a rule for the
 * folder, a model could write `.git/hooks/pre-commit`, or `core.fsmonitor = ./x` into `.git/config`, and git would run
 * it at the next `git status`. Upper and lower case are not told apart, because `.GIT` is the same folder on macOS and
 * Windows.
 */
function isInRepositoryInternals(path: string): boolean {
  return path.split(sep).some((segment) => segment.toLowerCase() === '.git');
}

/** There are none for the root of a disk: whoever edits `/x` once would let everything on it be edited. */
function folderRules(access: FileAccess, realWorkspace: string): RuleDraft[] {
  const folder = access.isFolder === true ? access.path : dirname(access.path);
  if (folder === dirname(folder) || isInRepositoryInternals(access.path)) return [];
  const verb = access.class === 'write' ? 'edit' : 'read';
  const narrow = folderRule(`${verb} files in ${folder}`, access.class, folder);
  const isBelowWorkspace = access.class === 'write' && folder !== realWorkspace && isInside(realWorkspace, folder);
  return isBelowWorkspace
    ? [narrow, folderRule(`${verb} files in the whole workspace ${realWorkspace}`, 'write', realWorkspace)]
    : [narrow];
}

/** Where commands can't be held, it would allow no more than the rule for the whole workspace. */
function freelyRules(
  access: FileAccess,
  input: Pick<JudgeInput, 'isInsideRoots' | 'home' | 'holdsCommands'>,
): readonly RuleDraft[] {
  if (access.class !== 'write' || access.outsideRoots || !input.holdsCommands) return [];
  return freelyRule(outermostRoot(access.path, input), input);
}

function folderRule(label: string, accessClass: 'read' | 'write', path: string): RuleDraft {
  return { label, tool: null, matcher: { kind: 'folder', class: accessClass, path } };
}

function fileMarks(
  { class: fileClass, path, isFolder, isSecret, isForUser }: FileAccess,
  shownPath: (real: string) => string,
) {
  const shown = shownPath(path);
  if (isForUser === true) return privateMark(`whether ${shown || 'the workspace'} exists`);
  const source = isFolder === true ? `files in ${shown === '' ? 'the workspace' : shown}` : `file ${shown}`;
  return fileClass === 'read' && isSecret === true ? secretMarks(source) : privateMark(source);
}

function fileQuestion(files: readonly FileAccess[], changes: readonly DiffPreview[]): string {
  const areRead = files.every((file) => file.class === 'read');
  if (!areRead && files.some((file) => file.class === 'read')) return 'Read and change files?';
  const isNew = (path: string) => changes.some((each) => each.path === path && each.isNewFile);
  const verb = areRead ? 'Read' : files.every(({ path }) => isNew(path)) ? 'Create' : 'Change';
  const areFolders = files.every((file) => file.isFolder === true);
  const names = files.map(({ path }) => basename(path));
  return areFolders
    ? named(`${verb} the folder`, names, 'folder', 'folders', verb)
    : named(verb, names, 'file', 'files');
}

function describe(access: FileAccess): string {
  const where = access.outsideRoots ? ', outside the workspace and the granted folders' : '';
  const secret = access.isSecret === true ? ', which usually contains secrets' : '';
  const names = access.hasOtherNames === true ? '; its other names (hard links) keep the old content' : '';
  const verb = access.isNew === true ? 'create' : 'change';
  return `${access.class === 'read' ? 'read' : verb} the ${access.isFolder === true ? 'folder' : 'file'} ${access.path}${where}${secret}${names}`;
}
