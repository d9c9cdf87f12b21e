import { words } from '../../../base/text.ts';

/**
 * A setting as `section.name` or `section.subsection.name`, with section and name in lower case, as git compares them.
 */
export interface RepositorySetting {
  readonly section: string;
  readonly subsection: string | null;
  readonly name: string;
}

const BLANK_OR_COMMENT = /^[ \t\r]*(?:[#;].*)?$/s;
const HEADER = /^[ \t]*\[([A-Za-z0-9-]+)(?:[ \t]+"([^"\\]*)")?\][ \t\r]*$/;
/** The value doesn't matter here, only that it ends with its line. */
const SETTING = /^[ \t]*([A-Za-z][A-Za-z0-9-]*)[ \t\r]*(?:=.*)?$/s;
const GOES_ON = /\\\r?$/;

/**
 * The settings in a git configuration file, or `null` unless it is written the way git itself writes one: a header, a
 * setting or a comment on each line. It may understand less than git, but never something different. Source:
 * git-config(1), "Syntax".
 */
export function settingsIn(text: string): readonly RepositorySetting[] | null {
  const settings: RepositorySetting[] = [];
  let current: Omit<RepositorySetting, 'name'> | undefined;
  for (const line of text.split('\n')) {
    if (BLANK_OR_COMMENT.test(line)) continue;
    const [header, section, subsection = null] = HEADER.exec(line) ?? [];
    if (header !== undefined && section !== undefined) {
      current = { section: section.toLowerCase(), subsection };
      continue;
    }
    const name = SETTING.exec(line)?.[1];
    if (name === undefined || current === undefined || GOES_ON.test(line)) return null;
    settings.push({ ...current, name: name.toLowerCase() });
  }
  return settings;
}

/**
 * Settings that don't change what `git status`, `log`, `diff` and `show` do: they don't affect these commands, or are
 * overridden when they run (`git-reads.ts`). If a repository has any other setting, reading it asks each time: an
 * unknown setting may start a program or lead elsewhere. Source: git-config(1) of git 2.39 to 2.50.
 */
export function isHarmless({ section, subsection, name }: RepositorySetting): boolean {
  if (OF_OTHER_COMMANDS.has(section)) return true;
  const known = subsection === null ? PLAIN : WITH_SUBSECTION;
  return Object.hasOwn(known, section) && known[section]?.has(name) === true;
}

/** These are read only by other commands, or concern the appearance. */
const OF_OTHER_COMMANDS = words(
  'user author committer branch pull push init gui gitk commit tag fetch merge rebase rerere gc advice color column i18n credential ' +
    'http https lfs alias difftool mergetool sendemail svn',
);

const PLAIN: Readonly<Record<string, ReadonlySet<string>>> = {
  core: words(
    'repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf quotepath ' +
      'abbrev longpaths protecthfs protectntfs preloadindex untrackedcache ' +
      'attributesfile editor excludesfile fsmonitor hookspath pager sshcommand worktree',
  ),
  diff: words('algorithm colormoved context external mnemonicprefix noprefix renames'),
  extensions: words('objectformat'),
  gpg: words('program format'),
  log: words('date decorate showsignature'),
  pager: words('status log diff show'),
};

const WITH_SUBSECTION: Readonly<Record<string, ReadonlySet<string>>> = {
  diff: words('binary cachetextconv command funcname textconv wordregex xfuncname'),
  filter: words('clean smudge process required'),
  gpg: words('program'),
  remote: words('url fetch pushurl push tagopt mirror prune gh-resolved'),
  submodule: words('url active'),
};
