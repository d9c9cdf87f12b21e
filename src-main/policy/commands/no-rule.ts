import type { NoRuleReason } from '../../../src-preload/contract/no-rule-reason.ts';
import { ownValue } from '../../base/json.ts';
import { words } from '../../base/text.ts';
import { commandOf, programNames } from './command-words.ts';
import { OPENERS } from './openers.ts';
import { bringsOutsideText } from './outside-text.ts';
import { BudgetSpent, WorkBudget } from './work-budget.ts';

/**
 * Commands that no rule may cover, however exact: they must not repeat unseen what a user allowed once. This is the
 * second line of defence; the first is that a rule covers only one exact command. When in doubt there is no rule, which
 * only costs a question.
 */

/** These programs are recognised by name anywhere in a command: `timeout 5 rm`, `find -exec rm`, `busybox rm`. */
const ANYWHERE = table({
  deletes:
    'rm rmdir unlink shred srm wipe wipefs mkfs mkswap blkdiscard fdisk sfdisk parted truncate rimraf del-cli trash gio',
  overwrites: 'dd tee sponge install ddrescue',
  fetches: 'curl wget aria2c axel lynx w3m elinks youtube-dl yt-dlp uvx pnpx bunx dlx',
  sends:
    'ssh scp sftp rsync telnet rsh nc ncat netcat socat websocat sendmail msmtp ssmtp swaks mutt neomutt mailx gh glab hub rclone ' +
    's3cmd gsutil wall notify-send ping traceroute tracepath mtr',
  power: 'sudo su doas pkexec runuser run0 setpriv gosu su-exec chroot unshare nsenter security',
  system:
    'kill pkill killall xkill shutdown reboot halt poweroff systemctl launchctl crontab schtasks taskkill mount umount ' +
    'useradd userdel usermod passwd chpasswd visudo iptables nft ufw sysctl modprobe insmod rmmod apt-get dpkg rpm dnf yum zypper ' +
    'pacman apk snap flatpak winget choco setfacl chattr icacls takeown',
  input: 'xargs parallel',
});

/**
 * These programs are also everyday words, so they count only in program position. `mv evil.sh build.sh` swaps what
 * another rule runs, `sed -i` and `awk 'BEGIN{system(…)}'` hold code of their own, `psql` drops tables.
 */
const AS_PROGRAM = table({
  deletes: 'dropdb',
  overwrites: 'mv cp ln link xcopy robocopy patch',
  fetches: 'http https httpie xh ftp tftp lftp aws az gcloud doctl heroku fetch dig host nslookup whois finger',
  sends:
    'mail write talk vercel netlify wrangler fly flyctl firebase surge pulumi eas fastlane ansible ansible-playbook svn',
  system: 'apt service net at batch reg chmod chown chgrp bcdedit sc setx diskpart defaults dscl brew port',
  code:
    'awk gawk mawk nawk sed gsed ed ex vi vim nvim view emacs nano dc m4 gnuplot octave expect rundll32 mshta wscript cscript ' +
    'forfiles osascript cmd powershell pwsh wsl',
  opens: OPENERS.join(' '),
  database: 'sqlite sqlite3 psql mysql mariadb mongo mongosh redis-cli mysqladmin pg_restore',
});

/**
 * These are built into a shell, including cmd.exe: they change its later behaviour, evaluate their arguments again
 * (`test -v 'a[$(date)]'`), or differ from the program of that name.
 */
const BUILTINS = table({
  shell_builtin:
    '. : [ alias bg bind break builtin caller cd command compgen complete compopt continue coproc declare dirs disown enable eval ' +
    'exec exit export fc fg getopts hash help history jobs let local logout mapfile popd printf pushd read readarray readonly ' +
    'return set shift shopt source suspend test times trap type typeset ulimit umask unalias unset wait ' +
    'call del erase rd format copy move ren rename start for if assoc ftype mklink setlocal prompt title vol',
});

/** These run their arguments as a command: `timeout 5 mv a b`, `find . -exec cp {} /x`. */
const WRAPPERS = words(
  'env nohup nice ionice chrt taskset time timeout stdbuf setsid script unbuffer flock watch entr busybox toybox caffeinate dotenv ' +
    'cross-env direnv strace ltrace valgrind gdb lldb perf xvfb-run faketime firejail bwrap nodemon watchexec concurrently find fd',
);

/**
 * These run a script file, which must then be on the line: `bash` alone runs whatever a pipe brings it. The pattern
 * matches options that contain code or are followed by it: `node -e …`, `python -c …`, `bash --rcfile x`.
 */
const INTERPRETERS: Readonly<Record<string, RegExp>> = {
  ...same('sh bash dash zsh fish ksh mksh csh tcsh ash rbash', /^-[a-z]*[cs]|^--(?:command|rcfile|init-file)/i),
  ...same('python pypy', /^-[a-zA-Z]*c/),
  ...same('node nodejs tsx ts-node', /^-[a-z]*[ep]|^--(?:eval|print)|data:/),
  ...same('deno bun', /^(?:eval|-[a-z]*[ep]|--eval|--print|repl)|data:/),
  ...same('perl', /^-[a-zA-Z0-9]*[eEnpi]/),
  ...same('ruby', /^-[a-zA-Z0-9]*[enpi]/),
  ...same('php', /^-[a-zA-Z]*[rBREF]|^--(?:run|process)/),
  ...same(
    'lua luajit tclsh wish r rscript julia groovy scala kotlin clojure clj jshell swift racket guile ghc runghc elixir iex',
    /^-[a-z]*e|^--e/i,
  ),
};

/** Matches other names for standard input, so that `bash /dev/stdin` is no script file. */
const STDIN_PATH = /^\/(?:dev|proc)\//;

/** How many words are looked at, counted again for each word that could be the program. */
const MAX_STEPS = 200_000;

/**
 * Programs with sub-commands: the everyday ones that don't themselves fetch, send, delete or commit anything. A
 * sub-command that is not listed has no rule (`git push`, `npm publish`), nor has one behind an option
 * (`git -c core.pager=x log`).
 */
const SUBCOMMANDS: Readonly<Record<string, { readonly rule: ReadonlySet<string>; readonly why: NoRuleReason }>> = {
  git: {
    rule: words(
      'status log diff show add blame annotate describe rev-parse rev-list ls-files ls-tree shortlog cat-file grep name-rev ' +
        'merge-base for-each-ref show-ref whatchanged range-diff count-objects check-ignore check-attr diff-tree diff-index ' +
        'diff-files var version --version',
    ),
    why: 'commits',
  },
  ...packageManager(
    'npm',
    'test t tst run run-script start stop restart ls list ll la explain why root prefix bin pack',
  ),
  ...packageManager('pnpm', 'test t run start exec ls list why root bin lint build dev check typecheck format'),
  ...packageManager(
    'yarn',
    'test run start exec lint build dev check typecheck format workspace workspaces node bin why list',
  ),
  ...packageManager('bun', 'test run build'),
  ...packageManager('deno', 'test task lint check fmt bench'),
  ...packageManager('pip', 'list show freeze check'),
  ...packageManager('uv', 'run tree'),
  ...packageManager('poetry', 'run check show'),
  ...packageManager('cargo', 'build b check c test t clippy fmt doc bench run r tree metadata'),
  ...packageManager('go', 'build test vet fmt run list doc version env'),
  ...packageManager('dotnet', 'build test run format'),
  ...packageManager('composer', 'test run-script run validate dump-autoload'),
  ...packageManager('bundle', 'exec check list show'),
  ...packageManager('gem', 'list'),
  ...containers('docker'),
  ...containers('docker-compose'),
  ...containers('podman'),
  kubectl: { rule: new Set(), why: 'sends' },
  helm: { rule: words('lint template version'), why: 'sends' },
  terraform: { rule: words('validate fmt version'), why: 'system' },
};

/** Options that make a program do something its name does not suggest: `find . -delete`, `tar --remove-files`. */
const OPTIONS: Readonly<Record<string, { readonly option: RegExp; readonly why: NoRuleReason }>> = {
  find: { option: /^-(?:delete|fprint|fprint0|fprintf|fls)$/, why: 'deletes' },
  fd: { option: /^(?:-x|-X|--exec)/, why: 'input' },
  tar: { option: /^--(?:remove-files|delete)/, why: 'deletes' },
  npx: { option: /^(?:-y|--yes|-p.*|--package.*|-c|--call.*)$/, why: 'fetches' },
};

/** Scripts and targets whose names reveal what they do: `npm run deploy:staging`, `make publish`, `./upload.sh`. */
const SENDING_NAME = /^(?:deploy|publish|upload|push)(?:$|[:._-])/i;
const ASKS_FOR_VERSION = /^(?:--version|-v|-V)$/;

/** The reason why no rule may cover this command, or null if there is none. */
export function whyNoRule(argv: readonly string[]): NoRuleReason | null {
  const [program, ...rest] = argv;
  if (program === undefined || program === '' || argv.some(hasUnseenCharacters)) return 'unreadable';
  return (
    find(BUILTINS, program) ??
    whyNotAsProgram(argv) ??
    whyNotAnywhere(argv) ??
    (rest.length === 1 && ASKS_FOR_VERSION.test(rest[0] ?? '')
      ? null
      : bringsOutsideText(commandOf(argv))
        ? 'fetches'
        : null)
  );
}

/**
 * Judges the first word as a program. It is not known where every wrapper's options and values end, so any word after
 * one could be the program. They are looked at from the last word on, each once.
 */
function whyNotAsProgram(argv: readonly string[]): NoRuleReason | null {
  const budget = new WorkBudget(MAX_STEPS);
  try {
    let behind: NoRuleReason | null = null;
    for (let at = argv.length - 1; at > 0 && isWrapper(argv[0] ?? ''); at--) {
      budget.spend(argv.length - at);
      behind = whyNotThisProgram(argv.slice(at), behind) ?? behind;
    }
    return whyNotThisProgram(argv, behind);
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error;
    return 'unreadable';
  }
}

/** `behind` is the reason why no rule may cover one of the words after it, if one of them is the program. */
function whyNotThisProgram(argv: readonly string[], behind: NoRuleReason | null): NoRuleReason | null {
  const [program = '', ...rest] = argv;
  const known = find(ANYWHERE, program) ?? find(AS_PROGRAM, program);
  if (known !== undefined) return known;
  if (programNames(program).some((name) => name.startsWith('mkfs'))) return 'deletes';
  if (rest.length === 1 && ASKS_FOR_VERSION.test(rest[0] ?? '')) return null;
  const option = find(OPTIONS, program);
  if (option !== undefined && rest.some((word) => option.option.test(word))) return option.why;
  return whyNotInterpreted(program, rest) ?? whyNotSubcommand(program, rest) ?? (isWrapper(program) ? behind : null);
}

function whyNotInterpreted(program: string, rest: readonly string[]): NoRuleReason | null {
  const code = find(INTERPRETERS, program);
  if (code === undefined) return null;
  if (rest.some((word) => code.test(word))) return 'code';
  const hasFile = rest.some((word) => (!word.startsWith('-') && word !== '') || /^(?:--test|-m)$/.test(word));
  return hasFile && !rest.some((word) => STDIN_PATH.test(word)) ? null : 'input';
}

function whyNotSubcommand(program: string, [subcommand = '']: readonly string[]): NoRuleReason | null {
  const known = find(SUBCOMMANDS, program);
  if (known === undefined || known.rule.has(subcommand)) return null;
  const isScript = find(INTERPRETERS, program) !== undefined && /\.[cm]?[jt]sx?$/.test(subcommand);
  return isScript ? null : known.why;
}

function isWrapper(program: string): boolean {
  return programNames(program).some((name) => WRAPPERS.has(name));
}

/** Looks at every word, and at every word within a word: `--exec=rm`, `sh x 'rm -rf y'`. */
function whyNotAnywhere(argv: readonly string[]): NoRuleReason | null {
  for (const word of argv) {
    for (const token of word.split(/[\s;&|()`$<>{}'"=,]+/)) {
      const known = token === '' ? undefined : find(ANYWHERE, token);
      if (known !== undefined) return known;
      if (SENDING_NAME.test(token.split(/[\\/]/).at(-1) ?? '')) return 'sends';
    }
  }
  return null;
}

/**
 * Characters that are not seen can't be agreed to: with an override of the direction of writing, `rm x` is drawn as
 * something else, and a zero-width space makes `npm test` another command that looks the same in the list of rules.
 */
export function hasUnseenCharacters(word: string): boolean {
  return /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u.test(word);
}

function find<Value>(known: Readonly<Record<string, Value>>, program: string): Value | undefined {
  const name = programNames(program).find((each) => Object.hasOwn(known, each));
  return name === undefined ? undefined : ownValue(known, name);
}

function table(lists: Partial<Record<NoRuleReason, string>>): Readonly<Record<string, NoRuleReason>> {
  const entries = Object.entries(lists) as [NoRuleReason, string][];
  return Object.fromEntries(entries.flatMap(([reason, names]) => names.split(' ').map((name) => [name, reason])));
}

function same<Value>(names: string, value: Value): Record<string, Value> {
  return Object.fromEntries(names.split(' ').map((name) => [name, value]));
}

function packageManager(name: string, rule: string) {
  return { [name]: { rule: words(rule), why: 'fetches' as const } };
}

function containers(name: string) {
  return {
    [name]: { rule: words('ps images logs inspect build version info stats top port diff'), why: 'system' as const },
  };
}
